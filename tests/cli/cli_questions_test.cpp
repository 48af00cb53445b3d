// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_files.h"
#include "tests/cli/cli_run.h"
#include "tests/project/small_project.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

#include <algorithm>
#include <cmath>

#include <csignal>

// What is asked of a search on the command line, and how it ends.
class CliQuestionsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_files.isValid()); }

    void deadlineIsMetByTheFewestGpus() {
        const QStringList small = QStringList{QStringLiteral("--cluster"), sample("clusters/mixed-16.json"),
                                              QStringLiteral("--model"), sample("models/gpt3-1.3b.json")} +
                                  words("--gbs 256 --seq 2048");
        const CliRun met = runCli(words("plan --json --deadline 4000ms") + small);
        QVERIFY2(met.code == 0, met.err + met.out.left(2000));
        const QJsonObject answer = met.json()[QStringLiteral("deadline")].toObject();
        QVERIFY(answer[QStringLiteral("met")].toBool());
        QVERIFY(answer[QStringLiteral("set")][QStringLiteral("gpus")].toInt() < 16);
        const QJsonObject first = met.json()[QStringLiteral("plans")][0].toObject();
        QVERIFY(first[QStringLiteral("iteration_s")].toDouble() <= 4.0);

        const CliRun missed = runCli(words("plan --json --deadline 0.5") + small);
        QCOMPARE(missed.code, 3);
        QCOMPARE(missed.error()[QStringLiteral("code")].toString(), QStringLiteral("deadline.not_met"));
        QVERIFY(!missed.error()[QStringLiteral("reasons")].toArray().isEmpty());
        QCOMPARE(missed.json()[QStringLiteral("deadline")][QStringLiteral("extra_nodes")].toArray().size(),
                 2);

        QCOMPARE(runCli(words("plan --json --deadline 0") + small).code, 2);
        QCOMPARE(runCli(words("plan --json --planner all --deadline 4") + small).code, 2);
    }

    void answersStandBesideThePlans() {
        const CliRun run = runCli(words("plan --json --answers --project") +
                                  QStringList{sample("projects/measured-16.pwx")});
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonObject answers = run.json()[QStringLiteral("answers")].toObject();
        for (const char* key :
             {"order", "measurements", "slow_node", "lost_node", "extra_node", "faster_links"})
            QVERIFY2(!answers[QLatin1String(key)].toArray().isEmpty(), key);
        QVERIFY(answers[QStringLiteral("measurements")].toArray().size() <= 5);
        const CliRun text =
            runCli(words("plan --answers --project") + QStringList{sample("projects/measured-16.pwx")});
        QVERIFY(text.out.contains("how sure the order is"));
        QVERIFY(text.out.contains("a node lost"));
    }

    void objectivesGiveAParetoFront() {
        const CliRun unpriced = runCli(words("plan --json --objective money") + problemFlags());
        QCOMPARE(unpriced.code, 3);
        QVERIFY(unpriced.error()[QStringLiteral("where")].toString().contains(QStringLiteral("A100")));
        const CliRun run = runCli(words("plan --json --objective money --price A100-40=2,V100-16=0.5") +
                                  problemFlags("models/gpt3-1.3b.json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonObject pareto = run.json()[QStringLiteral("pareto")].toObject();
        QCOMPARE(pareto[QStringLiteral("points")].toArray().size(),
                 run.json()[QStringLiteral("plans")].toArray().size());
        QCOMPARE(runCli(words("plan --price A100-40=free") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --price Z9=1") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --objective fame") + problemFlags()).code, 2);
    }

    void constraintsHold() {
        const CliRun run =
            runCli(words("plan --json --require n3 --max-tp 2") + problemFlags("models/gpt3-1.3b.json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonArray plans = run.json()[QStringLiteral("plans")].toArray();
        QVERIFY(!plans.isEmpty());
        for (const QJsonValue plan : plans) {
            bool n3 = false;
            for (const QJsonValue memory : plan[QStringLiteral("peak_memory")].toArray())
                n3 = n3 || memory[QStringLiteral("device")].toString().startsWith(QStringLiteral("n3."));
            QVERIFY(n3);
            for (const QJsonValue stage :
                 plan[QStringLiteral("pipelines")][0][QStringLiteral("stages")].toArray())
                QVERIFY(stage[QStringLiteral("tp")].toInt() <= 2);
        }
        QCOMPARE(runCli(words("plan --require n9") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --require n3 --forbid n3") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --require n3 --deadline 9") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --max-tp none") + problemFlags()).code, 2);
    }

    // A price and a deadline: the cheapest plan that is fast enough, where the fastest costs more.
    void theCheapestWithinADeadline() {
        const QStringList money =
            words("--objective money --price A100-40=2,V100-16=0.5") + problemFlags("models/gpt3-1.3b.json");
        const CliRun whole = runCli(words("plan --json") + money);
        QVERIFY2(whole.code == 0, whole.err + whole.out.left(2000));
        const QJsonArray front = whole.json()[QStringLiteral("pareto")][QStringLiteral("points")].toArray();
        QVERIFY(front.size() >= 2);
        const double time = front[1][QStringLiteral("iteration_s")].toDouble();
        const QStringList asked = QStringList{QStringLiteral("plan"), QStringLiteral("--deadline"),
                                              QString::number(time, 'g', 17)} +
                                  money;
        const CliRun run = runCli(asked + words("--json"));
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        const QJsonObject pareto = run.json()[QStringLiteral("pareto")].toObject();
        QCOMPARE(pareto[QStringLiteral("deadline_s")].toDouble(), time);
        QVERIFY(pareto[QStringLiteral("in_time")].toInt() > 0);
        const QJsonArray points = pareto[QStringLiteral("points")].toArray();
        QVERIFY(!points.isEmpty());
        for (const QJsonValue point : points)
            QVERIFY(point[QStringLiteral("iteration_s")].toDouble() <= time);
        QVERIFY(points[0][QStringLiteral("value")].toDouble() <=
                front[1][QStringLiteral("value")].toDouble());
        QVERIFY(!run.json().contains(QStringLiteral("deadline")));
        const CliRun text = runCli(asked);
        QVERIFY2(text.out.contains("\nplan 1 is the cheapest of these"), text.out.left(2000));

        const CliRun missed = runCli(words("plan --json --deadline 1us") + money);
        QCOMPARE(missed.code, 3);
        QCOMPARE(missed.error()[QStringLiteral("code")].toString(), QStringLiteral("deadline.not_met"));
        QVERIFY(!missed.error()[QStringLiteral("reasons")].toArray().isEmpty());
        const CliRun unpriced = runCli(words("plan --json --deadline 9 --objective money") + problemFlags());
        QCOMPARE(unpriced.code, 3);
        QCOMPARE(unpriced.error()[QStringLiteral("code")].toString(), QStringLiteral("objective.price"));
    }

    // Two things that do not go together are refused with the place of the one and the name of the other.
    void aClashOfQuestionsNamesBoth() {
        const CliRun run = runCli(words("plan --json --require n3 --deadline 9") + problemFlags());
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("usage"));
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("--require"));
        QVERIFY(run.error()[QStringLiteral("message")].toString().contains(QStringLiteral("--deadline")));
    }

    // Predictions and published figures stand side by side and are told apart.
    void partitionStandsBesideTensorParallelism() {
        const QStringList question =
            words("partition --gbs 8 --seq 2048 --precision fp32 --blocks 2 --cluster") +
            QStringList{sample("clusters/v100-32.json"), QStringLiteral("--model"),
                        sample("models/opt-175b.json")};
        const QStringList published = {QStringLiteral("--published"), sample("published/primepar.json"),
                                       QStringLiteral("--gpus"), QStringLiteral("8,2")};
        const CliRun run = runCli(question + published + words("--json"));
        QCOMPARE(run.code, 0);
        const QJsonArray groups = run.json()[QStringLiteral("groups")].toArray();
        QCOMPARE(groups.size(), 2);
        const QJsonObject eight = groups[0].toObject(), two = groups[1].toObject();
        QCOMPARE(eight[QStringLiteral("published_gain")].toDouble(), 1.35);
        QVERIFY(two[QStringLiteral("published_gain")].isNull());
        const double gain = eight[QStringLiteral("predicted_gain")].toDouble();
        QVERIFY(gain >= 1.0 && gain != 1.35);
        double best = 1e300;
        for (const QJsonValue other : eight[QStringLiteral("tensor_parallel")].toArray())
            if (!other[QStringLiteral("sequence_parallel")].toBool() &&
                other[QStringLiteral("fits")].toBool())
                best = std::min(best, other[QStringLiteral("seconds")].toDouble());
        const QJsonObject partition = eight[QStringLiteral("partition")].toObject();
        QVERIFY(std::abs(best / partition[QStringLiteral("seconds")].toDouble() / gain - 1.0) < 1e-12);
        QCOMPARE(run.json()[QStringLiteral("published")][QStringLiteral("model")].toString(),
                 QStringLiteral("OPT 175B"));
        const CliRun text = runCli(question + published);
        QVERIFY(text.out.contains("predicted gain") && text.out.contains("published gain"));

        QCOMPARE(runCli(question + words("--gpus 64")).code, 2);
        const CliRun six = runCli(question + words("--gpus 6 --json"));
        QCOMPARE(six.code, 3);
        QCOMPARE(six.error()[QStringLiteral("code")].toString(), QStringLiteral("partition.devices"));
        QCOMPARE(runCli(question + QStringList{QStringLiteral("--published"), sample("README.md")}).code, 2);
    }

    // A published figure stands beside its prediction, with its place and what was assumed, and is never
    // called the program's own.
    void reproducePrintsWhatWasPublished() {
        const CliRun list = runCli(words("reproduce list --json"));
        QCOMPARE(list.code, 0);
        QVERIFY(list.json()[QStringLiteral("papers")].toArray().size() >= 9);
        const CliRun run = runCli(words("reproduce zero-bubble --json"));
        QCOMPARE(run.code, 0);
        const QJsonArray rows = run.json()[QStringLiteral("rows")].toArray();
        QVERIFY(rows.size() > 20);
        const QJsonObject first = rows[0].toObject();
        QCOMPARE(first[QStringLiteral("paper")].toString(), QStringLiteral("zero-bubble"));
        QVERIFY(std::abs(first[QStringLiteral("predicted")].toDouble() - 700.0 / 24.0) < 1e-6);
        QVERIFY(!first[QStringLiteral("where")].toString().isEmpty());
        QVERIFY(!first[QStringLiteral("differs")].toBool());
        const CliRun text = runCli(words("reproduce zero-bubble"));
        QVERIFY(text.out.contains("predicted") && text.out.contains("published") &&
                text.out.contains("assumed:"));

        const CliRun unknown = runCli(words("reproduce nothing --json"));
        QCOMPARE(unknown.code, 2);
        QVERIFY(unknown.error()[QStringLiteral("message")].toString().contains("harp"));
        const CliRun broken =
            runCli(words("reproduce") + QStringList{sample("models/opt-350m.json"), "--json"});
        QCOMPARE(broken.code, 2);
        QCOMPARE(broken.error()[QStringLiteral("code")].toString(), QStringLiteral("published.schema"));
    }

    void aTargetIsAConstraintOfTheSearch() {
        const QString file = m_files.path("runnable.json");
        const CliRun run =
            runCli(words("plan --json --target flagscale --out") + QStringList{file} + problemFlags());
        QVERIFY2(run.code == 0, run.out.left(3000));
        QCOMPARE(run.json()[QStringLiteral("target")][QStringLiteral("format")].toString(),
                 QStringLiteral("flagscale"));
        QVERIFY(run.json()[QStringLiteral("target")][QStringLiteral("unrestricted_s")].toDouble() > 0.0);
        for (const QJsonValue plan : run.json()[QStringLiteral("plans")].toArray())
            QCOMPARE(plan[QStringLiteral("pipelines")][0][QStringLiteral("schedule")][QStringLiteral("kind")]
                         .toString(),
                     QStringLiteral("1f1b"));
        const CliRun exported = runCli(words("export --json --format flagscale --plan") +
                                       QStringList{file, QStringLiteral("--out"), m_files.path("runnable")});
        QVERIFY2(exported.code == 0, exported.out);
        QVERIFY(QFileInfo::exists(m_files.path("runnable/hostfile")));
        QCOMPARE(runCli(words("plan --target papyrus") + problemFlags()).code, 2);
    }

    void aTargetLooksBeyondTheBestPlan() {
        QStringList flags = problemFlags("models/gpt3-1.3b.json");
        const CliRun free = runCli(words("plan --json --zero 0 --top 1") + flags);
        const CliRun run = runCli(words("plan --json --zero 0 --target flagscale --top 1") + flags);
        QVERIFY2(run.code == 0, run.out.left(3000));
        QCOMPARE(run.json()[QStringLiteral("plans")].toArray().size(), 1);
        const auto time = [](const CliRun& r) {
            return r.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble();
        };
        QVERIFY(time(run) >= time(free));
        QVERIFY(run.json()[QStringLiteral("status")].toString() != QLatin1String("optimal"));
    }

    void allPlannersInOneTable() {
        const QString file = m_files.path("all.json");
        const QStringList flags = problemFlags("models/gpt3-1.3b.json");
        const CliRun run =
            runCli(words("plan --json --planner all --work 20000 --out") + QStringList{file} + flags);
        QVERIFY2(run.code == 0, run.out.left(3000));
        const QJsonArray rows = run.json()[QStringLiteral("tournament")].toArray();
        const QJsonArray plans = run.json()[QStringLiteral("plans")].toArray();
        QVERIFY(rows.size() >= 3 && plans.size() >= 2);
        int refused = 0;
        for (const QJsonValue row : rows) {
            const bool found = row.toObject().contains(QStringLiteral("plan"));
            QCOMPARE(row[QStringLiteral("refusal")].toString().isEmpty(), found);
            refused += !found;
        }
        QVERIFY(refused >= 1); // 16 GPUs are too many to try every plan
        // Each plan comes back under its planner's name.
        for (int k = 0; k < plans.size(); ++k) {
            const CliRun again = runCli(words("evaluate --json --plan") +
                                        QStringList{QStringLiteral("%1:%2").arg(file).arg(k + 1)});
            QCOMPARE(again.code, 0);
            QCOMPARE(again.json()[QStringLiteral("planner")], plans[k][QStringLiteral("planner")]);
            QCOMPARE(again.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")],
                     plans[k][QStringLiteral("iteration_s")]);
        }
        const CliRun text = runCli(words("plan --planner all --work 20000") + flags);
        QCOMPARE(text.code, 0);
        const qsizetype without = text.out.indexOf("without a plan:");
        QVERIFY2(without > 0, text.out.left(3000));
        QVERIFY2(text.out.indexOf("Exhaustive: 16 GPUs and 24 blocks") > without, text.out.left(3000));
        // Infeasible for every planner: the reasons of all.
        const CliRun none =
            runCli(words("plan --json --planner all --work 2000") + problemFlags("models/llama3-70b.json"));
        QCOMPARE(none.code, 3);
        QVERIFY(none.error()[QStringLiteral("reasons")].toArray().size() >= 3);
    }

    // Each planner, and behind it the same without each of its parts.
    void ablationsInTheSameTable() {
        QCOMPARE(runCli(words("plan --ablations") + problemFlags()).code, 2);
        const CliRun run =
            runCli(words("plan --json --planner all --ablations --work 2000") + problemFlags());
        QVERIFY2(run.code == 0, run.out.left(3000));
        QStringList labels;
        for (const QJsonValue row : run.json()[QStringLiteral("tournament")].toArray())
            labels << row[QStringLiteral("label")].toString();
        const qsizetype whole = labels.indexOf(QLatin1String("AutoHAAP-style"));
        QCOMPARE(labels.mid(whole, 4),
                 QStringList({QStringLiteral("AutoHAAP-style"), QStringLiteral("AutoHAAP-style without init"),
                              QStringLiteral("AutoHAAP-style without cache"),
                              QStringLiteral("AutoHAAP-style without bound")}));
    }

    void anEnumerationLeavesNoProof() {
        const QString file = m_files.path("enumerated.json");
        const CliRun found =
            runCli(words("plan --json --top 1 --mbs 16 --forbid n2,n3,n1.g2,n1.g3,n1.g4,n1.g5,n1.g6,"
                         "n1.g7 --planner exhaustive --out") +
                   QStringList{file} + problemFlags("models/opt-350m.json"));
        QVERIFY2(found.code == 0, found.out.left(2000));
        QCOMPARE(found.json()[QStringLiteral("status")].toString(), QStringLiteral("optimal"));
        const CliRun run = runCli(words("evaluate --json --plan") + QStringList{file});
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()[QStringLiteral("status")].toString(), QStringLiteral("feasible"));
        QCOMPARE(run.json()[QStringLiteral("lower_bound_s")].toDouble(), 0.0);
        QCOMPARE(run.json()[QStringLiteral("planner")].toString(), QStringLiteral("exhaustive"));
    }

    // What a plan shards beyond the optimiser stands in its table, and there alone.
    void furtherShardingIsShown() {
        const QStringList asked = words("plan --gbs 64 --seq 4096 --top 1 --project") +
                                  QStringList{sample("projects/one-node-8.pwx"), QStringLiteral("--model"),
                                              sample("models/llama2-7b.json"), QStringLiteral("--out")};
        for (const auto& [zero, shown] : {std::pair("auto", true), {"1", false}}) {
            const QString file = m_files.path(zero);
            const CliRun found =
                runCli(asked + QStringList{file, QStringLiteral("--zero"), QLatin1String(zero)});
            QCOMPARE(found.code, 0);
            QVERIFY2(found.out.contains("  8, ZeRO 2\n") == shown, found.out.constData());
            const CliRun run = runCli(words("evaluate --plan") + QStringList{file});
            QCOMPARE(run.code, 0);
            QCOMPARE(run.out.contains("  ZeRO  "), shown);
        }
    }

    // A file's bound is proven again for what it speaks of: one from before whole experts were laid over
    // tensor-parallel ranks says nothing of a plan that lays them so.
    void aBoundOfFewerPlansSaysNothingOfOthers() {
        const QString file = m_files.path("folded.json");
        QJsonObject model = QJsonDocument::fromJson(contents(sample("models/mixtral-8x7b.json"))).object();
        for (const auto& [key, value] : {std::pair("blocks", 16), {"hidden", 2048}, {"kv_heads", 4}})
            model[QLatin1String(key)] = value;
        model[QStringLiteral("experts")] = QJsonObject{
            {QStringLiteral("count"), 128}, {QStringLiteral("per_token"), 8}, {QStringLiteral("ffn"), 768}};
        const CliRun found =
            runCli(words("plan --json --top 1 --gbs 2 --seq 4096 --zero 1 --work 20000 "
                         "--forbid n2,n3,n4,n5,n6,n7,n8 --out") +
                   QStringList{file, QStringLiteral("--cluster"), sample("clusters/mixed-64.json"),
                               QStringLiteral("--model"),
                               m_files.write("experts.json", QJsonDocument(model).toJson())});
        QVERIFY2(found.code == 0, found.out.left(2000));
        QJsonObject document = found.json();
        QJsonObject bound = document[QStringLiteral("bound")].toObject();
        QJsonObject scope = bound[QStringLiteral("scope")].toObject();
        QVERIFY(scope[QStringLiteral("fold_experts")].toBool() &&
                bound[QStringLiteral("certificate")].isObject());
        const CliRun again = runCli(words("evaluate --json --plan") + QStringList{file});
        QCOMPARE(again.json()[QStringLiteral("lower_bound_s")].toDouble(),
                 document[QStringLiteral("lower_bound_s")].toDouble());
        QVERIFY(again.json()[QStringLiteral("bound")][QStringLiteral("covers_best")].toBool());
        scope.remove(QStringLiteral("fold_experts"));
        bound[QStringLiteral("scope")] = scope;
        document[QStringLiteral("bound")] = bound;
        m_files.write("older.json", QJsonDocument(document).toJson());
        const CliRun older =
            runCli(words("evaluate --json --plan") + QStringList{m_files.path("older.json")});
        QCOMPARE(older.code, 0);
        QVERIFY(!older.json()[QStringLiteral("bound")][QStringLiteral("covers_best")].toBool());
        QVERIFY(older.json()[QStringLiteral("gap")].isNull());
    }

    void noSearchIsLostForWantOfAPlace() {
        for (const QString& out : {m_files.path("."), m_files.path("missing/plan.json")}) {
            const CliRun run = runCli(words("plan --json --planner pipewright --work 1000000000000 --out") +
                                      QStringList{out} + problemFlags());
            QCOMPARE(run.code, 2); // before the search, which would take hours
            QVERIFY(run.error()[QStringLiteral("where")].toString() == out);
        }
        const CliRun full = runCli(words("plan --json --top 1 --out /dev/full") + problemFlags());
        QCOMPARE(full.code, 1);
        QCOMPARE(full.json()[QStringLiteral("plans")].toArray().size(), 1);
    }

    void whatCannotFitIsInfeasible() {
        const CliRun run = runCli(words("plan --json") + problemFlags("models/llama3-70b.json"));
        QCOMPARE(run.code, 3);
        QVERIFY(!run.error()[QStringLiteral("reasons")].toArray().isEmpty());
    }

    void forbiddenDevicesStayUnused() {
        const CliRun run = runCli(words("plan --json --top 1 --forbid n3,n2.g0") + problemFlags());
        QCOMPARE(run.code, 0);
        for (const QJsonValue m :
             run.json()[QStringLiteral("plans")][0][QStringLiteral("peak_memory")].toArray()) {
            const QString device = m[QStringLiteral("device")].toString();
            QVERIFY2(!device.startsWith(QLatin1String("n3.")) && device != QLatin1String("n2.g0"),
                     qPrintable(device));
        }
        QCOMPARE(runCli(words("plan --json --forbid n9") + problemFlags()).code, 2);
    }

    void aTimeLimitIsABudget() {
        CliRun text, json;
        for (const char* seconds : {"0.3", "3", "30"}) { // a slow machine has no plan after the first
            const QStringList flags =
                words("plan --top 1 --time-limit") + QStringList{QLatin1String(seconds)} + lastingFlags();
            text = runCli(flags);
            json = runCli(flags + QStringList{QStringLiteral("--json")});
            if (text.code == 0 && json.code == 0)
                break;
        }
        QCOMPARE(text.code, 0);
        QVERIFY2(text.out.contains(": time limit after"), text.out.constData());
        QCOMPARE(json.json()[QStringLiteral("status")].toString(), QStringLiteral("budget"));
    }

    void anEnumerationThatEndsEarlyNamesItsBound() {
        const QString project =
            m_files.write("small.pwx", QByteArray::fromStdString(pw::printProject(pw::smallProject())));
        const QJsonObject run =
            runCli(words("plan --json --planner exhaustive --work 5000 --top 1 --project") +
                   QStringList{project})
                .json();
        QCOMPARE(run[QStringLiteral("status")].toString(), QStringLiteral("budget"));
        const double bound = run[QStringLiteral("lower_bound_s")].toDouble();
        QVERIFY(bound > 0.0);
        QVERIFY(bound <= run[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble());
        QCOMPARE(run[QStringLiteral("bound")][QStringLiteral("kind")].toString(),
                 QStringLiteral("launch-count"));
    }

    void interruptKeepsTheBest() {
        QProcess process;
        process.start(QStringLiteral(PW_CLI), words("plan --json --planner pipewright") + lastingFlags());
        QVERIFY(process.waitForStarted());
        // In the middle of the search, however fast the machine: after a second of processor time.
        while (processorSeconds(process.processId()) < 1.0)
            QVERIFY(!process.waitForFinished(20));
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const QJsonObject document = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
        const bool found = !document[QStringLiteral("plans")].toArray().isEmpty();
        QCOMPARE(process.exitCode(), found ? 0 : 4);
        if (found)
            QCOMPARE(document[QStringLiteral("status")].toString(), QStringLiteral("stopped"));
        else
            QCOMPARE(document[QStringLiteral("error")][QStringLiteral("code")].toString(),
                     QStringLiteral("search.stopped"));
        qInfo("stopped %s", found ? "with a plan" : "without a plan");
    }

private:
    CliFiles m_files;
};

QTEST_GUILESS_MAIN(CliQuestionsTest)
#include "cli_questions_test.moc"
