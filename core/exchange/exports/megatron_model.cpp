// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/roofline.h"
#include "core/exchange/exports/megatron_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

// What Megatron core is told of a model, and what it does not have.

namespace pw {

namespace {

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

// Grouped products of all experts of a GPU (cutlass) want compute capability 8.0, which is what bf16 comes
// with, and before core 0.16 bf16 itself.
bool groupsExperts(const Problem& problem, const Plan& plan, const MegatronCore& core) {
    return (core.halfExperts || problem.precision() == Precision::Bf16) && everyKindHasBf16(problem, plan);
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

std::int64_t nullVocabulary(const Model& model, const MegatronCore& core) {
    return core.bareNull ? model.vocab : model.vocab - 1;
}

void checkMegatronQuestion(const Problem& problem, const std::string& release,
                           std::vector<Refusal>& refusals) {
    const MegatronCore core = megatronCore(release);
    const Model& m = problem.model();
    checkWindows(m, core, refusals);
    if (m.experts.sharedGate && !core.sharedExpertGate)
        refusals.push_back({"E_UNSUPPORTED_MODEL", "model " + m.name,
                            "it has a gate on its shared experts; the trainer has it from core 0.16 on"});
    if (m.predictionDepth > 0 && m.learnedPositions > 0 && !core.furtherLearned)
        refusals.push_back(
            {"E_UNSUPPORTED_MODEL", "model " + m.name,
             "it has learned positions and layers that predict further tokens; before core 0.17 the "
             "trainer has these with rotary positions alone"});
}

std::vector<std::pair<std::string, std::string>> megatronScaling(const Model& m, const MegatronCore& core) {
    const RotaryScaling& s = m.rotaryScaling;
    const auto as = [](double stated, double own) { return stated == 0.0 || stated == own; };
    if (s.factor <= 0.0 || m.learnedPositions > 0)
        return {};
    if (hasLatentAttention(m)) {
        if (s.kind == "yarn" && core.latentScaling && (s.positions == 0 || s.positions == 4096))
            return {{"--rotary-scaling-factor", fmt::format("{}", s.factor)}};
        return {};
    }
    if (s.kind == "llama3" && as(s.lowFrequency, 1.0) && as(s.highFrequency, 4.0) &&
        (s.positions == 0 || s.positions == 8192))
        return {{"--use-rope-scaling", ""}, {"--rope-scaling-factor", fmt::format("{}", s.factor)}};
    if (s.kind == "linear" && s.factor == std::floor(s.factor))
        return {{"--rotary-seq-len-interpolation-factor", fmt::format("{}", s.factor)}};
    return {};
}

void warnOfOldKinds(const Problem& problem, const Plan& plan, const Wording& how, Diagnostics& notes) {
    for (const DeviceKind* kind : usedKinds(problem, plan))
        if (kind->vendor == "NVIDIA" && kind->bf16.value <= 0.0)
            notes.push_back({Severity::Warning,
                             "export.transformer_engine",
                             kind->shortName,
                             {"is older than what Transformer Engine and PyTorch for CUDA 13 are built for; "
                              "where they are missing, {how}",
                              {{"how", how}}}});
}

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
    const bool saysScaling = !megatronScaling(m, megatronCore(release)).empty();
    if (saysScaling && hasLatentAttention(m))
        warn("export.rope_scaling", where,
             "scales its rotary positions by YaRN and does not state by what attention is scaled with it: "
             "give the trainer --mscale and --mscale-all-dim as the model's configuration has them");
    if (scalesPositions(m) && !saysScaling)
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
    warnOfOldKinds(problem, plan, Wording("run with --transformer-impl local and a PyTorch for CUDA 12"),
                   notes);
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
    for (auto& argument : megatronScaling(m, core))
        list.push_back(std::move(argument));
    if (hasLatentAttention(m)) {
        // Its positions are YaRN's by default, with a factor of 1, which scales nothing
        // (yarn_rotary_pos_embedding.py:83, 253 of 0.19). --rope-type rope would say the same, but is refused
        // beside the fused kernel, which is on by default (transformer_config.py:2966).
        if (!scalesPositions(m))
            number("--rotary-scaling-factor", 1);
        flag("--no-rope-fusion", !core.fusedLatentRope);
    }
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
        flag("--moe-shared-expert-gate", m.experts.sharedGate);
        // Their weights are shares among all experts: those of the chosen ones are not scaled to sum to 1.
        flag("--moe-router-pre-softmax", m.family == "qwen2_moe" || m.family == "deepseek_v2");
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
    if (!hasDropout(problem)) {
        number("--attention-dropout", 0);
        number("--hidden-dropout", 0);
    }
    return list;
}

} // namespace pw
