// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_run.h"
#include "tests/project/small_project.h"
#include "tests/test_data.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

#include <csignal>

namespace {

QString sample(const char* path) {
    return QStringLiteral(PW_SOURCE_DIR "/samples/") + QLatin1String(path);
}

QStringList problemFlags(const char* model = "models/llama3-8b.json") {
    return {QStringLiteral("--cluster"), sample("clusters/mixed-16.json"),
            QStringLiteral("--model"),   sample(model),
            QStringLiteral("--gbs"),     QStringLiteral("256"),
            QStringLiteral("--seq"),     QStringLiteral("2048")};
}

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

// Commands on files: what they print, what they write, and how they end.
class CliCommandsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(m_dir.isValid());
        m_plan = path("plan.json");
        const CliRun run = runCli(words("plan --json --top 3 --out") + QStringList{m_plan} + problemFlags());
        QVERIFY2(run.code == 0, run.err + run.out.left(2000));
        m_found = run.json();
        QCOMPARE(QJsonDocument::fromJson(contents(m_plan)).object(), m_found);
    }

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
        for (const char* key : {"order", "measurements", "slow_node", "lost_node", "extra_node"})
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
        for (const QJsonValue& plan : plans) {
            bool n3 = false;
            for (const QJsonValue& memory : plan[QStringLiteral("peak_memory")].toArray())
                n3 = n3 || memory[QStringLiteral("device")].toString().startsWith(QStringLiteral("n3."));
            QVERIFY(n3);
            for (const QJsonValue& stage :
                 plan[QStringLiteral("pipelines")][0][QStringLiteral("stages")].toArray())
                QVERIFY(stage[QStringLiteral("tp")].toInt() <= 2);
        }
        QCOMPARE(runCli(words("plan --require n9") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --require n3 --forbid n3") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --require n3 --deadline 9") + problemFlags()).code, 2);
        QCOMPARE(runCli(words("plan --max-tp none") + problemFlags()).code, 2);
    }

    // Two things that do not go together are refused with the place of the one and the name of the other.
    void aClashOfQuestionsNamesBoth() {
        const CliRun run = runCli(words("plan --json --require n3 --deadline 9") + problemFlags());
        QCOMPARE(run.code, 2);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("usage"));
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), QStringLiteral("--require"));
        QVERIFY(run.error()[QStringLiteral("message")].toString().contains(QStringLiteral("--deadline")));
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

    void modelPrintsFineLayers() {
        const QJsonObject model =
            runCli(words("model --json") + QStringList{sample("models/llama3-8b.json")}).json();
        QCOMPARE(model[QStringLiteral("parameters")].toInteger(), qint64{8030261248});
        QCOMPARE(model[QStringLiteral("layer_count")].toInt(), 66);
        const QJsonArray layers = model[QStringLiteral("layers")].toArray();
        QCOMPARE(layers.size(), 66);
        for (const char* key :
             {"index", "kind", "block", "parameters", "forward_flops", "forward_bytes", "output_bytes"})
            QVERIFY2(layers[5].toObject().contains(QLatin1String(key)), key);
    }

    void modelPrintsExpertsAndLatentAttention() {
        const QString file = sample("models/deepseek-v3.json");
        const QJsonObject model = runCli(words("model --json") + QStringList{file}).json();
        QCOMPARE(model[QStringLiteral("parameters")].toInteger(), qint64{671026419200});
        QCOMPARE(model[QStringLiteral("active_parameters")].toInteger(), qint64{37552297472});
        QCOMPARE(model[QStringLiteral("experts")][QStringLiteral("count")].toInt(), 256);
        QCOMPARE(model[QStringLiteral("latent_attention")][QStringLiteral("kv_rank")].toInt(), 512);
        QCOMPARE(model[QStringLiteral("notes")].toArray().size(), 1);
        const QJsonArray layers = model[QStringLiteral("layers")].toArray();
        QCOMPARE(layers[6][QStringLiteral("active_parameters")], layers[6][QStringLiteral("parameters")]);
        QVERIFY(layers[8][QStringLiteral("active_parameters")].toInteger() <
                layers[8][QStringLiteral("parameters")].toInteger());
        const QByteArray text = runCli({QStringLiteral("model"), file}).out;
        for (const char* part : {"256 of width 2048, 8 per token, 1 shared", "58 of 61 blocks",
                                 "37552297472 parameters active", "keys and values 512", "11610068224"})
            QVERIFY2(text.contains(part), text.constData());
        const QJsonObject dense =
            runCli(words("model --json") + QStringList{sample("models/llama3-8b.json")}).json();
        QCOMPARE(dense[QStringLiteral("active_parameters")], dense[QStringLiteral("parameters")]);
        QVERIFY(!dense.contains(QStringLiteral("experts")));
    }

    void clusterPrintsDevicesAndPaths() {
        const QJsonObject c =
            runCli(words("cluster --json") + QStringList{sample("clusters/mixed-16.json")}).json();
        QCOMPARE(c[QStringLiteral("devices")].toArray().size(), 16);
        QCOMPARE(c[QStringLiteral("classes")].toArray().size(), 2);
        QCOMPARE(c[QStringLiteral("paths")].toArray().size(), 3);
        QVERIFY(!c[QStringLiteral("bottlenecks")].toArray().isEmpty());
        QVERIFY(c.contains(QStringLiteral("problems")));
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
        for (const QJsonValue& other : eight[QStringLiteral("tensor_parallel")].toArray())
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

    void evaluateReproducesThePlan() {
        const QString second = m_plan + QStringLiteral(":2");
        const CliRun run = runCli(words("evaluate --json --plan") + QStringList{second});
        QCOMPARE(run.code, 0);
        const QJsonObject document = run.json();
        QCOMPARE(document[QStringLiteral("plans")].toArray().size(), 1);
        QCOMPARE(document[QStringLiteral("plans")][0], m_found[QStringLiteral("plans")][1]);
        for (const char* key : {"problem_hash", "planner", "lower_bound_s", "bound", "work", "status"})
            QVERIFY2(document[QLatin1String(key)] == m_found[QLatin1String(key)], key);
        QCOMPARE(runCli(words("evaluate --json --plan") + QStringList{m_plan + QStringLiteral(":9")}).code,
                 2);
    }

    // Bands and ties in the text as in the document, and the cases that they rest on.
    void plansSayWhatTheyAreWorth() {
        const CliRun evaluated = runCli(words("evaluate --plan") + QStringList{m_plan});
        QCOMPARE(evaluated.code, 0);
        QVERIFY2(evaluated.out.contains("\n  expected ") && evaluated.out.contains("(80 %)"), evaluated.out);
        const QJsonArray plans = m_found[QStringLiteral("plans")].toArray();
        const QJsonArray against = m_found[QStringLiteral("against_first")].toArray();
        QCOMPARE(against.size(), plans.size() - 1);
        for (const QJsonValue& plan : plans) {
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

    void flagsReplacePartsOfAPlansProblem() {
        const CliRun run = runCli(words("evaluate --json --reserve 12GiB --plan") + QStringList{m_plan});
        QCOMPARE(run.code, 3);
        QVERIFY(!run.error()[QStringLiteral("reasons")].toArray().isEmpty());
        QVERIFY(run.json()[QStringLiteral("problem_hash")] != m_found[QStringLiteral("problem_hash")]);
        QCOMPARE(run.json()[QStringLiteral("lower_bound_s")].toDouble(),
                 0.0); // the old proof is of another problem
    }

    void simulateSaysWhyStagesStandStill() {
        const QString trace = path("trace.json");
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
        const QString good = path("good"), bad = path("bad");
        QCOMPARE(runCli(words("export --json --format chrome-trace") + plan + QStringList{good}).code, 0);
        QVERIFY(QFileInfo::exists(good + QStringLiteral("/trace.json")));
        QCOMPARE(runCli(words("export --format papyrus") + plan + QStringList{bad}).code, 2);
        QJsonObject eager = m_found;
        QByteArray text = QJsonDocument(eager).toJson();
        text.replace("\"kind\": \"h1f1b\"", "\"kind\": \"eager\"")
            .replace("\"kind\": \"1f1b\"", "\"kind\": \"eager\"");
        const QString other = write("eager.json", text);
        const CliRun run = runCli(words("export --json --format flagscale") +
                                  QStringList{QStringLiteral("--plan"), other, QStringLiteral("--out"), bad});
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("code")].toString(), QStringLiteral("E_SCHEDULE"));
        QVERIFY(!QFileInfo::exists(bad));
    }

    void exportKeepsFilesChangedByHand() {
        const QString folder = path("kept"), file = folder + QStringLiteral("/trace.json");
        const QStringList ask = words("export --json --format chrome-trace --plan") +
                                QStringList{m_plan, QStringLiteral("--out"), folder};
        QCOMPARE(runCli(ask).code, 0);
        QCOMPARE(runCli(ask).code, 0); // its own, unchanged
        const QByteArray exported = contents(file);
        write("kept/trace.json", "mine");
        const CliRun refused = runCli(ask);
        QCOMPARE(refused.code, 2);
        QCOMPARE(refused.error()[QStringLiteral("code")].toString(), QStringLiteral("export.changed"));
        QCOMPARE(contents(file), QByteArray("mine"));
        QCOMPARE(runCli(ask + QStringList{QStringLiteral("--force")}).code, 0);
        QCOMPARE(contents(file), exported);
    }

    // What every format makes of the plan, feature by feature, and what each takes instead.
    void exportListsWhatFormatsCanDo() {
        const CliRun run = runCli(words("export --list --json --plan") + QStringList{m_plan});
        QVERIFY2(run.code == 0, run.out);
        QSet<QString> formats;
        for (const QJsonValue& target : run.json()[QStringLiteral("targets")].toArray()) {
            formats.insert(target[QStringLiteral("format")].toString());
            const bool taken = target[QStringLiteral("expressible")].toBool();
            QCOMPARE(target[QStringLiteral("refusals")].toArray().isEmpty(), taken);
            QVERIFY(!target[QStringLiteral("releases")].toArray().isEmpty());
            QVERIFY(target[QStringLiteral("features")].toObject().size() > 20);
        }
        QVERIFY(formats.contains(QStringLiteral("megatron")) && formats.contains(QStringLiteral("plan")));
        QCOMPARE(runCli(words("export --format plan --plan") + QStringList{m_plan}).code, 2); // no --out
        QCOMPARE(runCli(words("export --format megatron --release 1.0 --plan") +
                        QStringList{m_plan, QStringLiteral("--out"), path("release")})
                     .code,
                 2);
    }

    void aTargetIsAConstraintOfTheSearch() {
        const QString file = path("runnable.json");
        const CliRun run =
            runCli(words("plan --json --target flagscale --out") + QStringList{file} + problemFlags());
        QVERIFY2(run.code == 0, run.out.left(3000));
        QCOMPARE(run.json()[QStringLiteral("target")][QStringLiteral("format")].toString(),
                 QStringLiteral("flagscale"));
        QVERIFY(run.json()[QStringLiteral("target")][QStringLiteral("unrestricted_s")].toDouble() > 0.0);
        for (const QJsonValue& plan : run.json()[QStringLiteral("plans")].toArray())
            QCOMPARE(plan[QStringLiteral("pipelines")][0][QStringLiteral("schedule")][QStringLiteral("kind")]
                         .toString(),
                     QStringLiteral("1f1b"));
        const CliRun exported = runCli(words("export --json --format flagscale --plan") +
                                       QStringList{file, QStringLiteral("--out"), path("runnable")});
        QVERIFY2(exported.code == 0, exported.out);
        QVERIFY(QFileInfo::exists(path("runnable/hostfile")));
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
        const QString file = path("all.json");
        const QStringList flags = problemFlags("models/gpt3-1.3b.json");
        const CliRun run =
            runCli(words("plan --json --planner all --work 20000 --out") + QStringList{file} + flags);
        QVERIFY2(run.code == 0, run.out.left(3000));
        const QJsonArray rows = run.json()[QStringLiteral("tournament")].toArray();
        const QJsonArray plans = run.json()[QStringLiteral("plans")].toArray();
        QVERIFY(rows.size() >= 3 && plans.size() >= 2);
        int refused = 0;
        for (const QJsonValue& row : rows) {
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

    void anEnumerationLeavesNoProof() {
        const QString file = path("enumerated.json");
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

    void aPlanChangedByHandIsOfNoSearch() {
        QByteArray text = contents(m_plan);
        const QByteArray recompute = "\"mode\": \"none\"";
        QVERIFY(text.contains(recompute));
        text.replace(text.indexOf(recompute), recompute.size(), "\"mode\": \"full\"");
        const CliRun run = runCli(words("evaluate --json --plan") + QStringList{write("by hand.json", text)});
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
        const CliRun run = runCli(words("evaluate --json --plan") + QStringList{write("faulty.json", text)});
        QCOMPARE(run.code, 2);
        const QString first = run.error()[QStringLiteral("where")].toString() + QStringLiteral(": ") +
                              run.error()[QStringLiteral("message")].toString();
        const QJsonArray reasons = run.error()[QStringLiteral("reasons")].toArray();
        QVERIFY(!reasons.isEmpty());
        QVERIFY2(!reasons.contains(first), run.out.constData());
    }

    void noSearchIsLostForWantOfAPlace() {
        for (const QString& out : {m_dir.path(), path("missing/plan.json")}) {
            const CliRun run = runCli(words("plan --json --planner pipewright --work 1000000000000 --out") +
                                      QStringList{out} + problemFlags());
            QCOMPARE(run.code, 2); // before the search, which would take hours
            QVERIFY(run.error()[QStringLiteral("where")].toString() == out);
        }
        const CliRun full = runCli(words("plan --json --top 1 --out /dev/full") + problemFlags());
        QCOMPARE(full.code, 1);
        QCOMPARE(full.json()[QStringLiteral("plans")].toArray().size(), 1);
    }

    void roundingIsNoTime() {
        for (const QJsonValue& plan : m_found[QStringLiteral("plans")].toArray()) {
            const QJsonObject time = plan[QStringLiteral("time")].toObject();
            for (const QString& part : time.keys())
                QVERIFY2(time[part].toDouble() == 0.0 || time[part].toDouble() >= 1e-12, qPrintable(part));
        }
    }

    void whatCannotFitIsInfeasible() {
        const CliRun run = runCli(words("plan --json") + problemFlags("models/llama3-70b.json"));
        QCOMPARE(run.code, 3);
        QVERIFY(!run.error()[QStringLiteral("reasons")].toArray().isEmpty());
    }

    void forbiddenDevicesStayUnused() {
        const CliRun run = runCli(words("plan --json --top 1 --forbid n3,n2.g0") + problemFlags());
        QCOMPARE(run.code, 0);
        for (const QJsonValue& m :
             run.json()[QStringLiteral("plans")][0][QStringLiteral("peak_memory")].toArray()) {
            const QString device = m[QStringLiteral("device")].toString();
            QVERIFY2(!device.startsWith(QLatin1String("n3.")) && device != QLatin1String("n2.g0"),
                     qPrintable(device));
        }
        QCOMPARE(runCli(words("plan --json --forbid n9") + problemFlags()).code, 2);
    }

    void problemFlagsAreChecked_data() {
        QTest::addColumn<QString>("flags");
        for (const char* flags : {"--gbs 0",           "--gbs nan",
                                  "--gbs 1e3",         "--seq -5",
                                  "--precision fp12",  "--optimizer lion",
                                  "--zero 7",          "--recompute some",
                                  "--mbs 0",           "--mbs 1,,2",
                                  "--expert-load 0.9", "--expert-load many",
                                  "--reserve nan",     "--reserve -1GiB",
                                  "--stack nobody",    "--planner nobody",
                                  "--work -1",         "--time-limit inf",
                                  "--top 0",           "--seed x",
                                  "--without speed",   "--without cache,,init"})
            QTest::newRow(flags) << QString::fromLatin1(flags);
    }
    void problemFlagsAreChecked() {
        QFETCH(QString, flags);
        QStringList arguments = words("plan --json") + problemFlags();
        const QString flag = flags.section(QLatin1Char(' '), 0, 0);
        if (const qsizetype at = arguments.indexOf(flag); at >= 0)
            arguments.remove(at, 2);
        const CliRun run = runCli(arguments + flags.split(QLatin1Char(' ')));
        QCOMPARE(run.code, 2);
        QVERIFY(!run.error()[QStringLiteral("message")].toString().isEmpty());
    }

    void aProjectStandsForTheWholeProblem() {
        const QString project =
            write("small.pwx", QByteArray::fromStdString(pw::printProject(pw::smallProject())));
        const CliRun run = runCli(words("plan --json --top 1 --project") + QStringList{project});
        QVERIFY2(run.code == 0, run.out.left(2000));
        QCOMPARE(
            run.json()[QStringLiteral("problem")][QStringLiteral("model")][QStringLiteral("name")].toString(),
            QStringLiteral("tiny"));
        QCOMPARE(runCli(words("cluster --json --project") + QStringList{project}).code, 0);
        QCOMPARE(runCli(words("plan --json")).code, 2);
    }

    void badModelFiles_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("place");
        const auto row = [](const char* file, const char* place) {
            QTest::newRow(file) << QString::fromLatin1(file) << QString::fromLatin1(place);
        };
        row("hf_config_truncated.json", "11:18");
        row("hf_config_wrong_types.json", "#/hidden_size");
        row("hf_config_negative.json", "#/num_hidden_layers");
        row("hf_config_huge.json", "");
        row("hf_config_nan.json", "7:23");
        row("hf_config_duplicate_key.json", "num_hidden_layers");
        row("hf_config_unknown_model_type.json", "#/model_type");
        row("json_deep_nesting.json", "1:");
        row("no_such_file.json", "no_such_file");
    }
    void badModelFiles() {
        QFETCH(QString, file);
        QFETCH(QString, place);
        const QString model =
            QString::fromStdString(pw::test::testData("bad/" + file.toStdString()).string());
        const CliRun run = runCli({QStringLiteral("model"), model, QStringLiteral("--json")});
        QCOMPARE(run.code, 2);
        const QByteArray error = QJsonDocument(run.error()).toJson(QJsonDocument::Compact);
        QVERIFY2(error.contains(place.toUtf8()), error.constData());
        const QString out = path("never.json");
        QCOMPARE(runCli({QStringLiteral("import"), model, QStringLiteral("--out"), out}).code, 2);
        QVERIFY(!QFileInfo::exists(out));
    }

    void importReadsWhatItRecognises() {
        const QString out = path("model.json");
        const QString config = sample("models/hf/llama3-8b/config.json");
        const CliRun run =
            runCli(words("import --json --out") + QStringList{out, QStringLiteral("hf-config"), config});
        QCOMPARE(run.code, 0);
        QCOMPARE(run.json()[QStringLiteral("parameters")].toInteger(), qint64{8030261248});
        QCOMPARE(runCli({QStringLiteral("model"), out}).code, 0);
        QCOMPARE(runCli({QStringLiteral("import"), config, QStringLiteral("--out"), path("again.json")}).code,
                 0);
        QCOMPARE(contents(path("again.json")), contents(out));
        QCOMPARE(
            runCli({QStringLiteral("import"), QStringLiteral("tarot"), config, QStringLiteral("--out"), out})
                .code,
            2);
    }

    void profilesAreKept() {
        const QStringList db = {QStringLiteral("--profiles"), path("profiles.db"), QStringLiteral("--json")};
        const QString measured = sample("profiles/sailor/GPT-Neo-2.7/A100-40/profile.json");
        const QStringList hints = {QStringLiteral("--model"), sample("models/gpt-neo-2.7b.json")};
        QCOMPARE(runCli(words("profiles list") + db).code, 2); // there is none yet
        QCOMPARE(runCli(words("profiles list")).code, 2);
        QCOMPARE(runCli(words("profiles import") + QStringList{measured} + hints + db).code, 0);
        const QJsonArray sources =
            runCli(words("profiles list") + db).json()[QStringLiteral("sources")].toArray();
        QCOMPARE(sources.size(), 1);
        const int rows = sources[0][QStringLiteral("rows")].toInt();
        QVERIFY(rows > 100);
        QCOMPARE(runCli(words("profiles show") + db).json()[QStringLiteral("rows")].toArray().size(), rows);
        QCOMPARE(runCli(words("profiles check") + db).code, 0);

        const QString handed = path("rows.json");
        const QStringList second = {QStringLiteral("--profiles"), path("second.db"),
                                    QStringLiteral("--json")};
        QCOMPARE(runCli(words("profiles export --out") + QStringList{handed} + db).code, 0);
        QCOMPARE(runCli(words("profiles import") + QStringList{handed} + second).code, 0);
        QCOMPARE(runCli(words("profiles list") + second).json()[QStringLiteral("sources")].toArray(),
                 sources);
        const QString source = sources[0][QStringLiteral("source")].toString();
        QCOMPARE(runCli(words("profiles remove") + QStringList{source} + second)
                     .json()[QStringLiteral("removed")]
                     .toInt(),
                 rows);
        QCOMPARE(runCli(words("profiles remove") + QStringList{source} + second).code, 2);

        const QString broken =
            write("broken.db", QByteArray("SQLite format 3\0 but not really", 32).repeated(200));
        const CliRun run = runCli(words("profiles check --json --profiles") + QStringList{broken});
        QCOMPARE(run.code, 1);
        QCOMPARE(run.error()[QStringLiteral("where")].toString(), broken);
    }

    void measurementsAreFoundUnderAnotherSpelling() {
        const QStringList db = {QStringLiteral("--profiles"), path("spelt.db")};
        QCOMPARE(runCli(words("profiles import sailor") +
                        QStringList{sample("profiles/sailor/GPT-Neo-2.7/A100-40/profile.json")} + db)
                     .code,
                 0);
        const auto plan = [&](const char* model) {
            return runCli(words("plan --json --top 1 --precision fp32") + db + problemFlags(model));
        };
        const CliRun run = plan("models/gpt-neo-2.7b.json");
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.contains("GPT-Neo-2.7") && run.err.contains("gpt-neo-2.7b"), run.err.constData());
        QVERIFY(run.json()[QStringLiteral("plans")][0][QStringLiteral("measured_share")].toDouble() > 0.0);
        QStringList codes;
        for (const QJsonValue& note : run.json()[QStringLiteral("notes")].toArray())
            codes.append(note[QStringLiteral("code")].toString());
        QVERIFY2(codes.contains(QLatin1String("profile.memory")), qPrintable(codes.join(QLatin1Char(' '))));
        const CliRun other = plan("models/gpt3-1.3b.json");
        QVERIFY2(other.err.contains("GPT-Neo-2.7") && other.err.contains("estimate"), other.err.constData());
    }

    void anotherModelLeavesTheProjectsMeasurements() {
        const CliRun run = runCli(words("plan --top 1 --project") +
                                  QStringList{sample("projects/measured-16.pwx"), QStringLiteral("--model"),
                                              sample("models/gpt3-1.3b.json")});
        QCOMPARE(run.code, 0);
        QVERIFY2(run.err.contains("none of gpt3-1.3b"), run.err.constData());
        QVERIFY2(run.out.contains("note: profiles: No measurements"), run.out.constData());
    }

    void aMicrobatchThatDividesNothingIsNamed() {
        const CliRun run = runCli(words("plan --json --mbs 3") + problemFlags());
        QCOMPARE(run.code, 3);
        QCOMPARE(run.error()[QStringLiteral("reasons")][0].toString(),
                 QStringLiteral("no micro-batch of 3 sequences a replica divides the global batch of 256"));
    }

    // The limit that is named is the one that holds.
    void theLimitOfAFlagIsTheRecipes() {
        const QString project = sample("projects/measured-16.pwx");
        for (const char* most : {"--gbs 1000000", "--seq 16777216"}) {
            const QString flag = QString::fromLatin1(most).section(QLatin1Char(' '), 0, 0);
            const qint64 number = QString::fromLatin1(most).section(QLatin1Char(' '), 1).toLongLong();
            const CliRun run = runCli(words("plan --json --project") +
                                      QStringList{project, flag, QString::number(number + 1)});
            QCOMPARE(run.code, 2);
            QVERIFY2(run.error()[QStringLiteral("message")].toString().endsWith(
                         QStringLiteral("from 1 to %1").arg(number)),
                     run.out.constData());
        }
    }

    // One GPU of the A100s is as fast as the head's rows would have it only if their missing product is not
    // noticed.
    void aHeadWithoutItsProductIsNotMeasured() {
        const CliRun run = runCli(words("plan --json --gbs 4 --forbid n2,n3 --project") +
                                  QStringList{sample("projects/measured-16.pwx")});
        QCOMPARE(run.code, 0);
        for (const QJsonValue& plan : run.json()[QStringLiteral("plans")].toArray()) {
            QVERIFY(plan[QStringLiteral("measured_share")].toDouble() < 1.0);
            QCOMPARE(plan[QStringLiteral("provenance")].toString(), QStringLiteral("estimated"));
        }
    }

    void aShorterSequenceIsFitted() {
        const auto best = [](const char* seq) {
            const CliRun run =
                runCli(words("plan --json --top 1 --seq") + QStringList{QLatin1String(seq)} +
                       QStringList{QStringLiteral("--project"), sample("projects/measured-16.pwx")});
            return run.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble();
        };
        const double shorter = best("1024"), whole = best("2048");
        QVERIFY2(shorter > 0.0 && shorter < 0.7 * whole,
                 qPrintable(QStringLiteral("%1 s, %2 s").arg(shorter).arg(whole)));
    }

    void aTimeLimitIsABudget() {
        const QStringList flags =
            words("plan --work 1000000000000 --time-limit 0.3 --top 1") + problemFlags();
        const CliRun text = runCli(flags), json = runCli(flags + QStringList{QStringLiteral("--json")});
        QCOMPARE(text.code, 0);
        QVERIFY2(text.out.contains(": time limit after"), text.out.constData());
        QCOMPARE(json.json()[QStringLiteral("status")].toString(), QStringLiteral("budget"));
    }

    void anEnumerationThatEndsEarlyNamesItsBound() {
        const QString project =
            write("small.pwx", QByteArray::fromStdString(pw::printProject(pw::smallProject())));
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

    // A misspelt key must not silently be its default.
    void unknownKeysAreNamed() {
        const auto misspelt = [](const QString& file, const QByteArray& key, const QByteArray& as) {
            QByteArray text = contents(file);
            const qsizetype at = text.indexOf('"' + key + '"');
            return text.replace(at, key.size() + 2, '"' + as + '"');
        };
        const QString cluster =
            write("misspelt.json", misspelt(sample("clusters/mixed-16.json"), "latency", "latancy"));
        const QString model =
            write("model.json", misspelt(sample("models/llama3-8b.json"), "rms_norm", "rmsnorm"));
        const QString project =
            write("recipe.pwx", misspelt(sample("projects/mixed-16.pwx"), "reserve", "resreve"));
        const QString plan = write("misspelt-plan.json", misspelt(m_plan, "partition", "partitoin"));
        for (const auto& [arguments, place] :
             {std::pair(words("cluster --json") + QStringList{cluster}, "/latancy"),
              std::pair(words("model --json") + QStringList{model}, "model.json#/rmsnorm"),
              std::pair(words("model --json --project") + QStringList{project}, "recipe.pwx#/recipe/resreve"),
              std::pair(words("evaluate --json --plan") + QStringList{plan}, "/partitoin")}) {
            const CliRun run = runCli(arguments);
            QVERIFY2(run.code == 0, run.out.left(500) + run.err);
            QVERIFY2(run.err.contains(QByteArray("warning: ")) && run.err.contains(place), run.err);
            bool noted = false;
            for (const QJsonValue& note : run.json()[QStringLiteral("notes")].toArray())
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

    void interruptKeepsTheBest() {
        QProcess process;
        process.start(QStringLiteral(PW_CLI),
                      words("plan --json --planner pipewright --work 1000000000000") + problemFlags());
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
    QString path(const char* name) const { return m_dir.filePath(QLatin1String(name)); }
    QString write(const char* name, const QByteArray& text) const {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
        return path(name);
    }

    QTemporaryDir m_dir;
    QString m_plan;
    QJsonObject m_found;
};

QTEST_GUILESS_MAIN(CliCommandsTest)
#include "cli_commands_test.moc"
