// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "tests/cli/cli_run.h"
#include "tests/packaging/pages.h"
#include "tests/schedule/every_kind.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace {

const QRegularExpression kBlock(QStringLiteral("```sh\n(.*?)```"),
                                QRegularExpression::DotMatchesEverythingOption);
const QRegularExpression kQuoted(QStringLiteral("```sh\n([^`]*)```\n+```\n([^`]*)```"));

QStringList quotingDocuments() {
    QStringList names = {QStringLiteral("README.md"), QStringLiteral("CONTRIBUTING.md")};
    for (const QString& page : manualFiles(QStringLiteral("*.md")))
        if (!page.startsWith(QLatin1String("generated/")))
            names << QStringLiteral("resources/manual/") + page;
    return names;
}

// Commands of a ```sh block, continued lines joined.
QStringList commandsOf(QString block) {
    block.replace(QRegularExpression(QStringLiteral("\\\\\n\\s*")), QString());
    return block.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

QString firstTwoWords(const QString& line) {
    return line.simplified().section(QLatin1Char(' '), 0, 1);
}

// `printed`, with the time that the search took as it was in `old`: it is another one at every run.
QString withTimeOf(const QString& old, QString printed) {
    static const QRegularExpression took(QStringLiteral(" after [\\d.]+ m?s,"));
    return printed.replace(took, took.match(old).captured());
}

bool isOurs(const QString& argument) { // a path that a document may name as it stands in the tree
    return argument.startsWith(QLatin1String("samples/")) ||
           argument.startsWith(QLatin1String("tests/data/"));
}

// The arguments with paths of the tree as they are there, and other files in the folder.
QStringList movedTo(const QTemporaryDir& folder, QStringList arguments) {
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        QString& argument = arguments[i];
        if (isOurs(argument))
            argument = source(argument);
        else if (argument.endsWith(QLatin1String(".json")) ||
                 (i > 0 && arguments[i - 1] == QLatin1String("--out")))
            argument = folder.filePath(argument);
    }
    return arguments;
}

// What the program printed, cut as `quote` is; lines that it no longer prints are left out, and what it
// prints behind a paragraph's last line is an ellipsis.
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
            if (old.trimmed() == QString(QChar(0x2026)))
                now << old;
            else if (line != lines.end())
                now << withTimeOf(old, *line);
            if (line != lines.end())
                ++line;
        }
        if (was.last().trimmed() != QString(QChar(0x2026)) && line != lines.end() && !line->isEmpty())
            now << QString(QChar(0x2026));
        paragraphs << now.join(QLatin1Char('\n'));
    }
    return paragraphs.join(QStringLiteral("\n\n")) + QLatin1Char('\n');
}

QString helpOf(const QStringList& command) {
    const CliRun run = runCli(command + QStringList{QStringLiteral("--help")});
    return run.code == 0 ? QString::fromUtf8(run.out) : QString();
}

} // namespace

