// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/skip.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Said {
    int code = -1;
    QByteArray text;
};

// What one of packaging/checks says of a tree: the rules stand there, for the test and for packaging/check
// alike.
Said check(const QString& script, const QString& root) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("python3"),
                  {QStringLiteral("-B"), QStringLiteral(PW_SOURCE_DIR "/packaging/checks/") + script,
                   QStringLiteral("--root"), root});
    if (!process.waitForFinished(60'000))
        return {-1, process.errorString().toUtf8()};
    return {process.exitCode(), process.readAllStandardOutput()};
}

// A core of one folder, whose units include each other in the order given, the last one the first.
bool writeCircle(const QString& root, const QStringList& units) {
    const QDir folder(root + QStringLiteral("/core/street"));
    if (!folder.mkpath(QStringLiteral(".")))
        return false;
    for (qsizetype i = 0; i < units.size(); ++i) {
        QFile file(folder.filePath(units[i] + QStringLiteral(".h")));
        const QString next = units[(i + 1) % units.size()];
        const QByteArray text = "#pragma once\n\n#include \"core/street/" + next.toUtf8() + ".h\"\n";
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return false;
    }
    return true;
}

} // namespace

// One direction: nothing lower is included by anything above it, no unit circle is larger than three, and no
// Qt under the command line.
class LayersTest : public QObject {
    Q_OBJECT

private slots:
    void theTreeKeepsItsOrder_data() {
        QTest::addColumn<QString>("script");
        QTest::newRow("folders and sub-folders") << QStringLiteral("layers.py");
        QTest::newRow("circles of units") << QStringLiteral("circles.py");
    }
    void theTreeKeepsItsOrder() {
        QFETCH(QString, script);
        const Said said = check(script, QStringLiteral(PW_SOURCE_DIR));
        QVERIFY2(said.code == 0, said.text.constData());
    }

    void aCircleOfFourIsFound() {
        const QTemporaryDir three, four;
        const QStringList units{QStringLiteral("chain"), QStringLiteral("bound"), QStringLiteral("search")};
        QVERIFY(writeCircle(three.path(), units));
        QCOMPARE(check(QStringLiteral("circles.py"), three.path()).code, 0);
        QVERIFY(writeCircle(four.path(), units + QStringList{QStringLiteral("run")}));
        const Said said = check(QStringLiteral("circles.py"), four.path());
        QCOMPARE(said.code, 1);
        QVERIFY2(said.text.contains("4 units in a circle"), said.text.constData());
    }

    void commandLineLinksNoQt() {
        QProcess ldd;
        ldd.start(QStringLiteral("ldd"), {QStringLiteral(PW_CLI)});
        if (!ldd.waitForFinished(60'000) || ldd.exitCode() != 0)
            PW_SKIP("ldd", "ldd does not run here");
        const QByteArray libraries = ldd.readAllStandardOutput();
        QVERIFY(libraries.contains("libc."));
        QVERIFY2(!libraries.contains("Qt"), libraries.constData());
    }
};

QTEST_APPLESS_MAIN(LayersTest)
#include "layers_test.moc"
