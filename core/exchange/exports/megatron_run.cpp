// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/megatron_run.h"

#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

// Numbers of blocks that core before 0.13 can be asked for: the first and the last stage may differ from the
// others, which are alike, and the chunks of a stage are alike.
struct ThreePart {
    bool possible = false;
    int first = 0, last = 0; // 0: not asked for
};

ThreePart threePart(const MegatronRun& run) {
    ThreePart parts;
    const auto pp = static_cast<std::size_t>(run.pp);
    std::vector<int> stages(pp, 0);
    for (std::size_t v = 0; v < run.blocks.size(); ++v) {
        if (run.blocks[v] != run.blocks[v % pp])
            return parts;
        stages[v % pp] += run.blocks[v];
    }
    parts.possible = true;
    for (std::size_t s = 2; s + 1 < pp; ++s)
        parts.possible = parts.possible && stages[s] == stages[1];
    const int middle = pp > 2 ? stages[1] : stages.back();
    parts.first = stages.front() == middle ? 0 : stages.front();
    parts.last = stages.back() == middle ? 0 : stages.back();
    parts.possible = parts.possible && *std::min_element(stages.begin(), stages.end()) > 0;
    return parts;
}

void fillLayers(MegatronRun& run, const Model& model, const Pipeline& pipeline) {
    const ChunkLayout layout = pipeline.layout();
    const int last = fineLayerCount(model) - 1;
    for (int v = 0; v < layout.virtualStages(); ++v) {
        const LayerRange& range = pipeline.stages[static_cast<std::size_t>(layout.stageOf(v))]
                                      .chunks[static_cast<std::size_t>(layout.chunkOf(v))];
        run.blocks.push_back(wholeBlocks(model, range));
        run.embedding.push_back(range.first == 0);
        run.head.push_back(range.last == last);
    }
}

MegatronRun translated(const Problem& problem, const Plan& plan) {
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage& first = pipeline.stages.front();
    MegatronRun run;
    run.tp = first.tp;
    run.cp = first.cp;
    run.ep = first.ep;
    run.dp = first.dp();
    run.pp = static_cast<int>(pipeline.stages.size());
    run.vpp = pipeline.schedule.chunks;
    run.microbatches = pipeline.microbatches;
    run.microbatchSize = pipeline.microbatchSize * pipeline.count / first.dp();
    run.sequenceParallel = first.sequenceParallel && first.tp > 1;
    run.distributedOptimizer = first.zero == 1 && run.dp * run.cp > 1;
    run.recompute = first.recompute;
    const int common = commonRecomputedBlocks(problem, plan);
    fillLayers(run, problem.model(), pipeline);
    const int most = *std::max_element(run.blocks.begin(), run.blocks.end());
    run.recomputedBlocks = run.recompute == Recompute::Full && common < most ? common : 0;
    const ThreePart parts = threePart(run);
    run.firstBlocks = parts.first;
    run.lastBlocks = parts.last;
    run.order = bestLaunchOrder(problem, pipeline);
    return run;
}

std::string layerFrequency(const Model& model) {
    std::vector<std::pair<bool, int>> runs;
    for (int b = 0; b < model.blocks; ++b) {
        const bool expert = hasExperts(model, b);
        if (runs.empty() || runs.back().first != expert)
            runs.emplace_back(expert, 0);
        ++runs.back().second;
    }
    std::string text;
    for (const auto& [expert, count] : runs)
        text += fmt::format("{}[{}]*{}", text.empty() ? "" : "+", expert ? 1 : 0, count);
    return "(" + text + ")";
}

} // namespace

std::string MegatronRun::layout() const {
    std::string text;
    for (std::size_t v = 0; v < blocks.size(); ++v) {
        text += v == 0 ? "" : "|";
        text += embedding[v] ? "E" : "";
        text += blocks[v] == 0 ? "" : blocks[v] == 1 ? "t" : fmt::format("t*{}", blocks[v]);
        text += head[v] ? "L" : "";
    }
    return text;
}

MegatronRun megatronRun(const ExportInput& input) {
    return translated(input.problem, input.plan);
}

bool hasPipelineLayout(const std::string& release) {
    return release != "0.12";
}

