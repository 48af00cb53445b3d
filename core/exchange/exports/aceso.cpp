// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/roofline.h"
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

// Aceso's runtime (microsoft/SuperScaler, branch EuroSys24AE) states everything operator by operator: an
// embedding, 13 operators a block, a norm and a head.

namespace pw {

namespace {

// Of a block: norm, qkv, score, softmax, dropout, context, dense, dropout | norm, GEMM, gelu, GEMM, dropout.
constexpr int kAttentionOps = 8, kMlpOps = 5;
constexpr int kCoreFirst = 2, kCoreLast = 5; // score to context: what selective recompute runs again

int opsOf(int layer, int last) {
    return layer == 0 ? 1 : layer == last ? 2 : layer % 2 == 1 ? kAttentionOps : kMlpOps;
}

// Whether the first blocks of the stage reach as far as this layer.
bool isCovered(const Stage& stage, int layer, int last) {
    if (stage.recompute != Recompute::Full || layer == 0 || layer == last)
        return false;
    return stage.recomputeLayers == 0 ||
           layer <= 2 * (stage.chunks.front().first / 2 + stage.recomputeLayers);
}

Json recomputeOps(const Stage& stage, int last) {
    Json list = Json::array();
    const LayerRange range = stage.chunks.front();
    for (int layer = range.first; layer <= range.last; ++layer)
        for (int op = 0; op < opsOf(layer, last); ++op) {
            const bool core = stage.recompute == Recompute::Selective && layer != 0 && layer != last &&
                              layer % 2 == 1 && op >= kCoreFirst && op <= kCoreLast;
            list.push_back(core || isCovered(stage, layer, last) ? 1 : 0);
        }
    return list;
}

Json configuration(const ExportInput& input) {
    const Model& m = input.problem.model();
    const Pipeline& pipeline = input.plan.pipelines.front();
    const int last = fineLayerCount(m) - 1;
    Json gpus = Json::array(), checkpoint = Json::array(), resharding = Json::array(), counts = Json::array(),
         tp = Json::array(), dp = Json::array(), recompute = Json::array(), algorithm = Json::array();
    for (const Stage& stage : pipeline.stages) {
        const LayerRange range = stage.chunks.front();
        std::size_t ops = 0;
        for (int layer = range.first; layer <= range.last; ++layer)
            ops += static_cast<std::size_t>(opsOf(layer, last));
        gpus.push_back(stage.deviceCount());
        checkpoint.push_back(stage.recompute != Recompute::None);
        resharding.push_back(false);
        counts.push_back(ops);
        tp.push_back(std::vector<int>(ops, stage.tp));
        dp.push_back(std::vector<int>(ops, stage.dp()));
        algorithm.push_back(std::vector<int>(ops, 0));
        recompute.push_back(recomputeOps(stage, last));
    }
    return {{"model_name", "gpt"},
            {"model_size", m.name},
            {"num_layers", m.blocks},
            {"seq_length", input.problem.recipe().seq},
            {"max_position_embeddings", std::max(m.positions, input.problem.recipe().seq)},
            {"num_attention_heads", m.heads},
            {"hidden_size", m.hidden},
            {"global_batch_size", input.problem.recipe().gbs},
            {"micro_batch_size", pipeline.microbatchSize * pipeline.count},
            {"num_stages", pipeline.stages.size()},
            {"num_gpus", std::move(gpus)},
            {"checkpoint_activations", std::move(checkpoint)},
            {"resharding_stages", std::move(resharding)},
            {"num_ops_in_each_stage", std::move(counts)},
            {"model_parallel_size_of_each_op", std::move(tp)},
            {"data_parallel_size_of_each_op", std::move(dp)},
            {"recompute_ops", std::move(recompute)},
            {"algo_of_each_op", std::move(algorithm)}};
}

std::string script(const ExportInput& input, const LaunchOrder& order) {
    std::string text = "#!/bin/bash\n";
    text += fmt::format("# For {}: {} GPUs. The order of the nodes is the placement of the stages:\n",
                        exporterRow("aceso")->releases.front().label, order.world());
    text += placementComment(input.problem, order);
    text +=
        R"sh(# Run it on every node, or hand it to slurm.sbatch. Vocabulary, data and length are yours to add:
#     ACESO_HOME=... ./train.sh --vocab-file ... --merge-file ... --train-iters ... [ARGUMENT...]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "${ACESO_HOME:?set it to the runtime folder of Aceso}"
)sh";
    const Precision p = input.problem.precision();
    text +=
        fmt::format("exec bash \"$here/launch.sh\" pretrain_gpt.py --flexpipe-config \"$here/config.json\" "
                    "--DDP-impl local{}{} \"$@\"\n",
                    p == Precision::Fp16   ? " --fp16"
                    : p == Precision::Bf16 ? " --bf16"
                                           : "",
                    hasDropout(input.problem) ? "" : " --attention-dropout 0 --hidden-dropout 0");
    return text;
}

} // namespace

void checkAcesoQuestion(const Problem& problem, const std::string&, std::vector<Refusal>& refusals) {
    const Model& m = problem.model();
    if (m.ffn != 4 * m.hidden)
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            "model " + m.name,
                            {"an MLP of {columns} columns; four times the hidden {hidden} is fixed",
                             {{"columns", m.ffn}, {"hidden", m.hidden}}}});
}

void checkAceso(const Problem& problem, const Plan& plan, const std::string&,
                std::vector<Refusal>& refusals) {
    if (plan.pipelines.size() != 1)
        return;
    const Pipeline& pipeline = plan.pipelines.front();
    const auto divide = [](int a, int b) { return a % b == 0 || b % a == 0; };
    for (std::size_t i = 1; i < pipeline.stages.size(); ++i) {
        const Stage &before = pipeline.stages[i - 1], &own = pipeline.stages[i];
        if (!divide(before.tp, own.tp))
            refusals.push_back({"E_TP_PER_STAGE",
                                stageName(plan, 0, i),
                                {"tensor parallel {own} behind {before}; one must divide the other",
                                 {{"own", own.tp}, {"before", before.tp}}}});
        if (!divide(before.dp(), own.dp()))
            refusals.push_back({"E_DP_PER_STAGE",
                                stageName(plan, 0, i),
                                {"data parallel {own} behind {before}; one must divide the other",
                                 {{"own", own.dp()}, {"before", before.dp()}}}});
    }
    checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
}

std::vector<ExportFile> exportAceso(const ExportInput& input) {
    const LaunchOrder order =
        launchOrder(input.problem, input.plan.pipelines.front(), RankNesting::StagesOutside);
    std::vector<ExportFile> files = {{"config.json", printJson(configuration(input))},
                                     {"train.sh", script(input, order)}};
    for (ExportFile& file : launchFiles(input.problem, order, "./train.sh"))
        files.push_back(std::move(file));
    return files;
}

} // namespace pw
