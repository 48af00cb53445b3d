// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/megatron_run.h"

#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

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

// "([0]*3+[1]*58)": the blocks for which something holds, as the trainer's patterns have it.
template <class Holds>
std::string layerPattern(const Model& model, Holds holds) {
    std::vector<std::pair<bool, int>> runs;
    for (int b = 0; b < model.blocks; ++b) {
        const bool one = holds(b);
        if (runs.empty() || runs.back().first != one)
            runs.emplace_back(one, 0);
        ++runs.back().second;
    }
    std::string text;
    for (const auto& [one, count] : runs)
        text += fmt::format("{}[{}]*{}", text.empty() ? "" : "+", one ? 1 : 0, count);
    return "(" + text + ")";
}

// The windows of the blocks that attend locally.
std::set<std::int64_t> windows(const Model& model) {
    std::set<std::int64_t> sizes;
    for (int b = 0; b < model.blocks; ++b)
        if (const std::int64_t size = windowOf(model, b); size > 0)
            sizes.insert(size);
    return sizes;
}

} // namespace

std::int64_t megatronWindow(const Model& model) {
    const std::set<std::int64_t> sizes = windows(model);
    return sizes.empty() ? 0 : *sizes.begin();
}

std::string megatronWindowPattern(const Model& model) {
    const auto local = [&](int b) { return windowOf(model, b) > 0; };
    return megatronWindow(model) > 0 &&
                   std::ranges::any_of(model.window, [](std::int64_t size) { return size == 0; })
               ? layerPattern(model, local)
               : std::string();
}

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
    core.furtherLearned = minor >= 17;
    core.bareNull = minor >= 18;
    core.windowPattern = release != "2025-09"; // NeMo 2
    return core;
}

std::int64_t nullVocabulary(const Model& model, const MegatronCore& core) {
    return core.bareNull ? model.vocab : model.vocab - 1;
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

void checkWindows(const Model& m, const MegatronCore& core, std::vector<Refusal>& refusals) {
    const std::set<std::int64_t> sizes = windows(m);
    const auto refuse = [&](const char* why) {
        refusals.push_back({"E_UNSUPPORTED_MODEL", "model " + m.name, why});
    };
    if (!sizes.empty() && !core.windows)
        refuse("it has blocks that attend locally; the trainer has them from core 0.15 on");
    else if (sizes.size() > 1)
        refuse("its blocks have windows of several sizes; the trainer has one for all that attend locally");
    else if (!core.windowPattern && !megatronWindowPattern(m).empty())
        refuse("some of its blocks attend locally; the trainer has no pattern of them");
    else if (!sizes.empty() && m.chunks)
        refuse("its tokens see chunks of the sequence; the trainer's windows slide");
}

} // namespace

void checkMegatronQuestion(const Problem& problem, const std::string& release,
                           std::vector<Refusal>& refusals) {
    const MegatronCore core = megatronCore(release);
    const Model& m = problem.model();
    checkWindows(m, core, refusals);
    if (m.predictionDepth > 0 && m.learnedPositions > 0 && !core.furtherLearned)
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL", "model " + m.name,
             "it has learned positions and layers that predict further tokens; before core 0.17 the "
             "trainer has these with rotary positions alone"});
}

