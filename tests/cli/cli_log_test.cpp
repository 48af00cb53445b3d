// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include "core/base/log.h"
#include "core/base/text.h"

#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <algorithm>

namespace {

QStringList planOf(const QString& cluster) {
    return words("plan --work 20000 --gbs 256 --seq 2048 --model") +
           QStringList{sample("models/gpt3-1.3b.json"), QStringLiteral("--cluster"), cluster};
}

// Every line of the text as an event; none if one is no line of a log.
std::vector<pw::LogEvent> events(const QByteArray& text) {
    std::vector<pw::LogEvent> list;
    for (const pw::TextLine& line : pw::linesOf({text.constData(), static_cast<std::size_t>(text.size())})) {
        const auto event = pw::readLogLine(line.text);
        if (!event)
            return {};
        list.push_back(*event);
    }
    return list;
}

bool has(const std::vector<pw::LogEvent>& list, pw::LogLevel level, const std::string& place,
         const std::string& text) {
    return std::any_of(list.begin(), list.end(), [&](const pw::LogEvent& event) {
        return event.level == level && event.place == place && event.text.find(text) != std::string::npos;
    });
}

bool anyAt(const std::vector<pw::LogEvent>& list, pw::LogLevel level) {
    return std::any_of(list.begin(), list.end(), [&](const auto& event) { return event.level == level; });
}

} // namespace

// What a run says of itself when it is asked: --explain, --log and --log-file.
class CliLogTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    QString m_cluster = sample("clusters/mixed-16.json");
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }

