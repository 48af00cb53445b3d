// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/exports/export.h"
#include "core/exchange/imports/import.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"
#include "tests/test_data.h"

#include <nlohmann/json.hpp>

#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace pw;

namespace {

// Ids of a plan's devices in the order of a list of ranks, by the nodes in the script's comments.
std::vector<std::string> devicesOfScript(const std::string& script) {
    std::vector<std::string> ids;
    static const QRegularExpression line(QStringLiteral("^# node \\d+: (\\S+) ([\\d,]+)$"),
                                         QRegularExpression::MultilineOption);
    auto matches = line.globalMatch(QString::fromStdString(script));
    while (matches.hasNext()) {
        const auto match = matches.next();
        for (const QString& slot : match.captured(2).split(QLatin1Char(',')))
            ids.push_back((match.captured(1) + QStringLiteral(".g") + slot).toStdString());
    }
    return ids;
}

std::vector<int> numbers(const std::string& list) {
    std::vector<int> values;
    for (const QString& n : QString::fromStdString(list)
                                .remove(QLatin1Char('['))
                                .remove(QLatin1Char(']'))
                                .split(QLatin1Char(',')))
        values.push_back(n.toInt());
    return values;
}

} // namespace

// Each target's files by the rules of its own readers, written here from their description.
class TargetsTest : public QObject {
    Q_OBJECT

private slots:
    void hexiscale_data() {
        QTest::addColumn<bool>("shapes");
        QTest::newRow("replicas of one shape") << false;
        QTest::newRow("replicas of two shapes") << true;
    }
    void hexiscale() {
        QFETCH(bool, shapes);
        TargetPlan target = planFor("hexiscale");
        if (shapes)
            target.plan = gpipeShapes();
        const auto problem = target.problem();
        const Status sound = checkPlan(*problem, target.plan, "plan");
        QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
        const ExportResult made = exportedAs("hexiscale", *problem, target.plan);
        const Json file = jsonOf(made, "all_hetero_configs.json");
        const std::string script = fileOf(made, "train.sh");
        const std::vector<std::string> words = arrayOf(script, "ARGUMENTS");
        const std::vector<std::string> batches = valuesOf(words, "--global_bsz_size"),
                                       chunks = valuesOf(words, "--chunks");
        const Json &tp = file["hetero_configs"], &layers = file["layer_partitions"],
                   &ranks = file["pp_layouts"];
        QCOMPARE(tp.size(), shapes ? 2U : 2U);
        QVERIFY(layers.size() == tp.size() && ranks.size() == tp.size() && batches.size() == tp.size() &&
                chunks.size() == tp.size());
        const std::vector<std::string> devices = devicesOfScript(script);
        std::set<int> used;
        int sequences = 0;
        std::size_t world = 0;
        for (std::size_t p = 0; p < tp.size(); ++p) {
            QVERIFY(tp[p].size() == layers[p].size() && tp[p].size() == ranks[p].size());
            int total = 0;
            for (std::size_t s = 0; s < tp[p].size(); ++s) {
                total += layers[p][s].get<int>();
                QCOMPARE(ranks[p][s].size(), tp[p][s].get<std::size_t>());
                QCOMPARE(32 % tp[p][s].get<int>(), 0); // heads
                std::set<std::string> own;
                for (const Json& r : ranks[p][s]) {
                    QVERIFY(used.insert(r.get<int>()).second);
                    own.insert(devices.at(r.get<std::size_t>()));
                }
                world += own.size();
                const Pipeline& source = target.plan.pipelines[shapes ? p : 0];
                const auto ids = idsOf(*problem, source.stages[s].replicas[shapes ? 0 : p].devices);
                QVERIFY((own == std::set<std::string>(ids.begin(), ids.end())));
            }
            QCOMPARE(total, 32);
            const int batch = std::stoi(batches[p]), count = std::stoi(chunks[p]);
            QCOMPARE(batch % count, 0);
            QCOMPARE(batch / count, shapes ? static_cast<int>(target.plan.pipelines[p].microbatchSize) : 2);
            sequences += batch;
        }
        QCOMPARE(world, devices.size());
        QCOMPARE(sequences, 128);
        QCOMPARE(valuesOf(words, "--total-layer-num").at(0), std::string("32"));
        QCOMPARE(valuesOf(words, "--model_size").at(0), std::string("llama-7b"));
        // Parameters are float32 without the flag; V100s, which plan in fp16, have no flash attention.
        const auto has = [](const std::vector<std::string>& list, const char* flag) {
            return std::find(list.begin(), list.end(), flag) != list.end();
        };
        QVERIFY(has(words, "--fp16") && !has(words, "--bf16"));
        QVERIFY(!has(words, "--use-flash-attn"));
        QCOMPARE(valuesOf(words, "--pipeline-type").at(0), std::string("Gpipe"));
        QVERIFY(!has(words, "--seq-parallel"));
        for (Node& n : target.cluster.nodes)
            n.kind = "A100-SXM4-40GB";
        const auto newer = target.problem();
        const std::vector<std::string> other =
            arrayOf(fileOf(exportedAs("hexiscale", *newer, target.plan), "train.sh"), "ARGUMENTS");
        QVERIFY(has(other, "--bf16") && has(other, "--use-flash-attn") && !has(other, "--fp16"));
        checkScripts(made);
        compareKeys(file, "hexiscale_all_hetero_configs.json");
    }