void checkMegatronStages(const Problem& problem, const Plan& plan, const MegatronCore& core,
                         std::vector<Refusal>& refusals) {
    checkExperts(problem, plan, core, refusals);
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

namespace {

// Grouped products of all experts of a GPU (cutlass) want compute capability 8.0, which is what bf16 comes
// with, and before core 0.16 bf16 itself.
bool groupsExperts(const Problem& problem, const Plan& plan, const MegatronCore& core) {
    return (core.halfExperts || problem.precision() == Precision::Bf16) && everyKindHasBf16(problem, plan);
}

} // namespace

void megatronNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes) {
    const Model& m = problem.model();
    const std::string where = "model " + m.name;
    const auto warn = [&](const char* code, std::string place, Wording wording) {
        notes.push_back({Severity::Warning, code, std::move(place), std::move(wording)});
    };
    if (m.learnedPositions == 0 && m.rotaryBase == 0)
        warn("export.rotary_base", where,
             "does not state the base of its rotary positions, and the trainer takes 10000: give the trainer "
             "--rotary-base, or the model rotary_base");
    if (scalesPositions(m) && megatronScaling(m).empty())
        warn("export.rope_scaling", where,
             {"scales its rotary positions ({kind}), which the files do not say: give the trainer its flags "
              "for that, or it builds another model",
              {{"kind", m.rotaryScaling.kind}}});
    if (m.experts.routerBias && m.experts.scale == 0.0)
        warn("export.router", where,
             "does not state how its router groups and scales experts: give the trainer "
             "--moe-router-num-groups, --moe-router-group-topk and --moe-router-topk-scaling-factor, or the "
             "model router_groups, router_groups_per_token and router_scale");
    if (hasExperts(m) && !groupsExperts(problem, plan, megatronCore(release)))
        warn("export.grouped_experts", where,
             "its experts are multiplied one after the other, which takes longer than predicted: grouped "
             "products need compute capability 8.0, and bf16 before core 0.16");
    for (const DeviceKind* kind : usedKinds(problem, plan))
        if (kind->vendor == "NVIDIA" && kind->bf16.value <= 0.0)
            warn(
                "export.transformer_engine", kind->shortName,
                "is older than what Transformer Engine and PyTorch for CUDA 13 are built for; where they are "
                "missing, run with --transformer-impl local and a PyTorch for CUDA 12");
}

std::vector<std::pair<std::string, std::string>>
megatronModelArguments(const Problem& problem, const Plan& plan, const MegatronCore& core) {
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
    if (m.learnedPositions == 0 && m.rotaryBase > 0)
        number("--rotary-base", std::llround(m.rotaryBase)); // takes whole numbers
    for (auto& argument : megatronScaling(m))
        list.push_back(std::move(argument));
    if (const std::int64_t window = megatronWindow(m); window > 0) {
        list.emplace_back("--window-size", fmt::format("{},0", window - 1)); // tokens to the left and right
        if (const std::string pattern = megatronWindowPattern(m); !pattern.empty())
            list.emplace_back("--window-attn-skip-freq", pattern);
    }
    flag("--swiglu", m.gatedMlp);
    list.emplace_back("--normalization", m.rmsNorm ? "RMSNorm" : "LayerNorm");
    if (m.normEpsilon > 0.0)
        list.emplace_back("--norm-epsilon", fmt::format("{}", m.normEpsilon));
    flag("--disable-bias-linear", !m.mlpBias);
    flag("--add-qkv-bias", m.qkvBias && !m.mlpBias);
    // The norms of latent attention hang on the same flag (megatron/core/models/gpt/gpt_layer_specs.py).
    flag("--qk-layernorm", m.queryKeyNorm || hasLatentAttention(m));
    flag("--untie-embeddings-and-output-weights", !m.tied);
    if (m.predictionDepth > 0)
        number("--mtp-num-layers", m.predictionDepth);
    if (hasExperts(m)) {
        number("--num-experts", m.experts.count);
        number("--moe-router-topk", m.experts.perToken);
        number("--moe-ffn-hidden-size", m.experts.ffn);
        if (m.experts.shared > 0)
            number("--moe-shared-expert-intermediate-size", sharedWidth(m));
        if (!m.experts.denseBlocks.empty())
            list.emplace_back("--moe-layer-freq", layerPattern(m, [&](int b) { return hasExperts(m, b); }));
        flag("--moe-router-enable-expert-bias", m.experts.routerBias);
        if (m.experts.routerBias)
            list.emplace_back("--moe-router-score-function", "sigmoid");
        if (m.experts.groups > 0) {
            number("--moe-router-num-groups", m.experts.groups);
            number("--moe-router-group-topk", m.experts.groupsPerToken);
        }
        if (m.experts.scale > 0.0)
            list.emplace_back("--moe-router-topk-scaling-factor", fmt::format("{}", m.experts.scale));
        flag("--moe-grouped-gemm", groupsExperts(problem, plan, core));
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
