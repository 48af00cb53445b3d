// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/exports/export.h"
#include "core/exchange/exports/torch_schedule.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/schedule/every_kind.h"
#include "tests/test_data.h"

#include <QRegularExpression>
#include <QTest>

#include <map>
#include <tuple>

using namespace pw;

// Schedules for PyTorch and files for TorchTitan by the rules of their own readers, written here from their
// description.
class TorchTargetsTest : public QObject {
    Q_OBJECT

private slots:
    // The simulated order of every kind is a schedule that the runtime accepts and that cannot lock up.
    void torchSchedule_data() {
        QTest::addColumn<int>("kind");
        for (const ScheduleKind kind : test::everyKind())
            QTest::newRow(name(kind)) << static_cast<int>(kind);
    }
    void torchSchedule() {
        QFETCH(int, kind);
        const auto problem = sampleProblem();
        const Plan plan = sampleChunkedPlan(static_cast<ScheduleKind>(kind));
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const ExportResult made =
            makeExport(*exporterRow("torch-schedule"), {*problem, {}, plan, *evaluation});
        QVERIFY(made.refusals.empty());
        const Pipeline& p = plan.pipelines[0];
        const int virtualStages = 4 * p.schedule.chunks;
        static const QRegularExpression action(QStringLiteral("^(\\d+)([FIBW])(\\d+)$"));
        std::map<std::tuple<int, char, int>, int> column;
        std::map<int, int> rankOf;
        QStringList rows = QString::fromStdString(made.files[0].text).split(QLatin1Char('\n'));
        QVERIFY(rows.takeLast().isEmpty());
        QCOMPARE(rows.size(), qsizetype(4));
        for (int rank = 0; rank < 4; ++rank) {
            const QStringList cells = rows[rank].split(QLatin1Char(','));
            QCOMPARE(cells.size(), rows[0].split(QLatin1Char(',')).size());
            std::vector<std::string> order;
            for (int c = 0; c < cells.size(); ++c) {
                if (cells[c].isEmpty())
                    continue;
                const auto match = action.match(cells[c]);
                QVERIFY2(match.hasMatch(), qPrintable(cells[c]));
                const int v = match.captured(1).toInt(), m = match.captured(3).toInt();
                const char op = match.captured(2).at(0).toLatin1();
                QVERIFY2((column.emplace(std::tuple{v, op, m}, c).second), qPrintable(cells[c]));
                rankOf.emplace(v, rank);
                QCOMPARE(rankOf[v], rank); // a stage lives on one rank
                order.push_back(cells[c].toStdString());
            }
            // The row is the simulated order itself.
            std::vector<std::string> simulated;
            for (const Op& op : evaluation->pipelines[0].simulation.ops)
                if (op.stage == rank)
                    simulated.push_back(std::to_string(p.layout().virtualStage(rank, op.chunk)) +
                                        (op.kind == OpKind::Forward        ? "F"
                                         : op.kind == OpKind::WeightGrad   ? "W"
                                         : splitsBackward(p.schedule.kind) ? "I"
                                                                           : "B") +
                                        std::to_string(op.microbatch));
            QVERIFY(order == simulated);
        }
        const char back = splitsBackward(p.schedule.kind) ? 'I' : 'B';
        for (int v = 0; v < virtualStages; ++v)
            for (int m = 0; m < 32; ++m) {
                const int f = column.at({v, 'F', m}), b = column.at({v, back, m});
                QVERIFY(f < b);
                QVERIFY(v == 0 || column.at({v - 1, 'F', m}) < f);
                QVERIFY(v + 1 == virtualStages || column.at({v + 1, back, m}) < b);
                QCOMPARE(column.contains({v, 'W', m}), back == 'I');
                QVERIFY(back == 'B' || column.at({v, 'W', m}) > b);
            }
    }

    void torchScheduleOfTheSample() {
        const auto sample = readFile(test::testData("exports/torch_pipelining_schedule_1f1b.csv"));
        QVERIFY(sample);
        PipelineFigures figures;
        const auto run = simulate({{1, 1}, {1, 1}, {0}}, 3, {2, 1});
        QVERIFY(run);
        figures.simulation = *run;
        figures.simulation.layout = {2, 1};
        QCOMPARE(torchScheduleCsv(figures), *sample);
    }

