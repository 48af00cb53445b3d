// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_case.h"
#include "core/calibrate/run_plan.h"
#include "core/calibrate/unsupported.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

#include <cmath>

using namespace pw;
using test::plainGpt;
using test::with;

namespace {

RunCase caseOf(const test::Cells& cells) {
    const auto run = runCase(test::row(cells));
    if (!run)
        qFatal("%s", run.error().text().c_str());
    return *run;
}

bool says(const std::vector<std::string>& list, const std::string& part) {
    for (const std::string& text : list)
        if (text.find(part) != std::string::npos)
            return true;
    return false;
}

std::vector<int> blocksOf(const Plan& plan) {
    std::vector<int> counts;
    for (const Stage& stage : plan.pipelines[0].stages) {
        int layers = 0;
        for (const LayerRange& range : stage.chunks)
            layers += range.last - range.first + 1;
        counts.push_back(layers / 2); // embedding and head are half of what a block is
    }
    return counts;
}

} // namespace

// Rows become plans that can be checked by hand.
class RunCaseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainRow() {
        const RunCase run = caseOf(plainGpt());
        QVERIFY2(run.assumptions.empty(), run.assumptions.empty() ? "" : run.assumptions[0].c_str());
        const Problem& problem = *run.problem;
        QCOMPARE(problem.topology().devices().size(), std::size_t{8});
        QCOMPARE(problem.recipe().gbs, 32);
        QCOMPARE(problem.recipe().seq, 2048);
        QVERIFY(problem.precision() == Precision::Fp16);
        QVERIFY(problem.recipe().software.fusedAttention == Choice::Off);
        QVERIFY(problem.model().tied && !problem.model().gatedMlp);
        QCOMPARE(problem.model().learnedPositions, 2048);
        QCOMPARE(problem.model().vocab, 51200); // a multiple of 128 x tp
        const Pipeline& pipeline = run.plan.pipelines[0];
        QCOMPARE(pipeline.microbatches, 8);
        QCOMPARE(pipeline.microbatchSize, 4);
        QVERIFY(pipeline.schedule.kind == ScheduleKind::OneFOneB);
        QCOMPARE(pipeline.stages.size(), std::size_t{2});
        const Stage& last = pipeline.stages[1];
        QVERIFY(last.chunks == (std::vector<LayerRange>{{25, 49}}));
        QCOMPARE(last.tp, 2);
        QCOMPARE(last.dp(), 2);
        QVERIFY(last.replicas[0].devices == (std::vector<DeviceIndex>{4, 5}));
        QVERIFY(last.replicas[1].devices == (std::vector<DeviceIndex>{6, 7}));
        QVERIFY(last.recompute == Recompute::Full && last.zero == 0 && !last.sequenceParallel);
    }

    void blocksAreSplitAsTrainersDo() {
        QVERIFY(splitBlocks(24, 4) == (std::vector<int>{6, 6, 6, 6}));
        QVERIFY(splitBlocks(22, 8) == (std::vector<int>{2, 3, 3, 3, 3, 3, 3, 2})); // 24 with both ends
        QVERIFY(splitBlocks(10, 4) == (std::vector<int>{2, 3, 3, 2}));
        QVERIFY(splitBlocks(13, 4) == (std::vector<int>{4, 3, 3, 3}));
        QVERIFY(splitBlocks(126, 16) == (std::vector<int>{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7}));
        QVERIFY(splitBlocks(7, 1) == std::vector<int>{7});
    }

    void notesPlaceLayersAndDevices() {
        const RunCase run = caseOf(with(
            plainGpt(),
            {{"gpu", "2xRTX-3090+2xTitan-RTX"},
             {"gpu_mem_gb", ""},
             {"n_gpus", "4"},
             {"dp", "1"},
             {"gbs", "16"},
             {"precision", ""},
             {"network", "rate not in file"},
             {"notes",
              "layers_per_stage=[12, 14] (of num_all_layers incl. embed/head); stages: 2xTitan-RTX/tp2 | "
              "2xRTX-3090/tp2"}}));
        const Pipeline& pipeline = run.plan.pipelines[0];
        QVERIFY(pipeline.stages[0].chunks == (std::vector<LayerRange>{{0, 22}}));
        QVERIFY(pipeline.stages[1].chunks == (std::vector<LayerRange>{{23, 49}}));
        QVERIFY(pipeline.stages[0].replicas[0].devices == (std::vector<DeviceIndex>{2, 3}));
        QVERIFY(pipeline.stages[1].replicas[0].devices == (std::vector<DeviceIndex>{0, 1}));
        QVERIFY(run.problem->precision() == Precision::Fp16); // no bf16 on a Titan RTX
        QVERIFY(says(run.assumptions, "precision"));
        QVERIFY(says(run.assumptions, "network rate"));
    }

    void tensorParallelOverNodesIsJudged() {
        const RunCase run = caseOf(with(plainGpt(), {{"n_gpus", "16"},
                                                     {"tp", "16"},
                                                     {"pp", "1"},
                                                     {"dp", "1"},
                                                     {"gbs", "16"},
                                                     {"schedule", "none"},
                                                     {"network", "100Gb/s EDR IB per node"}}));
        const Cluster& cluster = run.problem->topology().cluster();
        QCOMPARE(cluster.nodes.size(), std::size_t{2});
        QCOMPARE(cluster.switches[0].medium, std::string("InfiniBand"));
        QCOMPARE(cluster.links[0].lanes, 1);
        QCOMPARE(run.plan.pipelines[0].stages[0].replicas[0].devices.size(), std::size_t{16});
    }

    void racksAreDrawn() {
        const auto domains = [](const test::Cells& cells) {
            const RunCase run = caseOf(with(plainGpt(), with({{"gpu", "GB200"},
                                                              {"gpu_mem_gb", "186"},
                                                              {"gpus_per_node", "4"},
                                                              {"precision", "bf16"},
                                                              {"network", "4x400Gb/s per node"},
                                                              {"pp", "1"},
                                                              {"schedule", ""},
                                                              {"n_microbatches", ""}},
                                                             cells)));
            std::vector<std::size_t> trays;
            for (const NvlinkDomain& d : run.problem->topology().cluster().nvlinkDomains)
                trays.push_back(d.nodes.size());
            return trays;
        };
        using Trays = std::vector<std::size_t>;
        const test::Cells stated = {
            {"nvlink_domain", "72"}, {"n_gpus", "72"}, {"dp", "36"}, {"gbs", "72"}, {"mbs", "1"}};
        QVERIFY(domains(stated) == Trays{18});
        // 32 trays lie in two racks of 16, as schedulers deal them out, and 19 in one and a bit.
        QVERIFY(domains(with(stated, {{"n_gpus", "128"}, {"dp", "64"}, {"gbs", "128"}})) == (Trays{16, 16}));
        QVERIFY(domains(with(stated, {{"n_gpus", "76"}, {"dp", "38"}, {"gbs", "76"}})) == (Trays{18, 1}));
        QVERIFY(domains(with(stated, {{"nvlink_domain", "8"}, {"n_gpus", "16"}, {"dp", "8"}})) ==
                (Trays{2, 2}));
        QVERIFY(domains(with(stated, {{"nvlink_domain", "4"}, {"n_gpus", "16"}, {"dp", "8"}})).empty());
        // Not stated: by the text of the GPU, or as is usual for the kind.
        QVERIFY(domains(with(stated, {{"nvlink_domain", ""}})) == Trays{18});
        QVERIFY(domains(with(stated, {{"nvlink_domain", ""}, {"gpu", "GB200 NVL36"}})) == (Trays{9, 9}));
    }

    // A flow of TCP waits for the host's copies; the line is full but for headers.
    void hostsCopyPacketsOfEthernet() {
        const auto rate = [](const char* network) {
            const RunCase run = caseOf(with(plainGpt(), {{"n_gpus", "16"},
                                                         {"tp", "8"},
                                                         {"pp", "2"},
                                                         {"dp", "1"},
                                                         {"gbs", "16"},
                                                         {"network", network}}));
            const Link& link = run.problem->topology().cluster().links[0];
            const double line = link.bandwidth.value * link.efficiency;
            return link.flowBandwidth.value > 0.0 ? std::min(line, link.flowBandwidth.value) : line;
        };
        const CommConstants& k = ConstantSet::builtin().comm();
        QCOMPARE(rate("1Gb/s Ethernet per node"), k.ethernetShare * 0.125e9);
        QCOMPARE(rate("10Gb/s Ethernet per node"), std::min(k.ethernetShare * 1.25e9, k.hostCopyRate.value));
        QCOMPARE(rate("50Gb/s Ethernet per node"), rate("100Gb/s Ethernet per node"));
        QCOMPARE(rate("50Gb/s RoCE per node"), k.rdmaShare * 6.25e9);
        QVERIFY(rate("50Gb/s RoCE per node") > 1.5 * rate("50Gb/s Ethernet per node"));
    }

    void shardingReachesRecipeAndPlan() {
        const test::Cells fsdp = with(plainGpt(), {{"framework", "Composer/PyTorch FSDP"},
                                                   {"tp", "1"},
                                                   {"pp", "1"},
                                                   {"dp", "8"},
                                                   {"n_microbatches", "2"},
                                                   {"schedule", "none"}});
        const RunCase full = caseOf(with(fsdp, {{"sharding", "FULL_SHARD"}}));
        QCOMPARE(full.plan.pipelines[0].stages[0].zero, 3);
        QCOMPARE(full.problem->recipe().zero, 3);
        QVERIFY(full.problem->recipe().software.overlapGather == Choice::On);
        const RunCase within = caseOf(with(fsdp, {{"sharding", "zero1 within 4"}}));
        QCOMPARE(within.plan.pipelines[0].stages[0].zero, 1);
        QCOMPARE(within.problem->recipe().software.shardRanks, 4);
        QCOMPARE(caseOf(with(fsdp, {{"sharding", "zero1 within 8"}})).problem->recipe().software.shardRanks,
                 0);
        const RunCase silent = caseOf(with(fsdp, {{"sharding", ""}}));
        QCOMPARE(silent.plan.pipelines[0].stages[0].zero, 3); // what FSDP does
        QVERIFY(says(silent.assumptions, "sharding"));
    }

    void modelsFollowTheirNames() {
        const auto model = [](const test::Cells& changes) {
            return caseOf(with(plainGpt(), changes)).problem->model();
        };
        const Model llama = model({{"model", "Llama2-7B"}, {"ffn_hidden", "5632"}, {"vocab", "32000"}});
        QVERIFY(llama.gatedMlp && llama.rmsNorm && !llama.tied && llama.learnedPositions == 0);
        const Model published = model({{"model", "Llama-3.1-8B"},
                                       {"n_layers", ""},
                                       {"hidden", ""},
                                       {"ffn_hidden", ""},
                                       {"n_heads", ""},
                                       {"n_kv_heads", ""},
                                       {"vocab", ""}});
        QCOMPARE(published.blocks, 32);
        QCOMPARE(published.kvHeads, 8);
        QCOMPARE(published.vocab, 128256);
        const Model stranger = model({{"model", "Our-1B"}, {"ffn_hidden", "5504"}});
        QVERIFY(stranger.gatedMlp);
        const Model untied = model({{"params_b", "1.417"}}); // 1.312e9 with a tied head
        QVERIFY(!untied.tied);
        const Model mixed = model({{"model", "Mixtral-8x7B"}});
        QCOMPARE(mixed.experts.count, 8);
        QCOMPARE(mixed.experts.perToken, 2);
    }

    void whatIsMissingIsDerivedOrSaid() {
        const RunCase run = caseOf(with(
            plainGpt(), {{"dp", ""}, {"mbs", ""}, {"recompute", "unstated"}, {"schedule", ""}, {"cp", ""}}));
        QCOMPARE(run.plan.pipelines[0].stages[0].dp(), 2);
        QCOMPARE(run.plan.pipelines[0].microbatchSize, 4); // from the count of micro-batches
        QVERIFY(says(run.assumptions, "recompute"));
        QVERIFY(says(run.assumptions, "schedule"));
        const RunCase local = caseOf(with(plainGpt(), {{"n_microbatches", ""}, {"mbs", "16"}}));
        QCOMPARE(local.plan.pipelines[0].microbatches, 2); // cut for its two stages
        QVERIFY(says(local.assumptions, "local batch"));
        const RunCase ranked = caseOf(with(plainGpt(), {{"sp", "1"}}));
        QVERIFY(ranked.plan.pipelines[0].stages[0].sequenceParallel);
    }

    void refusalsNameTheField_data() {
        QTest::addColumn<QByteArray>("column");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("field");
        const auto row = [](const char* column, const char* value, const char* field) {
            QTest::addRow("%s = %s", column, value)
                << QByteArray(column) << QByteArray(value) << QByteArray(field);
        };
        row("gpu", "TPU v5p", "gpu");
        row("n_gpus", "", "n_gpus");
        row("tp", "", ""); // follows from the others
        row("seq_len", "", "seq_len");
        row("n_layers", "", ""); // GPT-1.3B is known
        row("n_layers", "1000000007", "n_layers");
        row("gbs", "", "");                   // mbs x micro-batches x dp
        row("precision", "fp8", "precision"); // not on an A100
        row("precision", "int4", "precision");
        row("schedule", "DualPipe", "schedule");
        row("model", "T5-11B", "model");
        row("peft", "lora", "peft");
        // Nobody knows what these are; a guess takes their place.
        row("schedule", "astrology", "");
        row("sharding", "magic", "");
        row("recompute", "sometimes", "");
        row("model", "Our-MoE", "");
        row("n_heads", "", "");
    }
    void refusalsNameTheField() {
        QFETCH(QByteArray, column);
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, field);
        const auto run = runCase(test::row(with(plainGpt(), {{column.toStdString(), value.toStdString()}})));
        QCOMPARE(bool(run), field.isEmpty());
        if (!run) {
            QVERIFY2(run.error().code == kUnsupported, run.error().text().c_str());
            QCOMPARE(run.error().where, field.toStdString());
        }
    }

    void unknownWordsAreSaid() {
        for (const auto& [column, value] :
             {std::pair("schedule", "astrology"), std::pair("sharding", "magic"),
              std::pair("recompute", "sometimes"), std::pair("stage_layers", "by feeling")}) {
            const RunCase run = caseOf(with(plainGpt(), {{column, value}}));
            QVERIFY2(says(run.assumptions, std::string("\"") + value + "\" not understood"), column);
        }
    }

    void headsAreGuessedSoThatTensorRanksDivideThem() {
        // 5 heads of 128 is the usual guess for 640; two ranks want another.
        const test::Cells narrow = with(
            plainGpt(), {{"hidden", "640"}, {"ffn_hidden", "2560"}, {"n_heads", ""}, {"n_kv_heads", ""}});
        QCOMPARE(caseOf(narrow).problem->model().heads % 2, 0);
        // Nothing that divides 2080 is a multiple of 3: three heads are a guess that can be run.
        const RunCase odd = caseOf(with(narrow, {{"hidden", "2080"},
                                                 {"ffn_hidden", "8328"},
                                                 {"tp", "3"},
                                                 {"pp", "1"},
                                                 {"dp", "1"},
                                                 {"n_gpus", "3"},
                                                 {"gbs", "16"}}));
        QCOMPARE(odd.problem->model().heads % 3, 0);
        QVERIFY(says(odd.assumptions, "n_heads not stated"));
    }

    void columnsOfExpertsDecide() {
        const test::Cells grok = with(plainGpt(), {{"model", "Grok1-314B (4 layers)"},
                                                   {"params_b", ""},
                                                   {"n_layers", "4"},
                                                   {"hidden", "6144"},
                                                   {"ffn_hidden", "32768"},
                                                   {"n_heads", "48"},
                                                   {"n_kv_heads", "8"},
                                                   {"tp", "1"},
                                                   {"pp", "1"},
                                                   {"dp", "8"},
                                                   {"gbs", "16"},
                                                   {"ep", "8"},
                                                   {"schedule", ""},
                                                   {"gpu", "H200-SXM-141GB"},
                                                   {"gpu_mem_gb", "141"},
                                                   {"precision", "bf16"}});
        const Experts named = caseOf(grok).problem->model().experts;
        QCOMPARE(named.count, 8);
        QCOMPARE(named.perToken, 2);
        const RunCase stated = caseOf(with(grok, {{"n_experts", "16"},
                                                  {"experts_top_k", "4"},
                                                  {"moe_ffn", "8192"},
                                                  {"shared_experts", "1"},
                                                  {"dense_first_layers", "1"},
                                                  {"mtp_layers", "1"}}));
        const Experts& experts = stated.problem->model().experts;
        QVERIFY(experts.count == 16 && experts.perToken == 4 && experts.ffn == 8192 && experts.shared == 1);
        QVERIFY(experts.denseBlocks == std::vector<std::int64_t>{0});
        QCOMPARE(stated.problem->model().predictionDepth, 1);
        QCOMPARE(stated.plan.pipelines[0].stages[0].ep, 8);
        // Trainers deal experts over more ranks than there are replicas: over context-parallel ones first,
        // then over tensor-parallel ones too, where an expert is whole.
        const auto stageOf = [&](const test::Cells& cells) {
            return caseOf(with(grok, cells)).plan.pipelines[0].stages[0];
        };
        const Stage context = stageOf({{"tp", "2"}, {"cp", "2"}, {"dp", "2"}, {"ep", "4"}});
        QCOMPARE(context.ep, 4);
        QCOMPARE(context.expertTp(), 0);
        const RunCase folded = caseOf(with(grok, {{"tp", "4"}, {"dp", "2"}}));
        QCOMPARE(folded.plan.pipelines[0].stages[0].ep, 8);
        QCOMPARE(folded.plan.pipelines[0].stages[0].expertTp(), 1);
        QVERIFY(says(folded.assumptions, "ep 8 over tensor-parallel ranks too"));
        const RunCase fewer = caseOf(with(grok, {{"tp", "2"}, {"pp", "2"}, {"dp", "2"}}));
        QCOMPARE(fewer.plan.pipelines[0].stages[0].ep, 4); // of the four GPUs of a stage
        QVERIFY(says(fewer.assumptions, "ep 8 priced as 4"));
    }

    void sizesOutvoteNames() {
        const test::Cells named = with(plainGpt(), {{"model", "Mixtral-tokenizer-1.3B"}});
        QCOMPARE(caseOf(named).problem->model().experts.count, 0); // 1.3 billion in the name
        const RunCase counted = caseOf(with(plainGpt(), {{"model", "Mixtral-like"}, {"params_b", "1.3"}}));
        QCOMPARE(counted.problem->model().experts.count, 0);
        QVERIFY(says(counted.assumptions, "against the name"));
        const RunCase column = caseOf(with(plainGpt(), {{"model", "Mixtral-8x7B"}, {"n_experts", "0"}}));
        QCOMPARE(column.problem->model().experts.count, 0);
        const RunCase remark = caseOf(with(plainGpt(), {{"model", "Llama-like (Mixtral tokenizer)"}}));
        QCOMPARE(remark.problem->model().experts.count, 0);
        const RunCase experts = caseOf(with(plainGpt(), {{"model", "Mixtral-8x7B"}}));
        QCOMPARE(experts.problem->model().experts.count, 8);
    }

    void columnsOfOverlapReachTheRecipe() {
        const auto software = [](const test::Cells& cells) {
            return caseOf(with(plainGpt(), cells)).problem->recipe().software;
        };
        QVERIFY(software({}).overlapGradients == Choice::Off); // Megatron-LM's own
        QVERIFY(software({{"overlap_grad_reduce", "1"}}).overlapGradients == Choice::On);
        QVERIFY(software({{"overlap_param_gather", "0"}}).overlapParameters == Choice::Off);
        QVERIFY(software({{"overlap_param_gather", "1"}}).overlapParameters == Choice::On);
        QVERIFY(software({{"tp_comm_overlap", "1"}}).overlapTensor == Choice::On);
        QVERIFY(software({{"cuda_graphs", "full iteration"}}).graphs == Graphs::Iteration);
        const auto zero = [](const test::Cells& cells) {
            return caseOf(with(plainGpt(), cells)).problem->recipe().zero;
        };
        QCOMPARE(zero({{"sharding", ""}, {"distributed_optimizer", "1"}}), 1);
        QCOMPARE(zero({{"sharding", ""}, {"fsdp", "1"}}), 3);
        QCOMPARE(zero({{"sharding", "none"}, {"distributed_optimizer", "1"}}), 0); // the text is more special
    }

    void unevenRoundsOfInterleavingAreJudged() {
        const RunCase run = caseOf(
            with(plainGpt(),
                 {{"vpp", "2"}, {"schedule", "1F1B-interleaved"}, {"gbs", "20"}, {"n_microbatches", "5"}}));
        QVERIFY(run.plan.pipelines[0].schedule.kind == ScheduleKind::OneFOneB);
        QVERIFY(says(run.assumptions, "interleaved with 5"));
    }

    void sizesFollowFromParameters() {
        const RunCase run = caseOf(with(plainGpt(), {{"model", "GPT2-2.0B"},
                                                     {"params_b", "2.0"},
                                                     {"n_layers", ""},
                                                     {"hidden", ""},
                                                     {"ffn_hidden", ""},
                                                     {"n_heads", ""},
                                                     {"n_kv_heads", ""},
                                                     {"vocab", ""}}));
        const double billions = static_cast<double>(parameterCount(run.problem->model())) * 1e-9;
        QVERIFY2(std::abs(billions / 2.0 - 1.0) < 0.05, qPrintable(QString::number(billions)));
        QVERIFY(says(run.assumptions, "sizes not stated"));
    }

    void contradictionsAreErrors() {
        for (const auto& [column, value, field] :
             {std::tuple("tp", "4", "n_gpus"), std::tuple("gbs", "33", "gbs"), std::tuple("pp", "0", "pp")}) {
            const auto run = runCase(test::row(with(plainGpt(), {{column, value}})));
            QVERIFY(!run);
            QVERIFY(run.error().code != kUnsupported);
            QCOMPARE(run.error().where, std::string(field));
        }
    }

    void namesOfSourcesDoNotMatter() {
        const RunCase plain = caseOf(plainGpt());
        const RunCase other = caseOf(with(plainGpt(), {{"row_id", "x-1"},
                                                       {"set", "table9"},
                                                       {"source", "https://example.org"},
                                                       {"verified", "recall"}}));
        QCOMPARE(other.problem->hash(), plain.problem->hash());
        QVERIFY(other.plan == plain.plan);
    }

    void unevenStagesKeepAllLayers() {
        const RunCase run = caseOf(
            with(plainGpt(), {{"n_layers", "22"}, {"pp", "8"}, {"tp", "1"}, {"dp", "1"}, {"gbs", "16"}}));
        const std::vector<int> counts = blocksOf(run.plan);
        QVERIFY(counts == (std::vector<int>{2, 3, 3, 3, 3, 3, 3, 2}));
    }
};

QTEST_APPLESS_MAIN(RunCaseTest)
#include "run_case_test.moc"
