// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window's program as a script starts it.

#include "core/base/version.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

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
        QTest::addColumn<QByteArray>("set");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* words, const char* set, int code,
                            const QByteArray& said) {
            QTest::newRow(name) << QString::fromLatin1(words).split(QLatin1Char(' '), Qt::SkipEmptyParts)
                                << QByteArray(set) << code << said;
        };
        row("version", "--version", "", 0, "Pipewright ");
        row("build", "--version", "", 0, QByteArray("\n") + pw::buildKind() + "\n");
        row("help", "--help", "", 0, "--screenshots");
        row("version, display gone", "--version", "DISPLAY=:6077", 0, "Pipewright ");
        row("window", "", "", 1, "there is no display. pipewright-cli does the same");
        row("window, asked for", "-platform xcb", "", 1, "there is no display. pipewright-cli");
        row("display gone", "--exit-after-startup", "DISPLAY=:6077", 1,
            "the X display :6077 cannot be reached. pipewright-cli does the same");
        row("tunnel gone", "", "DISPLAY=localhost:6077.0", 1, "the X display localhost:6077.0 cannot");
        row("no display's name", "", "DISPLAY=6077", 1, "the X display 6077 cannot be reached");
        row("display named", "-display :6078", "DISPLAY=:6077", 1, "the X display :6078 cannot be reached");
        row("platform named", "-platform xcb", "DISPLAY=:6077", 1, "the X display :6077 cannot be reached");
        row("platform set", "", "QT_QPA_PLATFORM=wayland;xcb DISPLAY=:6077", 1,
            "the Wayland display wayland-0 and the X display :6077 cannot be reached");
        row("Wayland gone", "", "WAYLAND_DISPLAY=none-6", 1, "the Wayland display none-6 cannot be reached");
        row("port of vnc", "-platform vnc:port=70000", "", 1,
            "the port \"70000\" of vnc is none from 1 to 65535");
        row("word for a port", "-platform vnc:size=9x9:port=x", "", 1, "the port \"x\" of vnc is none");
        row("none is needed", "--platform offscreen --exit-after-startup", "DISPLAY=:6077", 0, "");
    }
    void whatIsAskedNeedsNoDisplay() {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, set);
        QFETCH(int, code);
        QFETCH(QByteArray, said);
        QTemporaryDir folder;
        QProcess process;
        liveIn(folder, process);
        QProcessEnvironment environment = process.processEnvironment();
        for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(variable));
        environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), folder.path());
        for (const QByteArray& one : set.split(' '))
            if (const qsizetype at = one.indexOf('='); at > 0)
                environment.insert(QString::fromLatin1(one.left(at)), QString::fromLatin1(one.mid(at + 1)));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(PW_PROGRAM), words);
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const QByteArray heard = process.readAllStandardOutput() + process.readAllStandardError();
        QVERIFY2(process.exitCode() == code, heard.constData());
        QVERIFY2(heard.contains(said), heard.constData());
        QVERIFY2(code == 0 || heard.count('\n') == 1, heard.constData());
    }

    // Qt would say so and run on.
    void aPortThatIsTakenIsNamed() {
        const int held = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        socklen_t size = sizeof address;
        auto* at = reinterpret_cast<sockaddr*>(&address);
        QVERIFY(::bind(held, at, size) == 0 && ::listen(held, 1) == 0 && ::getsockname(held, at, &size) == 0);
        QTemporaryDir folder;
        QProcess process;
        liveIn(folder, process);
        const QString port = QString::number(ntohs(address.sin_port));
        process.start(QStringLiteral(PW_PROGRAM),
                      {QStringLiteral("-platform"), QStringLiteral("vnc:port=") + port});
        QVERIFY(process.waitForFinished(60'000));
        ::close(held);
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.startsWith("pipewright: the port " + port.toUtf8() + " of vnc cannot be opened (") &&
                     said.count('\n') == 1,
                 said.constData());
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

    // Up to the last of the states, with edits and plans that nobody is asked to save.
    void everyStateIsReached() {
        QTemporaryDir folder;
        QProcess process;
        liveIn(folder, process);
        process.start(QStringLiteral(PW_PROGRAM),
                      {QStringLiteral(PW_SOURCE_DIR "/samples/projects/one-node-8.pwx"),
                       QStringLiteral("--screenshots"), QStringLiteral("pictures"),
                       QStringLiteral("--states"), QStringLiteral("--views"),
                       QStringLiteral("stale-draw-light,empty-draw-dark")});
        QVERIFY(process.waitForFinished(120'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QCOMPARE(
            QDir(folder.filePath(QStringLiteral("pictures"))).entryList(QDir::Files),
            (QStringList{QStringLiteral("empty-draw-dark.png"), QStringLiteral("stale-draw-light.png")}));
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
