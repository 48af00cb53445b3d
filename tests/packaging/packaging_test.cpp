// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace {

QString source(const QString& path) {
    return QStringLiteral(PW_SOURCE_DIR "/") + path;
}

QString textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Commands of the README's ```sh blocks, continued lines joined.
QStringList readmeCommands() {
    QStringList commands;
    static const QRegularExpression block(QStringLiteral("```sh\n(.*?)```"),
                                          QRegularExpression::DotMatchesEverythingOption);
    auto found = block.globalMatch(textOf(source(QStringLiteral("README.md"))));
    while (found.hasNext()) {
        QString text = found.next().captured(1);
        text.replace(QRegularExpression(QStringLiteral("\\\\\n\\s*")), QString());
        commands += text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }
    return commands;
}

QString firstTwoWords(const QString& line) {
    return line.simplified().section(QLatin1Char(' '), 0, 1);
}

// What the program printed, cut as `quote` is; lines that it no longer prints are left out.
QString quotedAs(const QString& quote, const QString& printed) {
    const QStringList lines = printed.split(QLatin1Char('\n'));
    auto line = lines.begin();
    QStringList paragraphs;
    for (const QString& paragraph : quote.split(QStringLiteral("\n\n"))) {
        const QStringList was = paragraph.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        line = std::find_if(line, lines.end(),
                            [&](const QString& l) { return firstTwoWords(l) == firstTwoWords(was.first()); });
        QStringList now;
        for (const QString& old : was) {
            const bool kept =
                old.trimmed() == QString(QChar(0x2026)) || old.contains(QLatin1String(" after "));
            if (kept)
                now << old;
            else if (line != lines.end())
                now << *line;
            if (line != lines.end())
                ++line;
        }
        paragraphs << now.join(QLatin1Char('\n'));
    }
    return paragraphs.join(QStringLiteral("\n\n")) + QLatin1Char('\n');
}

QString helpOf(const QStringList& command) {
    const CliRun run = runCli(command + QStringList{QStringLiteral("--help")});
    return run.code == 0 ? QString::fromUtf8(run.out) : QString();
}

} // namespace

class PackagingTest : public QObject {
    Q_OBJECT

private slots:
    void scriptsParse_data();
    void scriptsParse();
    void missingPackagesStopAScriptBeforeItTouchesAnything_data();
    void missingPackagesStopAScriptBeforeItTouchesAnything();
    void readmeCommandsAreOnesThatTheProgramTakes();
    void readmeQuotesWhatTheProgramPrints();
    void readmePointsAtFilesThatExist();
};

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

void PackagingTest::readmeCommandsAreOnesThatTheProgramTakes() {
    const QStringList commands = readmeCommands();
    QVERIFY(commands.contains(QStringLiteral("packaging/run")));
    QVERIFY(commands.contains(QStringLiteral("packaging/test")));
    const QString general = helpOf({});
    QVERIFY(!general.isEmpty());
    int checked = 0;
    for (const QString& command : commands) {
        const QStringList arguments = QProcess::splitCommand(command);
        if (arguments.first().startsWith(QLatin1String("packaging/")))
            QVERIFY2(QFileInfo(source(arguments.first())).isExecutable(), qPrintable(command));
        for (const QString& argument : arguments)
            if (argument.startsWith(QLatin1String("samples/")))
                QVERIFY2(QFileInfo::exists(source(argument)), qPrintable(command));
        if (arguments.first() != QLatin1String("pipewright-cli"))
            continue;
        QVERIFY2(arguments.size() > 1, qPrintable(command));
        QString help = helpOf({arguments[1]});
        if (help.contains(QLatin1String("Subcommands:")) && arguments.size() > 2)
            help += helpOf({arguments[1], arguments[2]});
        QVERIFY2(!help.isEmpty(), qPrintable(command));
        for (const QString& argument : arguments)
            if (argument.startsWith(QLatin1String("--")))
                QVERIFY2(help.contains(argument + QLatin1Char(' ')) ||
                             general.contains(argument + QLatin1Char(' ')),
                         qPrintable(argument + QStringLiteral(" in: ") + command));
        ++checked;
    }
    QVERIFY(checked > 0);
}

// Paragraph by paragraph as many lines as the README quotes, from the one that begins with the same words;
// "…" stands for rows left out. The line with the search's own duration stays as it is.
void PackagingTest::readmeQuotesWhatTheProgramPrints() {
    static const QRegularExpression quoted(QStringLiteral("```sh\n([^`]*)```\n+```\n([^`]*)```"));
    const QTemporaryDir folder;
    QString readme = textOf(source(QStringLiteral("README.md")));
    auto found = quoted.globalMatch(textOf(source(QStringLiteral("README.md"))));
    int blocks = 0;
    QStringList stale;
    while (found.hasNext()) {
        const QRegularExpressionMatch match = found.next();
        QStringList arguments = QProcess::splitCommand(match.captured(1).trimmed());
        QCOMPARE(arguments.takeFirst(), QStringLiteral("pipewright-cli"));
        for (QString& argument : arguments) {
            if (argument.startsWith(QLatin1String("samples/")))
                argument = source(argument);
            else if (argument.endsWith(QLatin1String(".json")))
                argument = folder.filePath(argument); // left by the block before
        }
        const CliRun run = runCli(arguments);
        QVERIFY2(run.code == 0, run.err.constData());
        const QString now = quotedAs(match.captured(2), QString::fromUtf8(run.out));
        if (now != match.captured(2))
            stale << match.captured(2) + QStringLiteral("\nis now\n\n") + now;
        readme.replace(match.captured(2), now);
        ++blocks;
    }
    QVERIFY(blocks >= 3);
    if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED")) {
        QFile file(source(QStringLiteral("README.md")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(readme.toUtf8()) > 0);
        return;
    }
    QVERIFY2(stale.isEmpty(), qPrintable(stale.join(QLatin1Char('\n'))));
}

void PackagingTest::readmePointsAtFilesThatExist() {
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)#]+)\\)"));
    auto found = link.globalMatch(textOf(source(QStringLiteral("README.md"))));
    QVERIFY(found.hasNext());
    while (found.hasNext()) {
        const QString target = found.next().captured(1);
        if (!target.startsWith(QLatin1String("http")))
            QVERIFY2(QFileInfo::exists(source(target)), qPrintable(target));
    }
}

QTEST_GUILESS_MAIN(PackagingTest)
#include "packaging_test.moc"