// Commands and quoted output in the documents are compared with the program.
class QuotesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void documentsHaveBoth() {
        int blocks = 0, quotes = 0;
        for (const QString& name : quotingDocuments()) {
            const QString text = textOf(source(name));
            blocks += static_cast<int>(text.count(kBlock));
            quotes += static_cast<int>(text.count(kQuoted));
        }
        QVERIFY(blocks > 20 && quotes >= 5);
    }

    void commandsAreOnesThatTheProgramTakes_data() { addDocuments(); }
    void commandsAreOnesThatTheProgramTakes() {
        QFETCH(QString, document);
        const QString general = helpOf({});
        QVERIFY(!general.isEmpty());
        for (auto found = kBlock.globalMatch(textOf(source(document))); found.hasNext();)
            for (const QString& command : commandsOf(found.next().captured(1)))
                check(command, general);
    }

    void everyCommandIsListed() {
        const QString help = helpOf({}),
                      page = textOf(source(QStringLiteral("resources/manual/command-line.md"))),
                      manPage = textOf(source(QStringLiteral("packaging/man/pipewright-cli.1")));
        const QString table = page.left(page.indexOf(QLatin1String("\n## "))),
                      commands = manPage.section(QStringLiteral(".SH COMMANDS\n"), 1)
                                     .section(QStringLiteral(".SH "), 0, 0);
        static const QRegularExpression row(QStringLiteral("^  ([a-z]+) +\\S"),
                                            QRegularExpression::MultilineOption);
        int count = 0;
        for (auto found = row.globalMatch(help.section(QStringLiteral("\nSubcommands:\n"), 1));
             found.hasNext(); ++count) {
            const QString name = found.next().captured(1);
            QVERIFY2(table.contains(QLatin1Char('`') + name + QLatin1Char('`')), qPrintable(name));
            QVERIFY2(commands.contains(
                         QRegularExpression(QStringLiteral("^\\.BR? (.*\\s)?") + name + QStringLiteral("\\b"),
                                            QRegularExpression::MultilineOption)),
                     qPrintable(name));
        }
        QVERIFY(count > 10);
        const QString synopsis = manPage.section(QStringLiteral(".SH SYNOPSIS\n"), 1)
                                     .section(QStringLiteral(".SH "), 0, 0)
                                     .remove(QLatin1Char('\\'));
        static const QRegularExpression flag(QStringLiteral("^  (--[a-z-]+)"),
                                             QRegularExpression::MultilineOption);
        int flags = 0;
        for (auto found = flag.globalMatch(help.section(QStringLiteral("\nSubcommands:\n"), 0, 0));
             found.hasNext(); ++flags) {
            const QString name = found.next().captured(1);
            QVERIFY2(name == QLatin1String("--version") || synopsis.contains(name), qPrintable(name));
        }
        QVERIFY(flags > 5);
    }

    // What CONTRIBUTING.md asks for by hand beside the tables that pages are written from.
    void schedulesAndFormatsAreDescribed() {
        const QString schedules = textOf(source(QStringLiteral("resources/manual/plan-document.md")))
                                      .section(QStringLiteral("\n## Schedules\n"), 1)
                                      .section(QStringLiteral("\n## "), 0, 0),
                      manual = textOf(source(QStringLiteral("packaging/man/pipewright-cli.1")))
                                   .section(QStringLiteral("\n.B schedule\n"), 1)
                                   .section(QStringLiteral("\n.TP"), 0, 0),
                      formats = textOf(source(QStringLiteral("resources/manual/formats.md")));
        for (const pw::ScheduleKind kind : pw::test::everyKind()) {
            const QString name = QString::fromLatin1(pw::name(kind));
            QVERIFY2(schedules.contains(QLatin1Char('`') + name + QLatin1Char('`')), qPrintable(name));
            QVERIFY2(manual.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(name))),
                     qPrintable(name));
        }
        for (const pw::ImporterRow& row : pw::importerTable()) {
            const QString kind = QString::fromLatin1(row.kind);
            QVERIFY2(formats.contains(QLatin1Char('`') + kind + QLatin1Char('`')), qPrintable(kind));
        }
    }

    // Paragraph by paragraph as many lines as the document quotes, from the one that begins with the same
    // words; "…" stands for rows left out. The line with the search's own duration stays as it is. Files are
    // left in the same folder by one block of a document for the next.
    void quotesAreWhatTheProgramPrints_data() { addDocuments(); }
    void quotesAreWhatTheProgramPrints() {
        QFETCH(QString, document);
        const QTemporaryDir folder;
        QString text = textOf(source(document));
        QStringList stale;
        for (auto found = kQuoted.globalMatch(textOf(source(document))); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            QStringList arguments = QProcess::splitCommand(match.captured(1).trimmed());
            QCOMPARE(arguments.takeFirst(), QStringLiteral("pipewright-cli"));
            const CliRun run = runCli(movedTo(folder, std::move(arguments)));
            QVERIFY2(run.code == 0, run.err.constData());
            const QString now = quotedAs(match.captured(2), QString::fromUtf8(run.out));
            if (now != match.captured(2))
                stale << match.captured(2) + QStringLiteral("\nis now\n\n") + now;
            text.replace(match.captured(2), now);
        }
        if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED") && !stale.isEmpty()) {
            QFile file(source(document));
            QVERIFY(file.open(QIODevice::WriteOnly));
            QVERIFY(file.write(text.toUtf8()) > 0);
            return;
        }
        QVERIFY2(stale.isEmpty(), qPrintable(stale.join(QLatin1Char('\n'))));
    }

    // Who follows the tour of README.md from its first line on gets through; from a command of another
    // program on, which takes PyTorch and minutes, a block is left.
    void theTourGoesThrough() {
        const QTemporaryDir folder;
        const QString tour = textOf(source(QStringLiteral("README.md")))
                                 .section(QStringLiteral("\n## A tour on the command line\n"), 1)
                                 .section(QStringLiteral("\n## "), 0, 0);
        int runs = 0;
        for (auto found = kBlock.globalMatch(tour); found.hasNext();)
            for (const QString& command : commandsOf(found.next().captured(1))) {
                QStringList arguments = QProcess::splitCommand(command);
                if (arguments.takeFirst() != QLatin1String("pipewright-cli"))
                    break;
                const CliRun run = runCli(movedTo(folder, std::move(arguments)));
                QVERIFY2(run.code == 0, qPrintable(command + QLatin1Char('\n') + QString::fromUtf8(run.err)));
                ++runs;
            }
        QVERIFY(runs >= 10);
    }

private:
    static void addDocuments() {
        QTest::addColumn<QString>("document");
        for (const QString& name : quotingDocuments())
            QTest::newRow(qPrintable(name)) << name;
    }

    static void check(const QString& command, const QString& general) {
        const QStringList arguments = QProcess::splitCommand(command);
        if (arguments.first().startsWith(QLatin1String("packaging/")))
            QVERIFY2(QFileInfo(source(arguments.first())).isExecutable(), qPrintable(command));
        for (const QString& argument : arguments)
            if (isOurs(argument))
                QVERIFY2(QFileInfo::exists(source(argument)), qPrintable(command));
        if (arguments.first() != QLatin1String("pipewright-cli"))
            return;
        QVERIFY2(arguments.size() > 1, qPrintable(command));
        // Flags of the program may stand before the command.
        const auto named = std::find_if(arguments.begin() + 1, arguments.end(), [](const QString& word) {
            return !word.startsWith(QLatin1String("--")) && !helpOf({word}).isEmpty();
        });
        QVERIFY2(named != arguments.end(), qPrintable(command));
        QString help = helpOf({*named});
        if (help.contains(QLatin1String("Subcommands:")) && named + 1 != arguments.end())
            help += helpOf({*named, named[1]});
        QVERIFY2(!help.isEmpty(), qPrintable(command));
        for (const QString& argument : arguments)
            if (argument.startsWith(QLatin1String("--")))
                QVERIFY2(help.contains(argument + QLatin1Char(' ')) ||
                             general.contains(argument + QLatin1Char(' ')),
                         qPrintable(argument + QStringLiteral(" in: ") + command));
    }
};

QTEST_GUILESS_MAIN(QuotesTest)
#include "quotes_test.moc"