    void hetu_data() { hexiscale_data(); }
    void hetu() {
        QFETCH(bool, shapes);
        TargetPlan target = planFor("hetu");
        if (shapes) {
            target.plan = twoShapes(2);
            target.plan.pipelines[0].microbatches = 20;
            target.plan.pipelines[0].microbatchSize = target.plan.pipelines[1].microbatchSize = 4;
            target.plan.pipelines[1].microbatches = 12;
            target.plan.pipelines[0].share = 0.625;
            target.plan.pipelines[1].share = 0.375;
        }
        target.plan.pipelines[0].stages[1].recompute = Recompute::Full;
        target.plan.pipelines[0].stages[1].recomputeLayers = 3;
        const auto problem = target.problem();
        const Status sound = checkPlan(*problem, target.plan, "plan");
        QVERIFY2(sound, sound ? "" : sound.error().text().c_str());
        const ExportResult made = exportedAs("hetu", *problem, target.plan);
        const Json file = jsonOf(made, "ds_parallel_config.json");
        const std::string script = fileOf(made, "train.sh");
        const std::vector<std::string> devices = devicesOfScript(script);
        QCOMPARE(file["devices"].size(), devices.size());
        int leaves = 0;
        checkLeaves(file, 2, leaves);
        QCOMPARE(leaves, 5 + 32 * 6);
        // The norms' leaves say what is gathered behind them: the parts of a stage, not of all pipelines.
        for (const char* norm : {"rmsnorm1", "rmsnorm2"})
            QVERIFY(file["llama"]["blocks"]["blocks0"][norm]["split"] ==
                    file["llama"]["blocks"]["blocks0"]["attn"]["dense"]["split"]);
        for (int b = 0; b < 32; ++b) {
            const Json& block = file["llama"]["blocks"]["blocks" + std::to_string(b)];
            QVERIFY(block["range"] == Json::array({b}));
            for (std::size_t p = 0; p < 2; ++p) {
                const Pipeline& source = target.plan.pipelines[shapes ? p : 0];
                const auto stage =
                    std::find_if(source.stages.begin(), source.stages.end(), [&](const Stage& s) {
                        return s.chunks[0].first <= 1 + 2 * b && 2 + 2 * b <= s.chunks[0].last;
                    });
                std::vector<std::string> own;
                for (const Json& d : block["attn"]["qkv"]["device_group_union"][p])
                    own.push_back(devices.at(d.get<std::size_t>()));
                QVERIFY(own == idsOf(*problem, stage->replicas[shapes ? 0 : p].devices));
                const int first = shapes ? 20 : 10;
                QCOMPARE(block["recompute"][p].get<bool>(),
                         (!shapes || p == 0) && b >= first && b < first + 3);
            }
        }
        const Json settings = jsonOf(made, "settings.json"), &strategy = settings["ds_parallel"];
        QVERIFY(strategy["micro_batch_num_list"] == Json::parse(shapes ? "[20,12]" : "[32,32]"));
        QVERIFY(strategy["hetero_layers"] ==
                Json::parse(shapes ? "[[20,12],[32]]" : "[[10,10,6,6],[10,10,6,6]]"));
        QVERIFY(strategy["seq_len_list"] == Json::parse("[2048,2048]") &&
                strategy["cp_list"] == Json::parse("[1,1]"));
        QCOMPARE((shapes ? 20 + 12 : 32 + 32) * settings["trainer"]["micro_batch_size"].get<int>(), 128);
        checkNumbering(strategy, file);
        checkScripts(made);
        compareKeys(file, "hetu_hetero_2pipelines_generated.json");
    }