void checkMegatron(const Problem& problem, const Plan& plan, const std::string& release,
                   std::vector<Refusal>& refusals) {
    if (plan.pipelines.size() != 1)
        return; // the replicas' shapes are refused already
    const Pipeline& pipeline = plan.pipelines.front();
    const PlanSchedule& schedule = pipeline.schedule;
    if (schedule.kind == ScheduleKind::Interleaved) {
        const auto stages = static_cast<int>(pipeline.stages.size());
        if (stages < 2)
            refusals.push_back({"E_VPP", "plan", "virtual stages on one stage; two stages are the least"});
        else if (const std::string why = unfitMicrobatches(schedule.kind, pipeline.microbatches, stages);
                 !why.empty())
            refusals.push_back({"E_VPP", "plan", why});
    }
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        const Stage& stage = pipeline.stages[i];
        if (hasExperts(problem.model()) && stage.ep > 1 && stage.tp > 1 && !stage.sequenceParallel)
            refusals.push_back({"E_SEQUENCE_PARALLEL", stageName(plan, 0, i),
                                "expert and tensor parallelism together need sequence parallelism"});
    }
    checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
    const bool chunked = std::all_of(pipeline.stages.begin(), pipeline.stages.end(), [&](const Stage& s) {
        return static_cast<int>(s.chunks.size()) == schedule.chunks;
    });
    if (hasPipelineLayout(release) || !chunked)
        return;
    MegatronRun run;
    run.pp = static_cast<int>(pipeline.stages.size());
    fillLayers(run, problem.model(), pipeline);
    if (!threePart(run).possible)
        refusals.push_back({"E_UNEVEN_LAYERS",
                            "plan",
                            {"{layout} blocks; before core 0.13 only the first and the last stage may differ "
                             "from the others",
                             {{"layout", run.layout()}}}});
}

std::vector<std::pair<std::string, std::string>> megatronModelArguments(const Problem& problem) {
    const Model& m = problem.model();
    std::vector<std::pair<std::string, std::string>> list;
    const auto number = [&](const char* flag, std::int64_t value) {
        list.emplace_back(flag, std::to_string(value));
    };
    const auto flag = [&](const char* name, bool on) {
        if (on)
            list.emplace_back(name, "");
    };
    number("--num-layers", m.blocks);
    number("--hidden-size", m.hidden);
    number("--ffn-hidden-size", m.ffn);
    number("--num-attention-heads", m.heads);
    if (hasLatentAttention(m)) {
        flag("--multi-latent-attention", true);
        if (m.latent.queryRank > 0)
            number("--q-lora-rank", m.latent.queryRank);
        number("--kv-lora-rank", m.latent.kvRank);
        number("--qk-head-dim", m.latent.plainDim);
        number("--qk-pos-emb-head-dim", m.latent.rotaryDim);
        number("--v-head-dim", m.latent.valueDim);
    } else {
        number("--kv-channels", m.headDim);
        flag("--group-query-attention", m.kvHeads != m.heads);
        if (m.kvHeads != m.heads)
            number("--num-query-groups", m.kvHeads);
    }
    number("--seq-length", problem.recipe().seq);
    number("--max-position-embeddings", std::max(m.positions, problem.recipe().seq));
    list.emplace_back("--position-embedding-type", m.learnedPositions > 0 ? "learned_absolute" : "rope");
    flag("--swiglu", m.gatedMlp);
    list.emplace_back("--normalization", m.rmsNorm ? "RMSNorm" : "LayerNorm");
    flag("--disable-bias-linear", !m.mlpBias);
    flag("--add-qkv-bias", m.qkvBias && !m.mlpBias);
    flag("--qk-layernorm", m.queryKeyNorm);
    flag("--untie-embeddings-and-output-weights", !m.tied);
    if (hasExperts(m)) {
        number("--num-experts", m.experts.count);
        number("--moe-router-topk", m.experts.perToken);
        number("--moe-ffn-hidden-size", m.experts.ffn);
        if (m.experts.shared > 0)
            number("--moe-shared-expert-intermediate-size", sharedWidth(m));
        if (!m.experts.denseBlocks.empty())
            list.emplace_back("--moe-layer-freq", layerFrequency(m));
        flag("--moe-router-enable-expert-bias", m.experts.routerBias);
        if (m.experts.routerBias)
            list.emplace_back("--moe-router-score-function", "sigmoid");
        list.emplace_back("--moe-token-dispatcher-type", "alltoall");
    }
    const bool dropout = m.family == "gpt2" || m.family == "gpt_neo" || m.family == "opt";
    if (!isOn(problem.recipe().software.dropout, dropout)) {
        number("--attention-dropout", 0);
        number("--hidden-dropout", 0);
    }
    return list;
}

std::string megatronSummary(const ExportInput& input, const MegatronRun& run, const std::string& release) {
    std::string text = fmt::format("# For {}.\n", release);
    text += fmt::format(
        "# {} GPUs: TP {} x CP {} x DP {} x PP {}{}, {} micro-batches of {} sequences a replica.\n",
        run.world(), run.tp, run.cp, run.dp, run.pp,
        run.vpp > 1 ? fmt::format(" with {} virtual stages each", run.vpp) : "", run.microbatches,
        run.microbatchSize);
    text += "# The order of the nodes is the placement of the stages:\n";
    return text + placementComment(input.problem, run.order);
}

} // namespace pw
