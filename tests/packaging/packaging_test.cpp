// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/packaging/pages.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

class PackagingTest : public QObject {
    Q_OBJECT

private slots:
    void scriptsParse_data();
    void scriptsParse();
    void missingPackagesStopAScriptBeforeItTouchesAnything_data();
    void missingPackagesStopAScriptBeforeItTouchesAnything();
    void anArchiveSaysTheRevisionOfItsClone();
};

namespace {

bool ran(const QString& program, const QStringList& arguments) {
    return QProcess::execute(program, arguments) == 0;
}

// What a build of these sources would be called.
QString revisionOf(const QString& sources, const QTemporaryDir& out) {
    QFile input(out.filePath(QStringLiteral("in")));
    if (!input.open(QIODevice::WriteOnly) || input.write("@REVISION@@BUILD@\n") < 0)
        return {};
    input.close();
    const QString output = out.filePath(QStringLiteral("out"));
    QFile::remove(output);
    ran(QStringLiteral("cmake"), {QStringLiteral("-DINPUT=") + input.fileName(),
                                  QStringLiteral("-DOUTPUT=") + output, QStringLiteral("-DSOURCE=") + sources,
                                  QStringLiteral("-P"), source(QStringLiteral("core/base/version.cmake"))});
    return textOf(output).trimmed();
}

} // namespace

void PackagingTest::scriptsParse_data() {
    QTest::addColumn<QString>("script");
    for (const char* script : {"packaging/run", "packaging/test", "packaging/check", ".ci/run"})
        QTest::newRow(script) << QString::fromLatin1(script);
}

void PackagingTest::scriptsParse() {
    QFETCH(QString, script);
    QVERIFY(QFileInfo(source(script)).isExecutable());
    for (const QString& file : {script, QStringLiteral("packaging/lib.sh")})
        QCOMPARE(QProcess::execute(QStringLiteral("bash"), {QStringLiteral("-n"), source(file)}), 0);
}

void PackagingTest::missingPackagesStopAScriptBeforeItTouchesAnything_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QStringList>("needs");
    const QStringList program{QStringLiteral("cmake"), QStringLiteral("qt6-base-dev"),
                              QStringLiteral("libqt6svg6")};
    const QStringList sources{QStringLiteral("cmake"), QStringLiteral("clang-tidy-16"),
                              QStringLiteral("shellcheck")};
    QTest::newRow("run") << QStringLiteral("run") << program;
    QTest::newRow("test") << QStringLiteral("test") << program + sources;
    QTest::newRow("check") << QStringLiteral("check") << sources;
    QTest::newRow("check full") << QStringLiteral("check full")
                                << program + sources + QStringList{QStringLiteral("libbenchmark-dev")};
}

// On a PATH without dpkg and apt every package counts as missing.
void PackagingTest::missingPackagesStopAScriptBeforeItTouchesAnything() {
    QFETCH(QString, script);
    QFETCH(QStringList, needs);
    QTemporaryDir folder;
    QDir root(folder.path());
    QVERIFY(root.mkpath(QStringLiteral("tree/packaging")) && root.mkpath(QStringLiteral("bin")));
    for (const QFileInfo& file : QDir(source(QStringLiteral("packaging"))).entryInfoList(QDir::Files))
        QVERIFY(
            QFile::copy(file.filePath(), root.filePath(QStringLiteral("tree/packaging/") + file.fileName())));
    for (const char* tool : {"bash", "dirname", "grep", "sed", "sort"}) {
        const QString name = QString::fromLatin1(tool);
        QVERIFY(
            QFile::link(QStandardPaths::findExecutable(name), root.filePath(QStringLiteral("bin/") + name)));
    }

    QProcess process;
    QProcessEnvironment environment;
    environment.insert(QStringLiteral("PATH"), root.filePath(QStringLiteral("bin")));
    process.setProcessEnvironment(environment);
    process.start(root.filePath(QStringLiteral("bin/bash")),
                  (root.filePath(QStringLiteral("tree/packaging/")) + script).split(QLatin1Char(' ')));
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 1);

    const QStringList printed =
        QString::fromUtf8(process.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& package : needs)
        QVERIFY2(printed.contains(package), qPrintable(package));
    QCOMPARE(QDir(root.filePath(QStringLiteral("tree"))).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList{QStringLiteral("packaging")});
}

void PackagingTest::anArchiveSaysTheRevisionOfItsClone() {
    const QTemporaryDir clone, archive, out;
    QVERIFY(QDir(clone.path()).mkpath(QStringLiteral("core/base")));
    for (const char* name : {".gitattributes", "core/base/revision.txt"})
        QVERIFY(QFile::copy(source(QLatin1String(name)), clone.filePath(QLatin1String(name))));
    const QString git = QStringLiteral("git");
    const QStringList in = {QStringLiteral("-C"), clone.path()};
    QVERIFY(ran(git, in + QStringList{"init", "-q"}));
    QVERIFY(ran(git, in + QStringList{"add", "-A"}));
    QVERIFY(ran(git, in + QStringList{"-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q",
                                      "-m", "t"}));
    const QString packed = out.filePath(QStringLiteral("a.tar"));
    const QStringList unpack = {QStringLiteral("xf"), packed, QStringLiteral("-C"), archive.path()};
    QVERIFY(ran(git, in + QStringList{"archive", "-o", packed, "HEAD"}));
    QVERIFY(ran(QStringLiteral("tar"), unpack));
    const QString revision = revisionOf(clone.path(), out);
    QCOMPARE(revision.size(), 10);
    QCOMPARE(revisionOf(archive.path(), out), revision);

    for (const char* tag : {"other", "v1.2.3"}) // a release's is told
        QVERIFY(ran(git, in + QStringList{"tag", QLatin1String(tag)}));
    QVERIFY(ran(git, in + QStringList{"archive", "-o", packed, "HEAD"}));
    QVERIFY(ran(QStringLiteral("tar"), unpack));
    QCOMPARE(revisionOf(clone.path(), out), revision + QStringLiteral(", tag v1.2.3"));
    QCOMPARE(revisionOf(archive.path(), out), revision + QStringLiteral(", tag v1.2.3"));
}

QTEST_GUILESS_MAIN(PackagingTest)
#include "packaging_test.moc"