    void aceso_data() {
        QTest::addColumn<bool>("inside");
        QTest::newRow("whole blocks") << false;
        QTest::newRow("a cut inside a block") << true;
    }
    void aceso() {
        QFETCH(bool, inside);
        TargetPlan target = planFor("aceso");
        std::vector<Stage>& stages = target.plan.pipelines[0].stages;
        stages[3] = blockStage(26, 31, 32, 12, 1, 4);
        stages[3].sequenceParallel = false;
        stages[1].recompute = Recompute::Full;
        stages[1].recomputeLayers = 2;
        stages[2].recompute = Recompute::Selective;
        if (inside) {
            --stages[0].chunks[0].last;
            --stages[1].chunks[0].first;
        }
        const auto problem = target.problem();
        const Json file = jsonOf(exportedAs("aceso", *problem, target.plan), "config.json");
        const auto count = static_cast<std::size_t>(file["num_stages"].get<int>());
        QCOMPARE(count, stages.size());
        int ops = 0, gpus = 0, micro = file["micro_batch_size"].get<int>();
        QCOMPARE(file["global_batch_size"].get<int>() % micro, 0);
        for (std::size_t i = 0; i < count; ++i) {
            const auto own = file["num_ops_in_each_stage"][i].get<std::size_t>();
            ops += static_cast<int>(own);
            gpus += file["num_gpus"][i].get<int>();
            bool any = false;
            for (const char* list : {"model_parallel_size_of_each_op", "data_parallel_size_of_each_op",
                                     "recompute_ops", "algo_of_each_op"})
                QCOMPARE(file[list][i].size(), own);
            for (std::size_t op = 0; op < own; ++op) {
                const int tp = file["model_parallel_size_of_each_op"][i][op].get<int>();
                const int dp = file["data_parallel_size_of_each_op"][i][op].get<int>();
                QCOMPARE(tp * dp, file["num_gpus"][i].get<int>());
                QCOMPARE(tp, stages[i].tp);
                QCOMPARE(micro % dp, 0);
                any = any || file["recompute_ops"][i][op] == 1;
            }
            QCOMPARE(file["checkpoint_activations"][i].get<bool>(), any);
        }
        QCOMPARE(ops, 13 * 32 + 3);
        QCOMPARE(gpus, 16);
        QCOMPARE(file["num_ops_in_each_stage"][0].get<int>(), inside ? 1 + 13 * 9 + 8 : 1 + 13 * 10);
        // Half of block 9 comes first where the cut is inside, then two whole blocks.
        const Json& again = file["recompute_ops"][1];
        QCOMPARE(std::count(again.begin(), again.end(), 1), (inside ? 5 : 0) + 2 * 13);
        const Json& core = file["recompute_ops"][2];
        QCOMPARE(std::count(core.begin(), core.end(), 1), 6 * 4);
        compareKeys(file, "aceso_gpt_4layers_2stages.json");
    }

    // Its arguments say 0.1 where nothing else is said (runtime/megatron/arguments.py:362).
    void acesoDropsOutAsPlanned() {
        for (const char* family : {"gpt2", "llama"}) {
            TargetPlan target = planFor("aceso");
            target.model.family = family;
            const std::string script =
                fileOf(exportedAs("aceso", *target.problem(), target.plan), "train.sh");
            QCOMPARE(script.find(" --attention-dropout 0 --hidden-dropout 0 \"$@\"") != std::string::npos,
                     target.model.family != "gpt2");
        }
    }

