// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

// Plan documents on the command line: judged, simulated, exported.
class CliPlansTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(m_files.isValid());
        m_plan = m_files.path("plan.json");
        // With too little work to try all plans, whose proof nobody can repeat from a document.
        const CliRun run =
            runCli(words("plan --json --top 3 --work 100000 --out") + QStringList{m_plan} + problemFlags());
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        m_found = run.json();
        QCOMPARE(QJsonDocument::fromJson(contents(m_plan)).object(), m_found);
    }

    void aPlanIsHeldAgainstTheBest() {
        const QStringList uniform =
            words("evaluate --json --plan") + QStringList{sample("plans/measured-16-uniform.json")};
        const CliRun plain = runCli(uniform);
        QVERIFY(plain.code == 0 && !plain.json().contains(QStringLiteral("verdict")));
        const CliRun run = runCli(uniform + words("--verdict"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonObject verdict = run.json()[QStringLiteral("verdict")].toObject();
        const double present = verdict[QStringLiteral("present_s")].toDouble(),
                     best = verdict[QStringLiteral("best_found_s")].toDouble();
        QCOMPARE(present, run.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble());
        QVERIFY(best > 0.0 && best < present);
        QCOMPARE(verdict[QStringLiteral("slower_than_best")].toDouble(), present / best - 1.0);
        QVERIFY(verdict[QStringLiteral("lower_bound_s")].toDouble() <= best);
        const CliRun text = runCli(words("evaluate --verdict --plan") +
                                   QStringList{sample("plans/measured-16-uniform.json")});
        QVERIFY(text.out.startsWith(verdict[QStringLiteral("text")].toString().toUtf8()));
        QCOMPARE(runCli(uniform + words("--target flagscale")).code, 2); // of what?
        QCOMPARE(runCli(uniform + words("--verdict --target papyrus")).code, 2);
    }

    void findingsAreThoseOfTheWindow() {
        const QStringList uniform =
            words("evaluate --plan") + QStringList{sample("plans/measured-16-uniform.json")};
        const CliRun run = runCli(uniform + words("--findings --json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonObject findings = run.json()[QStringLiteral("findings")].toObject();
        QVERIFY(findings[QStringLiteral("tried")].toInt() > 0 &&
                !findings[QStringLiteral("stopped")].toBool());
        const double now = run.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble();
        const QByteArray text = runCli(uniform + words("--findings")).out;
        int gains = 0;
        for (const auto& value : findings[QStringLiteral("list")].toArray()) {
            const QJsonObject finding = value.toObject();
            QVERIFY(text.contains(finding[QStringLiteral("text")].toString().toUtf8()));
            if (!finding.contains(QStringLiteral("gain_s")))
                continue;
            QVERIFY(text.contains(finding[QStringLiteral("remedy")].toString().toUtf8()));
            QVERIFY(std::abs(now - finding[QStringLiteral("gain_s")].toDouble() -
                             finding[QStringLiteral("iteration_s")].toDouble()) < 1e-9 * now);
            ++gains;
        }
        QVERIFY(gains > 0);
        // Whoever trains with Megatron-LM is advised nothing that it cannot run.
        const CliRun megatron = runCli(uniform + words("--findings --target megatron"));
        QVERIFY2(megatron.code == 0, megatron.err);
        QVERIFY2(megatron.out.contains("Megatron-LM") && !megatron.out.contains("H-1F1B"), megatron.out);
        QVERIFY(!runCli(uniform + words("--json")).json().contains(QStringLiteral("findings")));
    }

    void evaluateReproducesThePlan() {
        const QString second = m_plan + QStringLiteral(":2");
        const CliRun run = runCli(words("evaluate --json --plan") + QStringList{second});
        QCOMPARE(run.code, 0);
        const QJsonObject document = run.json();
        QCOMPARE(document[QStringLiteral("plans")].toArray().size(), 1);
        QCOMPARE(document[QStringLiteral("plans")][0], m_found[QStringLiteral("plans")][1]);
        for (const char* key : {"problem_hash", "planner", "lower_bound_s", "bound", "work", "status"})
            QVERIFY2(document[QLatin1String(key)] == m_found[QLatin1String(key)], key);
        // Three, and one of each difference behind them at most.
        QCOMPARE(runCli(words("evaluate --json --plan") + QStringList{m_plan + QStringLiteral(":10")}).code,
                 2);
    }

    // Beside the best plans stand those that differ, under the numbers behind theirs.
    void plansThatDifferAreCountedOn() {
        const QJsonArray plans = m_found[QStringLiteral("plans")].toArray(),
                         differing = m_found[QStringLiteral("differing")].toArray();
        QCOMPARE(plans.size(), 3);
        QVERIFY(!differing.isEmpty());
        for (int d = 0; d < differing.size(); ++d) {
            QVERIFY(!differing[d][QStringLiteral("differs")].toArray().isEmpty());
            QVERIFY(differing[d][QStringLiteral("runs_with")].isArray());
            const QString argument = QStringLiteral("%1:%2").arg(m_plan).arg(plans.size() + d + 1);
            const CliRun run = runCli(words("evaluate --json --plan") + QStringList{argument});
            QVERIFY2(run.code == 0, run.err + run.out.left(2000));
            QCOMPARE(run.json()[QStringLiteral("plans")][0], differing[d]);
            QCOMPARE(runCli(words("compare --json") + QStringList{m_plan, argument}).code, 0);
        }
        const QString behind = QStringLiteral("%1:%2").arg(m_plan).arg(plans.size() + differing.size() + 1);
        QCOMPARE(runCli(words("evaluate --json --plan") + QStringList{behind}).code, 2);
        const CliRun text = runCli(words("plan --top 3 --work 100000") + problemFlags());
        const qsizetype at =
            text.out.indexOf("\nplans that differ from plan 1, and what each costs in time:\n");
        QVERIFY2(at > 0 && text.out.indexOf("\nplan 1: ") > at, text.out.left(3000));
        const QByteArray block = text.out.mid(at, text.out.indexOf("\nplan 1: ") - at);
        const double first = plans[0][QStringLiteral("iteration_s")].toDouble();
        for (const QJsonValue plan : differing) {
            const double slower = plan[QStringLiteral("iteration_s")].toDouble() / first - 1.0;
            const QByteArray cost = QByteArray::number(100 * slower, 'f', 1) + " %";
            QVERIFY2(block.contains(cost), block + cost);
        }
        // The list is as long as it was asked to be, with and without them.
        const CliRun one = runCli(words("plan --json --top 1 --work 100000") + problemFlags());
        QCOMPARE(one.json()[QStringLiteral("plans")].toArray().size(), 1);
        QVERIFY(!one.json()[QStringLiteral("differing")].toArray().isEmpty());
    }

    // What the search said of itself comes with its first plan; that it is the best of what was searched, or
    // that the search was proven, is not said of another one.
    void evaluateRepeatsWhatTheSearchSaid() {
        const QString file = m_files.path("whole.json");
        for (const char* planner : {"pipewright", "megatron", "haap"}) {
            const CliRun run =
                runCli(words("plan --json --top 2 --work 20000 --without init --planner") +
                       QStringList{QLatin1String(planner), QStringLiteral("--out"), file} + problemFlags());
            QVERIFY2(run.code == 0, run.err);
            QJsonObject found = run.json();
            QCOMPARE(found[QStringLiteral("optimal_in_own_space")].toBool(),
                     planner == QLatin1String("megatron"));
            for (const char* plan : {"", ":2"}) {
                const CliRun judged =
                    runCli(words("evaluate --json --plan") + QStringList{file + QLatin1String(plan)});
                QVERIFY2(judged.code == 0, judged.err);
                for (const char* key :
                     {"planner", "without", "seed", "time_limit", "wall_s", "work", "evaluated", "cache",
                      "operator_evaluations", "rejected", "search", "notes"})
                    QVERIFY2(judged.json()[QLatin1String(key)] == found[QLatin1String(key)], key);
                QCOMPARE(judged.json()[QStringLiteral("optimal_in_own_space")].toBool(),
                         *plan == 0 && found[QStringLiteral("optimal_in_own_space")].toBool());
            }
        }
    }

    // Bands and ties in the text as in the document, and the cases that they rest on.
    void plansSayWhatTheyAreWorth() {
        const CliRun evaluated = runCli(words("evaluate --plan") + QStringList{m_plan});
        QCOMPARE(evaluated.code, 0);
        QVERIFY2(evaluated.out.contains("\n  expected ") && evaluated.out.contains("(80 %)"), evaluated.out);
        const QJsonArray plans = m_found[QStringLiteral("plans")].toArray();
        const QJsonArray against = m_found[QStringLiteral("against_first")].toArray();
        QCOMPARE(against.size(), plans.size() - 1);
        for (const QJsonValue plan : plans) {
            const QJsonValue expected = plan[QStringLiteral("expected")];
            QVERIFY(expected[QStringLiteral("low_s")].toDouble() > 0);
            QVERIFY(expected[QStringLiteral("high_s")].toDouble() >
                    expected[QStringLiteral("low_s")].toDouble());
            QVERIFY(!expected[QStringLiteral("nearest")].toArray().isEmpty());
        }
        const auto ties = std::count_if(against.begin(), against.end(), [](const QJsonValue& other) {
            return other[QStringLiteral("tie")].toBool();
        });
        const CliRun table = runCli(words("plan --top 3") + problemFlags());
        QVERIFY(table.out.contains("beside plan 1"));
        QCOMPARE(table.out.count("  tie  "), static_cast<qsizetype>(ties));
    }

    // The best plan of this sample fits with some 60 %; surer ones are slower, and judged alike when read
    // back.
    void plansFitWithTheChanceThatIsAskedFor() {
        const QString file = m_files.path("sure.json");
        double before = 0.0;
        for (const double chance : {0.5, 0.9, 0.99}) {
            const CliRun run =
                runCli(words("plan --json --fit-chance") +
                       QStringList{QString::number(chance), QStringLiteral("--out"), file,
                                   QStringLiteral("--project"), sample("projects/mixed-16.pwx")});
            QVERIFY2(run.code == 0, run.err);
            const QJsonArray plans = run.json()[QStringLiteral("plans")].toArray();
            QVERIFY(!plans.isEmpty());
            for (const auto& plan : plans)
                QVERIFY(plan[QStringLiteral("fit_chance")].toDouble() >= chance);
            const double time = plans.first()[QStringLiteral("iteration_s")].toDouble();
            QVERIFY(time > before);
            before = time;
            QCOMPARE(runCli(words("evaluate --json --plan") + QStringList{file})
                         .json()[QStringLiteral("plans")][0],
                     plans.first());
        }
        // Asked to be surer than it is, a plan no longer fits, and says of what chance it falls short.
        const CliRun judged = runCli(words("evaluate --json --fit-chance 0.999 --plan") + QStringList{file});
        const QJsonValue plan = judged.json()[QStringLiteral("plans")][0];
        QVERIFY(!plan[QStringLiteral("feasible")].toBool());
        QVERIFY2(judged.out.contains("that fit with 99.9 %"), judged.out.left(2000));
    }

    void flagsReplacePartsOfAPlansProblem() {
        const CliRun run = runCli(words("evaluate --json --reserve 12GiB --plan") + QStringList{m_plan});
        QCOMPARE(run.code, 3);
        QVERIFY(!run.error()[QStringLiteral("reasons")].toArray().isEmpty());
        QVERIFY(run.json()[QStringLiteral("problem_hash")] != m_found[QStringLiteral("problem_hash")]);
        QCOMPARE(run.json()[QStringLiteral("lower_bound_s")].toDouble(),
                 0.0); // the old proof is of another problem
    }

    void simulateSaysWhyStagesStandStill() {
        const QString trace = m_files.path("trace.json");
        const CliRun run =
            runCli(words("simulate --json --plan") + QStringList{m_plan, QStringLiteral("--trace"), trace});
        QCOMPARE(run.code, 0);
        const QJsonArray idle = run.json()[QStringLiteral("idle")].toArray();
        QCOMPARE(idle.size(),
                 m_found[QStringLiteral("plans")][0][QStringLiteral("pipelines")][0][QStringLiteral("stages")]
                     .toArray()
                     .size());
        QVERIFY(QJsonDocument::fromJson(contents(trace)).object().contains(QStringLiteral("traceEvents")));
    }

    void exportWritesOrRefuses() {
        const QStringList plan = {QStringLiteral("--plan"), m_plan, QStringLiteral("--out")};
        const QString good = m_files.path("good"), bad = m_files.path("bad");
        QCOMPARE(runCli(words("export --json --format chrome-trace") + plan + QStringList{good}).code, 0);
        QVERIFY(QFileInfo::exists(good + QStringLiteral("/trace.json")));
        QCOMPARE(runCli(words("export --format papyrus") + plan + QStringList{bad}).code, 2);
        QJsonObject eager = m_found;
        QByteArray text = QJsonDocument(eager).toJson();
        text.replace("\"kind\": \"h1f1b\"", "\"kind\": \"eager\"")
            .replace("\"kind\": \"1f1b\"", "\"kind\": \"eager\"");
        const QString other = m_files.write("eager.json", text);
        const CliRun run = runCli(words("export --json --format flagscale") +
                                  QStringList{QStringLiteral("--plan"), other, QStringLiteral("--out"), bad});
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("E_SCHEDULE"));
        const QJsonObject hint = run.error()[QStringLiteral("details")].toArray().last().toObject();
        QCOMPARE(hint[QStringLiteral("code")].toString(), QStringLiteral("export.other_formats"));
        QVERIFY(hint[QStringLiteral("params")][QStringLiteral("formats")].toString().contains(
            QStringLiteral("csv")));
        QVERIFY(!QFileInfo::exists(bad));
    }

    void exportKeepsFilesChangedByHand() {
        const QString folder = m_files.path("kept"), file = folder + QStringLiteral("/trace.json");
        const QStringList ask = words("export --json --format chrome-trace --plan") +
                                QStringList{m_plan, QStringLiteral("--out"), folder};
        QCOMPARE(runCli(ask).code, 0);
        QCOMPARE(runCli(ask).code, 0); // its own, unchanged
        const QByteArray exported = contents(file);
        m_files.write("kept/trace.json", "mine");
        const CliRun refused = runCli(ask);
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.error()[QStringLiteral("code")].toString(), QStringLiteral("export.changed"));
        QCOMPARE(contents(file), QByteArray("mine"));
        QCOMPARE(runCli(ask + QStringList{QStringLiteral("--force")}).code, 0);
        QCOMPARE(contents(file), exported);
    }

    // Whatever is asked for, the file with all plans is not written over by that of one.
    void exportNeverWritesOverWhatItReads() {
        QVERIFY(QDir().mkpath(m_files.path("own")));
        const QString file = m_files.path("own/plan.json");
        QVERIFY(QFile::copy(m_plan, file));
        const QByteArray before = contents(file);
        for (const char* number : {"", ":1"}) {
            const CliRun run = runCli(words("export --json --format runner --force --plan") +
                                      QStringList{file + QString::fromLatin1(number), QStringLiteral("--out"),
                                                  m_files.path("own")});
            QVERIFY2(run.code == 2, run.out);
            QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("--out"));
            QCOMPARE(contents(file), before);
        }
        const CliRun improved =
            runCli(words("improve --tries 1 --json --plan") +
                   QStringList{file + QStringLiteral(":1"), QStringLiteral("--out"), file});
        QVERIFY2(improved.code == 2, improved.out);
        QCOMPARE(contents(file), before);
    }

    // What every format makes of the plan, feature by feature, and what each takes instead.
    void exportListsWhatFormatsCanDo() {
        const CliRun run = runCli(words("export --list --json --plan") + QStringList{m_plan});
        QVERIFY2(run.code == 0, run.out);
        QSet<QString> formats;
        for (const QJsonValue target : run.json()[QStringLiteral("targets")].toArray()) {
            formats.insert(target[QStringLiteral("format")].toString());
            const bool taken = target[QStringLiteral("expressible")].toBool();
            QCOMPARE(target[QStringLiteral("refusals")].toArray().isEmpty(), taken);
            QVERIFY(!target[QStringLiteral("releases")].toArray().isEmpty());
            QVERIFY(target[QStringLiteral("features")].toObject().size() > 20);
        }
        QVERIFY(formats.contains(QStringLiteral("megatron")) && formats.contains(QStringLiteral("plan")));
        QCOMPARE(runCli(words("export --format plan --plan") + QStringList{m_plan}).code, 2); // no --out
        QCOMPARE(runCli(words("export --format megatron --release 1.0 --plan") +
                        QStringList{m_plan, QStringLiteral("--out"), m_files.path("release")})
                     .code,
                 2);
    }

    void aPlanChangedByHandIsOfNoSearch() {
        QByteArray text = contents(m_plan);
        const QByteArray recompute = "\"mode\": \"none\"";
        const qsizetype at = text.indexOf(recompute, text.indexOf("\"plans\": ["));
        QVERIFY(at > 0);
        text.replace(at, recompute.size(), "\"mode\": \"full\"");
        const CliRun run =
            runCli(words("evaluate --json --plan") + QStringList{m_files.write("by hand.json", text)});
        QCOMPARE(run.code, 0);
        const QJsonObject document = run.json();
        QCOMPARE(document[QStringLiteral("problem_hash")], m_found[QStringLiteral("problem_hash")]);
        QCOMPARE(document[QStringLiteral("planner")].toString(), QStringLiteral("hand-written"));
        QCOMPARE(document[QStringLiteral("status")].toString(), QStringLiteral("feasible"));
        QCOMPARE(document[QStringLiteral("wall_s")].toDouble(), 0.0);
        QCOMPARE(document[QStringLiteral("work")].toDouble(), 0.0);
        QVERIFY(document[QStringLiteral("plans")][0][QStringLiteral("plan_hash")] !=
                m_found[QStringLiteral("plans")][0][QStringLiteral("plan_hash")]);
    }

    void everyFaultOfAPlanIsToldOnce() {
        QByteArray text = contents(m_plan);
        text.replace("\"microbatches\": ", "\"microbatches\": 7");
        const CliRun run =
            runCli(words("evaluate --json --plan") + QStringList{m_files.write("faulty.json", text)});
        QCOMPARE(run.code, 2);
        const QString first = run.error()[QStringLiteral("where")].toString() + QStringLiteral(": ") +
                              run.error()[QStringLiteral("message")].toString();
        const QJsonArray reasons = run.error()[QStringLiteral("reasons")].toArray();
        QVERIFY(!reasons.isEmpty());
        QVERIFY2(!reasons.contains(first), run.out.constData());
    }

    void roundingIsNoTime() {
        for (const QJsonValue plan : m_found[QStringLiteral("plans")].toArray()) {
            const QJsonObject time = plan[QStringLiteral("time")].toObject();
            for (const QString& part : time.keys())
                QVERIFY2(time[part].toDouble() == 0.0 || time[part].toDouble() >= 1e-12, qPrintable(part));
        }
    }

    // A misspelt key must not silently be its default.
    void unknownKeysAreNamed() {
        const auto misspelt = [](const QString& file, const QByteArray& key, const QByteArray& as) {
            QByteArray text = contents(file);
            const qsizetype at = text.indexOf('"' + key + '"');
            return text.replace(at, key.size() + 2, '"' + as + '"');
        };
        const QString cluster =
            m_files.write("misspelt.json", misspelt(sample("clusters/mixed-16.json"), "latency", "latancy"));
        const QString model =
            m_files.write("model.json", misspelt(sample("models/llama3-8b.json"), "rms_norm", "rmsnorm"));
        const QString project =
            m_files.write("recipe.pwx", misspelt(sample("projects/mixed-16.pwx"), "reserve", "resreve"));
        const QString plan = m_files.write("misspelt-plan.json", misspelt(m_plan, "partition", "partitoin"));
        for (const auto& [arguments, place] :
             {std::pair(words("cluster --json") + QStringList{cluster}, "/latancy"),
              std::pair(words("model --json") + QStringList{model}, "model.json#/rmsnorm"),
              std::pair(words("model --json --project") + QStringList{project}, "recipe.pwx#/recipe/resreve"),
              std::pair(words("evaluate --json --plan") + QStringList{plan}, "/partitoin")}) {
            const CliRun run = runCli(arguments);
            QVERIFY2(run.code == 0, run.out.left(500) + run.err);
            QVERIFY2(run.err.contains(QByteArray("warning: ")) && run.err.contains(place), run.err);
            bool noted = false;
            for (const QJsonValue note : run.json()[QStringLiteral("notes")].toArray())
                noted = noted || (note[QStringLiteral("code")].toString() == QLatin1String("json.unknown") &&
                                  note[QStringLiteral("where")].toString().contains(QLatin1String(place)));
            QVERIFY2(noted, place);
        }
    }

    // What this program writes, and what its samples hold, it knows.
    void ownFilesHaveNoUnknownKeys() {
        std::vector<QStringList> commands = {words("evaluate --plan") + QStringList{m_plan},
                                             words("evaluate --plan") +
                                                 QStringList{sample("plans/measured-16-uniform.json")}};
        for (const auto& [command, folder] :
             {std::pair("cluster", "clusters"), {"model", "models"}, {"cluster --project", "projects"}})
            for (const QFileInfo& file : QDir(sample(folder)).entryInfoList(QDir::Files))
                if (file.suffix() == QLatin1String("json") || file.suffix() == QLatin1String("pwx"))
                    commands.push_back(words(command) + QStringList{file.absoluteFilePath()});
        QVERIFY(commands.size() > 8);
        for (const QStringList& command : commands) {
            const CliRun run = runCli(command);
            QVERIFY2(run.code == 0 && !run.err.contains("is not a key"), run.err.constData());
        }
    }

private:
    CliFiles m_files;
    QString m_plan;
    QJsonObject m_found;
};

QTEST_GUILESS_MAIN(CliPlansTest)
#include "cli_plans_test.moc"