    void torchtitan_data() {
        QTest::addColumn<QString>("release");
        QTest::addColumn<bool>("chunked");
        for (const ExportRelease& release : exporterRow("torchtitan")->releases)
            for (const bool chunked : {false, true})
                QTest::addRow("%s%s", release.name, chunked ? ", virtual stages" : "")
                    << QString::fromLatin1(release.name) << chunked;
    }
    void torchtitan() {
        QFETCH(QString, release);
        QFETCH(bool, chunked);
        TargetPlan target = planFor("torchtitan");
        if (chunked) {
            const Plan other = sampleChunkedPlan(ScheduleKind::Interleaved);
            target.plan.pipelines[0].schedule = other.pipelines[0].schedule;
            for (std::size_t i = 0; i < 4; ++i)
                target.plan.pipelines[0].stages[i].chunks = other.pipelines[0].stages[i].chunks;
        }
        const auto problem = target.problem();
        const auto evaluation = evaluate(*problem, target.plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        const ExportResult made = makeExport(*exporterRow("torchtitan"),
                                             {*problem, {}, target.plan, *evaluation, release.toStdString()});
        QVERIFY2(made.refusals.empty(),
                 made.refusals.empty() ? "" : reasonOf(made.refusals[0]).text().c_str());
        const bool main = release == QLatin1String("main");
        const QString file = QString::fromStdString(fileOf(made, main ? "plan.py" : "train.toml"));
        const auto value = [&](const char* key) {
            return file.section(QLatin1String(key) + QStringLiteral(" = "), 1)
                .section(QLatin1Char('\n'), 0, 0);
        };
        const int pp = value("pipeline_parallel_degree").toInt(),
                  tp = value("tensor_parallel_degree").toInt();
        const int shard = value("data_parallel_shard_degree").toInt();
        QCOMPARE(pp * tp * shard, 16);
        if (main) {
            const int micro = value("num_tokens_per_microbatch_per_dp_rank").toInt();
            QCOMPARE(value("num_pp_microbatches").toInt(), 32);
            QCOMPARE(micro * 32 * shard, 128 * 2048);
            QCOMPARE(value("num_tokens_per_train_step").toInt(), 128 * 2048);
            QCOMPARE(value("max_context_length").toInt(), 2048);
            QCOMPARE(value("disable_cuda_graphs"), QStringLiteral("True"));
            QCOMPARE(value("activation_checkpoint"), QStringLiteral("None"));
        } else {
            QCOMPARE(value("local_batch_size").toInt() * shard, 128);
            QCOMPARE(value("local_batch_size").toInt() / value("pipeline_parallel_microbatch_size").toInt(),
                     32);
        }
        // Modules: every one once, in order; a stage's share of blocks is the plan's.
        std::vector<std::string> expected = {"tok_embeddings"};
        for (int b = 0; b < 32; ++b)
            expected.push_back("layers." + std::to_string(b));
        expected.insert(expected.end(), {"norm", main ? "lm_head" : "output"});
        const std::vector<int> blocks = chunked ? std::vector<int>(8, 4) : std::vector<int>{10, 10, 6, 6};
        static const QRegularExpression word(QStringLiteral("\"([^\"]+)\""));
        if (release == QLatin1String("0.1")) {
            QStringList starts;
            int next = 0;
            for (std::size_t v = 0; v + 1 < blocks.size(); ++v)
                starts << QStringLiteral("\"layers.%1\"").arg(next += blocks[v]);
            QCOMPARE(value("pipeline_parallel_split_points"),
                     QStringLiteral("[%1]").arg(starts.join(QStringLiteral(", "))));
        } else {
            const QStringList parts =
                file.section(QStringLiteral("module_fqns_per_model_part = [\n"), 1)
                    .section(QStringLiteral("\n"), 0, static_cast<int>(blocks.size()) - 1)
                    .split(QLatin1Char('\n'));
            std::vector<std::string> all;
            for (std::size_t v = 0; v < blocks.size(); ++v) {
                auto matches = word.globalMatch(parts.at(static_cast<int>(v)));
                int own = 0;
                while (matches.hasNext()) {
                    all.push_back(matches.next().captured(1).toStdString());
                    own += all.back().starts_with("layers.") ? 1 : 0;
                }
                QCOMPARE(own, blocks[v]);
            }
            QVERIFY(all == expected);
        }
        QCOMPARE(fileOf(made, "schedule.csv").empty(), !chunked);
        QCOMPARE(value("pipeline_parallel_schedule"),
                 chunked ? QStringLiteral("\"PipelineScheduleMulti\"") : QStringLiteral("\"1F1B\""));
        QVERIFY(file.contains(
            QString::fromLatin1(findRelease(*exporterRow("torchtitan"), release.toStdString())->label)));
        checkScripts(made);
        // Every setting of the published shape is there.
        if (main || release == QLatin1String("0.1") || chunked)
            return;
        const auto sample = readFile(test::testData("exports/torchtitan_v0.2_pp.toml"));
        QVERIFY(sample);
        static const QRegularExpression key(QStringLiteral("^(\\[?\\w+\\]?)( =|$)"),
                                            QRegularExpression::MultilineOption);
        auto keys = key.globalMatch(QString::fromStdString(*sample));
        int settings = 0;
        while (keys.hasNext()) {
            const QString own = keys.next().captured(1);
            ++settings;
            if (own != QLatin1String("selective_ac_option")) // of selective recompute
                QVERIFY2(file.contains(QLatin1Char('\n') + own), qPrintable(own));
        }
        QVERIFY(settings > 12);
    }

    // Any order of passes goes over as a CSV; the two that have a name by it.
    void torchtitanSchedules_data() {
        QTest::addColumn<int>("kind");
        for (const ScheduleKind kind : test::everyKind())
            QTest::newRow(name(kind)) << static_cast<int>(kind);
    }
    void torchtitanSchedules() {
        QFETCH(int, kind);
        const auto asked = static_cast<ScheduleKind>(kind);
        TargetPlan target = planFor("torchtitan");
        const Plan other = sampleChunkedPlan(asked);
        Pipeline& p = target.plan.pipelines[0];
        p.schedule = other.pipelines[0].schedule;
        for (std::size_t i = 0; i < 4; ++i)
            p.stages[i].chunks = other.pipelines[0].stages[i].chunks;
        if (usesLaunchCounts(asked))
            p.schedule.launch = asked == ScheduleKind::GPipe      ? std::vector<int>{32, 32, 32, 32}
                                : asked == ScheduleKind::OneFOneB ? std::vector<int>{4, 3, 2, 1}
                                                                  : std::vector<int>{8, 6, 3, 1};
        const auto problem = target.problem();
        const auto evaluation = evaluate(*problem, target.plan, {.keepOps = true});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        const auto make = [&](const char* release) {
            return makeExport(*exporterRow("torchtitan"), {*problem, {}, target.plan, *evaluation, release});
        };
        const ExportResult made = make("0.2"), main = make("main");
        QVERIFY2(made.refusals.empty(),
                 made.refusals.empty() ? "" : reasonOf(made.refusals[0]).text().c_str());
        QCOMPARE(main.refusals.empty(), !splitsBackward(asked));
        const std::string text = fileOf(made, "train.toml"), csv = fileOf(made, "schedule.csv");
        const bool named = asked == ScheduleKind::GPipe || asked == ScheduleKind::OneFOneB;
        QCOMPARE(csv.empty(), named);
        const std::string said = asked == ScheduleKind::GPipe      ? "\"GPipe\""
                                 : asked == ScheduleKind::OneFOneB ? "\"1F1B\""
                                 : asked == ScheduleKind::ZbV      ? "\"ZBVZeroBubble\""
                                                                   : "\"PipelineScheduleMulti\"";
        QVERIFY2(text.find("pipeline_parallel_schedule = " + said) != std::string::npos, text.c_str());
        if (!named)
            QCOMPARE(csv, torchScheduleCsv(evaluation->pipelines[0]));
        QCOMPARE(fileOf(made, "train.sh").find("--parallelism.pipeline_parallel_schedule_csv") ==
                     std::string::npos,
                 named);
    }

    // Without a pipeline micro-batches run one after the other, not at once.
    void torchtitanWithoutAPipeline() {
        TargetPlan target = planFor("torchtitan");
        Pipeline& p = target.plan.pipelines[0];
        p.stages = {blockStage(0, 31, 32, 0, 4, 2)};
        p.stages[0].zero = 2;
        p.schedule.launch = {1};
        const auto problem = target.problem();
        const auto made = exportedAs("torchtitan", *problem, target.plan);
        QVERIFY(made.refusals.empty());
        const std::string main = fileOf(made, "plan.py");
        QVERIFY(main.find("disable_cuda_graphs = False") != std::string::npos);
        QVERIFY(main.find("num_pp_microbatches") == std::string::npos);
        const ExportResult older =
            makeExport(*exporterRow("torchtitan"), {*problem, {}, target.plan, {}, "0.2"});
        QVERIFY(fileOf(older, "train.toml").find("local_batch_size = 1\n") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TorchTargetsTest)
#include "torch_targets_test.moc"