    void galvatron() {
        TargetPlan target = planFor("galvatron");
        std::vector<Stage>& stages = target.plan.pipelines[0].stages;
        stages[0].recompute = Recompute::Full;
        stages[0].recomputeLayers = 5;
        stages[1].zero = 0;
        const auto problem = target.problem();
        const Json file = jsonOf(exportedAs("galvatron", *problem, target.plan), "galvatron_config.json");
        const auto list = [&](const char* key) { return numbers(file[key].get<std::string>()); };
        const std::vector<int> division = list("pp_division"), tp = list("tp_sizes_enc"),
                               again = list("checkpoint");
        QVERIFY((division == std::vector<int>{20, 12}));
        const int pp = file["pp_deg"].get<int>(), world = 8;
        for (const char* key :
             {"tp_sizes_enc", "tp_consecutive_flags", "dp_types_enc", "use_sp", "checkpoint"})
            QCOMPARE(list(key).size(), 32U);
        for (const int size : tp)
            QCOMPARE(world / pp % size, 0);
        const int least = std::min(*std::min_element(tp.begin(), tp.end()), file["vtp"].get<int>());
        QCOMPARE(file["global_bsz"].get<int>() % (world / pp / least), 0);
        QCOMPARE(std::count(again.begin(), again.begin() + 5, 1), 5);
        QCOMPARE(std::count(again.begin() + 5, again.end(), 1), 0);
        QCOMPARE(file["chunks"].get<int>(), 32);
        QVERIFY(file.contains("embed_sdp") && file["embed_sdp"] == file["vocab_sdp"]);
        QCOMPARE(file["pipeline_type"].get<std::string>(), std::string("pipedream_flush"));
        QCOMPARE(file["default_dp_type"].get<std::string>(), std::string("ddp"));
        compareKeys(file, "galvatron_strategy_uneven.json");
    }

    // Experts are sliced as all else is, whether they are dealt out or not; the file does not say what they
    // are, nor in which precision.
    void galvatronSlicesExperts() {
        for (const int ep : {1, 2}) {
            TargetPlan target = planFor("galvatron");
            target.model.experts.count = 8;
            target.model.experts.perToken = 2;
            target.model.experts.ffn = target.model.ffn;
            for (Stage& s : target.plan.pipelines[0].stages)
                s.ep = ep;
            const ExportResult made = exportedAs("galvatron", *target.problem(), target.plan);
            const Json file = jsonOf(made, "galvatron_config.json");
            QVERIFY(file["tp_of_ep_sizes_enc"] == file["tp_sizes_enc"]);
            QVERIFY(numbers(file["ep_sizes_enc"].get<std::string>()) == std::vector<int>(32, ep));
            QCOMPARE(std::ranges::count(made.notes, "export.strategy_alone", &Diagnostic::code), 1);
        }
    }