private slots:
    void explainIsATableOfPhases() {
        const CliRun run = runCli(planOf(m_cluster) + words("--explain"));
        QVERIFY2(run.code == 0, run.err.constData());
        const QByteArray table = run.out.mid(run.out.indexOf("\nphase "));
        const QList<QByteArray> lines = table.trimmed().split('\n');
        QVERIFY2(lines.front().simplified() == "phase candidates time share best before best after", table);
        for (const char* phase :
             {"space ", "bound ", "patterns ", "both ends ", "sweeps ", "finish ", "  bound "})
            QVERIFY2(table.contains(QByteArray("\n") + phase), table);
        QVERIFY2(table.contains("phases together ") && table.contains("plan 1 was found by "), table);
        QVERIFY(!runCli(planOf(m_cluster)).out.contains("phases together"));
    }

    void explainSaysOfWhichSearches() {
        const QByteArray met = runCli(planOf(m_cluster) + words("--explain --deadline 4000ms")).out,
                         missed = runCli(planOf(m_cluster) + words("--explain --deadline 1ms")).out,
                         trainers = runCli(planOf(m_cluster) + words("--explain --target all")).out;
        QVERIFY2(met.contains("phases of the search that found plan 1, one of "), met);
        QVERIFY2(missed.contains("phases of the search over all nodes, without "), missed);
        QVERIFY2(trainers.contains("phases of the search for any trainer, one of "), trainers);
    }

    void explainNamesEveryPlanner() {
        const CliRun run = runCli(planOf(m_cluster) + words("--explain --planner all"));
        QVERIFY2(run.code == 0, run.err.constData());
        for (const char* row : {"\nAutoHAAP-style ", "\nMegatron-LM grid ", "\n  hops ", "\n  grids "})
            QVERIFY2(run.out.mid(run.out.indexOf("\nphase ")).contains(row), row);
    }

    void documentsKeepPhasesAndWhoFoundThePlan() {
        const QString file = path("plan.json");
        const CliRun run =
            runCli(planOf(m_cluster) + QStringList{QStringLiteral("--json"), QStringLiteral("--out"), file});
        QVERIFY2(run.code == 0, run.err.constData());
        const auto phasesOf = [](const QJsonObject& document) {
            return document[QStringLiteral("search")][QStringLiteral("phases")].toArray();
        };
        const auto foundBy = [](const QJsonObject& document) {
            return document[QStringLiteral("plans")][0][QStringLiteral("found_by")].toString();
        };
        const QJsonObject document = run.json();
        const QJsonArray phases = phasesOf(document);
        QVERIFY(phases.size() >= 5);
        qint64 work = 0;
        for (const QJsonValue& phase : phases) {
            for (const char* key : {"name", "work", "seconds", "before_s", "after_s"})
                QVERIFY2(phase.toObject().contains(QLatin1String(key)), key);
            work += phase[QStringLiteral("work")].toInteger();
        }
        QCOMPARE(work, document[QStringLiteral("work")].toInteger());
        QVERIFY(!foundBy(document).isEmpty());

        const CliRun judged =
            runCli({QStringLiteral("evaluate"), QStringLiteral("--json"), QStringLiteral("--plan"), file});
        QVERIFY2(judged.code == 0, judged.out + judged.err);
        QCOMPARE(phasesOf(judged.json()), phases);
        QCOMPARE(foundBy(judged.json()), foundBy(document));
    }

    void infoTellsWhatHappened() {
        const CliRun run = runCli(words("--log info") + planOf(m_cluster));
        QVERIFY2(run.code == 0, run.err.constData());
        const auto list = events(run.err);
        QVERIFY2(!list.empty(), run.err.constData());
        using enum pw::LogLevel;
        QVERIFY(has(list, Info, "pipewright-cli", "plan --work 20000"));
        QVERIFY(has(list, Info, m_cluster.toStdString(), "read as a cluster"));
        QVERIFY(has(list, Warning, "profiles", "no measured profiles"));
        QVERIFY(has(list, Info, "search", "pipewright searches the problem"));
        QVERIFY(has(list, Info, "search/starts", "candidates, best none before and "));
        QVERIFY(has(list, Info, "search", "found by "));
        QVERIFY(has(list, Info, "pipewright-cli", "done"));
        QVERIFY(!anyAt(list, Debug));
        QVERIFY(std::is_sorted(list.begin(), list.end(),
                               [](const auto& a, const auto& b) { return a.time < b.time; }));
    }

    void levelsLeaveOut() {
        using enum pw::LogLevel;
        const auto debug = events(runCli(words("--log debug") + planOf(m_cluster)).err);
        QVERIFY(has(debug, Debug, "search/patterns", "begins"));
        QVERIFY(has(debug, Debug, "search/bound", "takes less than"));
        QVERIFY(has(debug, Debug, "search/finish", "takes less than"));
        const auto warning = events(runCli(words("--log warning") + planOf(m_cluster)).err);
        QVERIFY(warning.size() == 1 && anyAt(warning, Warning));
        QVERIFY(runCli(words("--log error") + planOf(m_cluster)).err.isEmpty());
        // Without a log, in words.
        QVERIFY(runCli(planOf(m_cluster)).err.startsWith("no measured profiles"));
    }

    void aFileTakesEverything() {
        using enum pw::LogLevel;
        const QString file = path("run.log");
        const CliRun run = runCli(QStringList{QStringLiteral("--log-file"), file} + planOf(m_cluster));
        QVERIFY2(run.code == 0, run.err.constData());
        QVERIFY(run.err.startsWith("no measured profiles"));
        const QByteArray first = contents(file);
        const auto list = events(first);
        QVERIFY(has(list, Debug, "search/patterns", "begins") && has(list, Info, "pipewright-cli", "done"));
        // The next run goes on behind it, and tells less when it is asked for less.
        QCOMPARE(
            runCli(QStringList{QStringLiteral("--log-file"), file} + words("--log info") + planOf(m_cluster))
                .code,
            0);
        const QByteArray second = contents(file);
        QVERIFY(second.startsWith(first));
        const auto more = events(second.mid(first.size()));
        QVERIFY(!more.empty() && !anyAt(more, Debug));
    }

    void errorsStandWithTheirPlace() {
        const QString file = path("error.log"), missing = path("missing.json");
        const CliRun run = runCli(QStringList{QStringLiteral("--log-file"), file} + planOf(missing));
        QCOMPARE(run.code, 2);
        QVERIFY(has(events(contents(file)), pw::LogLevel::Error, missing.toStdString(), "cannot be opened"));
    }

    // A program that reads standard error finds lines of the log there and nothing else.
    void errorsToTheTerminalAreEvents() {
        const QString missing = path("missing.json");
        const CliRun run = runCli(words("--log error") + planOf(missing));
        QCOMPARE(run.code, 2);
        const auto list = events(run.err);
        QVERIFY2(has(list, pw::LogLevel::Error, missing.toStdString(), "cannot be opened"),
                 run.err.constData());
    }

    void filesWrittenAreNamed() {
        const QString file = path("written.json");
        const CliRun run =
            runCli(words("--log info") + planOf(m_cluster) + QStringList{QStringLiteral("--out"), file});
        QVERIFY2(run.code == 0, run.err.constData());
        QVERIFY2(has(events(run.err), pw::LogLevel::Info, file.toStdString(), "written"),
                 run.err.constData());
    }

    // A name of a file is data: it cannot end a line or steer a terminal.
    void namesAreEscaped() {
        const QString cluster = path("two\nlines\x1b[2J.json");
        QVERIFY(QFile::copy(m_cluster, cluster));
        const CliRun run = runCli(words("--log info") + planOf(cluster));
        QVERIFY2(run.code == 0, run.err.constData());
        QVERIFY(!events(run.err).empty() && !run.err.contains('\x1b'));
        QVERIFY2(run.err.contains("two\\nlines\\x1b[2J.json"), run.err.constData());
    }

    void whereNothingCanBeWrittenNothingRuns() {
        const CliRun folder = runCli(words("--json --log-file /no/such/folder/x.log") + planOf(m_cluster));
        QCOMPARE(folder.code, 2);
        QCOMPARE(folder.error()[QStringLiteral("where")].toString(), QStringLiteral("--log-file"));
        const QString kept = path("kept.json");
        QVERIFY(QFile::copy(m_cluster, kept));
        const QByteArray before = contents(kept);
        const CliRun same = runCli(QStringList{QStringLiteral("--log-file"), kept} + planOf(kept));
        QCOMPARE(same.code, 2);
        QVERIFY2(same.err.contains("writing it would destroy what is read"), same.err.constData());
        QCOMPARE(contents(kept), before);
        const CliRun twice = runCli(planOf(m_cluster) + words("--out x.json --log-file x.json"));
        QCOMPARE(twice.code, 2);
        QVERIFY(!QFile::exists(QStringLiteral("x.json")));
        // A full disk: the answer counts, and what the log lacks is said.
        const CliRun full = runCli(words("--json --log-file /dev/full") + planOf(m_cluster));
        QCOMPARE(full.code, 0);
        QVERIFY2(full.err.contains("the log cannot be written"), full.err.constData());
        QVERIFY(!full.json().isEmpty());
    }
};

QTEST_APPLESS_MAIN(CliLogTest)
#include "cli_log_test.moc"
