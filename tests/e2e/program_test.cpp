// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window's program as a script starts it.

#include "core/base/version.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class ProgramTest : public QObject {
    Q_OBJECT

    // With nothing of the user's.
    static void liveIn(const QTemporaryDir& folder, QProcess& process) {
        process.setWorkingDirectory(folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PIPEWRIGHT_CONFIG_DIR"), folder.filePath(QStringLiteral("c")));
        environment.insert(QStringLiteral("PIPEWRIGHT_STATE_DIR"), folder.filePath(QStringLiteral("s")));
        environment.insert(QStringLiteral("PIPEWRIGHT_DATA_DIR"), folder.filePath(QStringLiteral("d")));
        process.setProcessEnvironment(environment);
    }

private Q_SLOTS:
    // On a login node, where Qt itself would abort.
    void whatIsAskedNeedsNoDisplay_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("version") << QStringList{QStringLiteral("--version")} << 0
                                 << QByteArray("Pipewright ");
        QTest::newRow("build") << QStringList{QStringLiteral("--version")} << 0
                               << QByteArray("\n") + pw::buildKind() + "\n";
        QTest::newRow("help") << QStringList{QStringLiteral("--help")} << 0 << QByteArray("--screenshots");
        QTest::newRow("window") << QStringList() << 1 << QByteArray("pipewright-cli does the same");
    }
    void whatIsAskedNeedsNoDisplay() {
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QByteArray, said);
        QTemporaryDir folder;
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(variable));
        environment.insert(QStringLiteral("PIPEWRIGHT_STATE_DIR"), folder.path());
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(PW_PROGRAM), words);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), code);
        const QByteArray heard = process.readAllStandardOutput() + process.readAllStandardError();
        QVERIFY2(heard.contains(said), heard.constData());
    }

    void aFileThatIsNotThere_data() {
        QTest::addColumn<QStringList>("flags");
        QTest::newRow("pictures") << QStringList{QStringLiteral("--screenshots"), QStringLiteral("pictures")};
        QTest::newRow("start") << QStringList{QStringLiteral("--exit-after-startup")};
    }
    void aFileThatIsNotThere() {
        QFETCH(QStringList, flags);
        QTemporaryDir folder;
        QProcess process;
        liveIn(folder, process);
        process.start(QStringLiteral(PW_PROGRAM), QStringList{QStringLiteral("nope.pwx")} + flags);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("pipewright: nope.pwx was not opened."), said.constData());
    }

    void aPictureThatThereIsNot() {
        QTemporaryDir folder;
        QProcess process;
        liveIn(folder, process);
        process.start(QStringLiteral(PW_PROGRAM),
                      {QStringLiteral("--screenshots"), QStringLiteral("pictures"), QStringLiteral("--views"),
                       QStringLiteral("draw-light,plan-light")});
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("no picture is called plan-light") && !said.contains("draw-light"),
                 said.constData());
        QCOMPARE(QDir(folder.filePath(QStringLiteral("pictures"))).entryList(QDir::Files),
                 QStringList{QStringLiteral("draw-light.png")});
    }
};

QTEST_GUILESS_MAIN(ProgramTest)
#include "program_test.moc"