    void tables() {
        const auto problem = sampleProblem();
        const Plan plan = samplePlan();
        const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
        QVERIFY(evaluation);
        const ExportResult made = makeExport(*exporterRow("csv"), {*problem, {}, plan, *evaluation});
        const auto rows = [&](const char* name) {
            std::vector<QStringList> list;
            for (const QString& line :
                 QString::fromStdString(fileOf(made, name)).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
                list.push_back(line.split(QLatin1Char(',')));
            return list;
        };
        const auto column = [](const std::vector<QStringList>& list, const char* key) {
            return list.front().indexOf(QLatin1String(key));
        };
        QCOMPARE(rows("plan.csv").size(), 2U);
        QCOMPARE(rows("stages.csv").size(), 5U);
        QCOMPARE(rows("devices.csv").size(), 17U);
        QCOMPARE(rows("passes.csv").size(), 1U + 4 * 2 * 32);
        QCOMPARE(rows("transfers.csv").size(), 1U + evaluation->pipelines[0].simulation.transfers.size());
        const auto devices = rows("devices.csv");
        for (std::size_t i = 1; i < devices.size(); ++i) {
            double parts = 0;
            for (const char* part : {"weights", "gradients", "optimizer", "activations", "transient",
                                     "communication", "reserve"})
                parts += devices[i][column(devices, part)].toDouble();
            const double whole = devices[i][column(devices, "bytes")].toDouble();
            QVERIFY(std::abs(parts - whole) < 1e-6 * whole);
        }
        const auto passes = rows("passes.csv");
        double end = 0;
        for (std::size_t i = 1; i < passes.size(); ++i)
            end = std::max(end, passes[i][column(passes, "end_s")].toDouble());
        QCOMPARE(end, evaluation->pipelines[0].simulation.makespan);
        const auto figures = rows("plan.csv");
        QCOMPARE(figures[1][column(figures, "iteration_s")].toDouble(), evaluation->iteration.value);
        const auto stages = rows("stages.csv"); // layers stand in quotes: "emb, 0 to 9"
        QVERIFY(stages[1].join(QLatin1Char(',')).contains(QStringLiteral("\"emb, 0 to 9\"")));
    }

    void theSameBytesForTheSamePlan() {
        for (const ExporterRow& row : exporterTable()) {
            if (row.write == nullptr || std::string(row.format) == "nemo2")
                continue;
            const TargetPlan target = planFor(row.format);
            const auto problem = target.problem();
            const auto evaluation = evaluate(*problem, target.plan, {.keepOps = true});
            QVERIFY(evaluation);
            const ExportInput input{*problem, {}, target.plan, *evaluation};
            const ExportResult once = makeExport(row, input), again = makeExport(row, input);
            QVERIFY2(!once.files.empty(), row.format);
            for (std::size_t i = 0; i < once.files.size(); ++i) {
                QVERIFY2(once.files[i].text == again.files[i].text, row.format);
                QVERIFY2(once.files[i].text.ends_with('\n'), once.files[i].name.c_str());
                QVERIFY(once.files[i].text.find('\r') == std::string::npos);
            }
            checkScripts(once);
        }
    }

private:
    // Every key of the sample is in the file.
    static void compareKeys(const Json& file, const char* sample) {
        const auto text = readFile(test::testData("exports") / sample);
        QVERIFY(text);
        const auto shape = parseJson(*text, sample);
        QVERIFY(shape);
        for (const auto& [key, value] : shape->items()) {
            QVERIFY2(file.contains(key), key.c_str());
            QVERIFY2(file[key].type() == value.type() || (file[key].is_number() && value.is_number()),
                     key.c_str());
        }
    }

    // dup * product of the splits = size of the device group * pipelines, for every leaf and pipeline.
    static void checkLeaves(const Json& value, std::size_t pipelines, int& leaves) {
        if (!value.is_object())
            return;
        if (!value.contains("device_group_union")) {
            for (const Json& inner : value)
                checkLeaves(inner, pipelines, leaves);
            return;
        }
        ++leaves;
        QCOMPARE(value["dup"].size(), pipelines);
        QCOMPARE(value["device_group_union"].size(), pipelines);
        for (std::size_t p = 0; p < pipelines; ++p) {
            std::size_t product = value["dup"][p].get<std::size_t>();
            for (const Json& split : value["split"]) {
                QCOMPARE(split.size(), pipelines);
                product *= split[p].get<std::size_t>();
            }
            QCOMPARE(product, value["device_group_union"][p].size() * pipelines);
        }
    }

    // The runtime counts ranks as if every stage had the most GPUs; the JSON's groups are the used ones.
    static void checkNumbering(const Json& strategy, const Json& file) {
        const int most = strategy["gpus_per_stage"].get<int>();
        const auto device = strategy["rank_to_device_mapping"].get<std::vector<int>>();
        const auto unused = strategy["unused_rank"].get<std::set<int>>();
        std::vector<int> stages;
        for (const Json& pipeline : strategy["hetero_layers"])
            stages.push_back(static_cast<int>(pipeline.size()));
        QCOMPARE(static_cast<int>(device.size()), most * std::accumulate(stages.begin(), stages.end(), 0));
        const auto world = static_cast<int>(file["devices"].size());
        std::set<int> used;
        for (std::size_t r = 0; r < device.size(); ++r) {
            QCOMPARE(device[r] >= world, unused.contains(static_cast<int>(r)));
            QVERIFY(used.insert(device[r]).second);
        }
        int rank = 0;
        for (std::size_t p = 0; p < stages.size(); ++p) {
            std::vector<int> own; // of the last stage of each pipeline
            rank += most * (stages[p] - 1);
            for (int t = 0; t < most; ++t, ++rank)
                if (!unused.contains(rank))
                    own.push_back(device.at(static_cast<std::size_t>(rank)));
            QVERIFY(file["lm_head"]["device_group_union"][p] == Json(own));
        }
    }
};

QTEST_GUILESS_MAIN(TargetsTest)
#include "targets_test.moc"
