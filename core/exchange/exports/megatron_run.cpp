// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/megatron_run.h"

#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

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
    run.furtherTokens = static_cast<int>(model.predictionDepth);
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
    const Software& software = problem.recipe().software;
    run.overlapsGradients = isOn(software.overlapGradients, false) && run.dp * run.cp > 1;
    run.overlapsParameters =
        run.overlapsGradients && run.distributedOptimizer && isOn(software.overlapParameters, false);
    run.overlapsTensor = run.sequenceParallel && isOn(software.overlapTensor, false);
    run.overlapsSends = run.vpp > 1 && run.pp > 1 && overlapsTransfers(software);
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

} // namespace

std::string MegatronRun::layout() const {
    std::string text;
    for (std::size_t v = 0; v < blocks.size(); ++v) {
        text += v == 0 ? "" : "|";
        text += embedding[v] ? "E" : "";
        text += blocks[v] == 0 ? "" : blocks[v] == 1 ? "t" : fmt::format("t*{}", blocks[v]);
        text += head[v] ? std::string(static_cast<std::size_t>(furtherTokens), 'm') + "L" : "";
    }
    return text;
}

MegatronRun megatronRun(const ExportInput& input) {
    return translated(input.problem, input.plan);
}

// FlagScale of November 2025 stands on 8479eb35, between 0.13 and 0.14, which has windows already; NeMo 2 and
// Megatron-Bridge do not go through arguments.py, which is what refuses experts in fp16.
MegatronCore megatronCore(const std::string& release) {
    const bool isFlagscale = release == "2025-11";
    constexpr int kNewest = 1000;
    const int minor = isFlagscale ? 14 : release.starts_with("0.") ? std::atoi(release.c_str() + 2) : kNewest;
    MegatronCore core;
    core.layouts = core.furtherWithCp = minor >= 13;
    core.furtherInLayouts = minor >= 14;
    core.windows = minor >= 15 || isFlagscale;
    core.halfExperts = minor >= 16;
    core.fusedLatentRope = minor >= 13;
    core.latentScaling = minor >= 14 && !isFlagscale;
    core.sharedExpertGate = minor >= 16 && release != "2025-09"; // NeMo 2
    core.furtherLearned = minor >= 17;
    core.bareNull = minor >= 18;
    core.windowPattern = release != "2025-09"; // NeMo 2
    return core;
}

namespace {

void checkExperts(const Problem& problem, const Plan& plan, const MegatronCore& core,
                  std::vector<Refusal>& refusals) {
    const std::vector<Stage>& stages = plan.pipelines.front().stages;
    for (std::size_t i = 0; hasExperts(problem.model()) && i < stages.size(); ++i) {
        const Stage& stage = stages[i];
        // Raised by the first step: megatron/core/transformer/moe/moe_layer.py:629.
        if (stage.tp > 1 && !stage.sequenceParallel)
            refusals.push_back({"E_SEQUENCE_PARALLEL", stageName(plan, 0, i),
                                "experts under tensor parallelism need sequence parallelism"});
        // 0.15.3 megatron/training/arguments.py:1041, gone in 0.16.
        if (stage.ep > 1 && !core.halfExperts && problem.precision() == Precision::Fp16)
            refusals.push_back(
                {"E_EP",
                 stageName(plan, 0, i),
                 {"expert parallel {ep} in fp16; before core 0.16 it is possible in bf16 and fp32",
                  {{"ep", stage.ep}}}});
    }
}

// Where nodes hold whole pipelines, ranks run over the stages first (--use-tp-pp-dp-mapping), and the core
// asserts that experts have as many data-parallel ranks as the rest, in models without experts too
// (megatron/core/parallel_state.py:902, 0.12: 720).
void checkRankOrder(const Problem& problem, const Pipeline& pipeline, std::vector<Refusal>& refusals) {
    const Stage& first = pipeline.stages.front();
    const int cut = first.expertTp() > 0 ? first.expertTp() : first.tp; // of an expert
    const int ofExperts = first.dp() * first.cp * first.tp / std::max(1, cut * first.ep);
    if (pipeline.stages.size() > 1 && ofExperts != first.dp() &&
        bestLaunchOrder(problem, pipeline).nesting == RankNesting::ReplicasOutside)
        refusals.push_back({"E_NONCONTIGUOUS_DEVICES",
                            "plan",
                            {"nodes with a whole pipeline each; the trainer's order of ranks for that takes "
                             "{replicas} data-parallel ranks of experts, as of the rest, not {experts}",
                             {{"replicas", first.dp()}, {"experts", ofExperts}}}});
}

} // namespace

void checkMegatronStages(const Problem& problem, const Plan& plan, const MegatronCore& core,
                         std::vector<Refusal>& refusals) {
    checkExperts(problem, plan, core, refusals);
    checkRankOrder(problem, plan.pipelines.front(), refusals);
    if (problem.model().predictionDepth > 0 && plan.pipelines.front().stages.front().cp > 1 &&
        !core.furtherWithCp)
        refusals.push_back(
            {"E_CP", "plan",
             "context parallelism of a model with layers that predict further tokens; core 0.13 is the "
             "first that takes it"});
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
        else if (const auto why = unfitMicrobatches(schedule.kind, pipeline.microbatches, stages))
            refusals.push_back({"E_VPP", "plan", *why});
    }
    const MegatronCore core = megatronCore(release);
    checkMegatronStages(problem, plan, core, refusals);
    checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
    const bool chunked = std::all_of(pipeline.stages.begin(), pipeline.stages.end(), [&](const Stage& s) {
        return static_cast<int>(s.chunks.size()) == schedule.chunks;
    });
    if (core.takesLayout(problem.model()) || !chunked)
        return;
    MegatronRun run;
    run.pp = static_cast<int>(pipeline.stages.size());
    fillLayers(run, problem.model(), pipeline);
    if (!threePart(run).possible)
        refusals.push_back(
            {"E_UNEVEN_LAYERS",
             "plan",
             {"{layout} blocks; before core 0.13, and before 0.14 of a model with layers that predict "
              "further tokens, only the first and the last stage may differ from the others",
              {{"layout", run.layout()}}}});
}

std::string megatronSummary(const ExportInput& input, const MegatronRun& run, const std::string& release) {
    std::string text = fmt::format("# For {}.\n", release);
    text += fmt::format(
        "# {} GPUs: TP {} x CP {} x DP {} x PP {}{}, {} micro-batch{} of {} sequence{} a replica.\n",
        run.world(), run.tp, run.cp, run.dp, run.pp,
        run.vpp > 1 ? fmt::format(" with {} virtual stages each", run.vpp) : "", run.microbatches,
        run.microbatches == 1 ? "" : "es", run.microbatchSize, run.microbatchSize == 1 ? "" : "s");
    text += "# The order of the nodes is the placement of the stages:\n";
    return text + placementComment(input.problem, run.order);
}

} // namespace pw
