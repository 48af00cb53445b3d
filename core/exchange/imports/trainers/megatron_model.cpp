// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/trainers/megatron_arguments.h"

#include <algorithm>

namespace pw {

namespace {

// "--moe-layer-freq": every so-manieth block, or a list with 1 for a block of experts.
std::vector<std::int64_t> denseBlocks(MegatronArguments& a, std::int64_t blocks) {
    std::vector<std::int64_t> dense;
    const std::optional<std::int64_t> step = integerNumber(a.word("moe-layer-freq", "1"));
    const std::vector<bool> sparse =
        step && *step > 0 ? std::vector<bool>{} : megatronPattern(a, "moe-layer-freq", blocks);
    for (std::int64_t b = 0; b < blocks && a.faults().empty(); ++b)
        if (sparse.empty() ? b % *step != 0 : !sparse[static_cast<std::size_t>(b)])
            dense.push_back(b);
    return dense;
}

void readAttention(MegatronArguments& a, Model& m, Diagnostics& notes) {
    if (a.has("multi-latent-attention")) {
        LatentAttention& l = m.latent;
        l.queryRank = a.count("q-lora-rank", 1, ModelLimits::hidden, 0);
        l.kvRank = a.count("kv-lora-rank", 1, ModelLimits::hidden, 32);
        l.plainDim = a.count("qk-head-dim", 1, ModelLimits::attentionWidth, 128);
        l.rotaryDim = a.count("qk-pos-emb-head-dim", 1, ModelLimits::attentionWidth, 64);
        l.valueDim = a.count("v-head-dim", 1, ModelLimits::attentionWidth, 128);
        m.kvHeads = m.heads;
        m.headDim = l.plainDim + l.rotaryDim;
        return;
    }
    m.kvHeads = m.heads;
    if (a.has("group-query-attention"))
        m.kvHeads = a.count("num-query-groups", 1, ModelLimits::heads, 1);
    else if (a.has("num-query-groups"))
        notes.push_back({Severity::Warning, "megatron.groups", a.where("num-query-groups"),
                         "--num-query-groups counts with --group-query-attention only"});
    if (a.faults().empty() && m.heads % m.kvHeads != 0)
        a.faults().add("megatron.division", a.where("num-query-groups"),
                       {"--num-query-groups is {kv_heads}, which does not divide {heads} heads",
                        {{"kv_heads", m.kvHeads}, {"heads", m.heads}}});
    if (!a.has("kv-channels") && a.faults().empty() && m.hidden % m.heads != 0)
        a.faults().add("megatron.division", a.where("num-attention-heads"),
                       {"--num-attention-heads is {heads}, which does not divide --hidden-size {hidden}; "
                        "state --kv-channels",
                        {{"heads", m.heads}, {"hidden", m.hidden}}});
    m.headDim =
        a.count("kv-channels", 1, ModelLimits::attentionWidth, std::max<std::int64_t>(1, m.hidden / m.heads));
}

void readExperts(MegatronArguments& a, Model& m) {
    if (!a.has("num-experts"))
        return;
    Experts& e = m.experts;
    e.count = a.count("num-experts", 1, ModelLimits::experts, 1);
    e.perToken = a.count("moe-router-topk", 1, ModelLimits::experts, std::min<std::int64_t>(2, e.count));
    e.ffn = a.count("moe-ffn-hidden-size", 1, ModelLimits::ffn, m.ffn);
    if (e.perToken > e.count)
        a.faults().add("megatron.experts", a.where("moe-router-topk"),
                       {"--moe-router-topk is {per_token}, which is above --num-experts {count}",
                        {{"per_token", e.perToken}, {"count", e.count}}});
    if (a.has("moe-shared-expert-intermediate-size")) {
        e.shared = 1;
        e.sharedFfn = a.count("moe-shared-expert-intermediate-size", 1, ModelLimits::ffn, 1);
        e.sharedGate = a.has("moe-shared-expert-gate");
    }
    e.routerBias = a.has("moe-router-enable-expert-bias");
    e.groups = a.count("moe-router-num-groups", 0, ModelLimits::experts, 0);
    e.groupsPerToken = a.count("moe-router-group-topk", 0, ModelLimits::experts, 0);
    e.scale = a.number("moe-router-topk-scaling-factor", 0.0, ModelLimits::routerScale, 0.0);
    e.denseBlocks = denseBlocks(a, m.blocks);
    if (!m.mlpBias)
        return;
    // The trainer's router and experts take them, its shared ones do not (shared_experts.py:124 of 0.19).
    if (e.shared > 0 || !e.denseBlocks.empty())
        a.faults().add("megatron.experts", a.where("num-experts"),
                       "experts beside shared ones or dense blocks have no biases; --disable-bias-linear is "
                       "missing");
    e.bias = e.routerBias = true;
    m.mlpBias = false;
}

// Without --ffn-hidden-size: 4 hidden; of a gated MLP two thirds of that, in whole multiples of 64 or, as
// FlagScale has it (da4935ec, its patch of megatron/training/arguments.py:812), scaled and rounded up to a
// multiple.
std::int64_t impliedFfn(MegatronArguments& a, const Model& m) {
    if (!a.has("swiglu"))
        return 4 * m.hidden;
    if (!a.has("multiple-of"))
        return std::max<std::int64_t>(1, 8 * m.hidden / 3 / 64 * 64);
    const std::int64_t multiple = a.count("multiple-of", 1, ModelLimits::ffn, 1);
    const double scale = a.number("hidden-dim-multiplier", 1e-3, 1e3, 1.0);
    const auto width = static_cast<std::int64_t>(static_cast<double>(8 * m.hidden / 3) * scale);
    return std::max<std::int64_t>(1, (width + multiple - 1) / multiple * multiple);
}

} // namespace

Model megatronModel(MegatronArguments& a, std::string name, const ImportHints& hints, Diagnostics& notes) {
    Model m;
    m.name = std::move(name);
    m.blocks = a.need("num-layers", 1, ModelLimits::blocks);
    m.hidden = a.need("hidden-size", 1, ModelLimits::hidden);
    m.heads = a.need("num-attention-heads", 1, ModelLimits::heads);
    m.vocab = megatronVocabulary(a, hints, notes);
    m.positions = a.count("max-position-embeddings", 1, ModelLimits::positions,
                          a.count("seq-length", 1, ModelLimits::positions, 1));
    if (!a.has("max-position-embeddings") && !a.has("seq-length"))
        a.faults().add("megatron.missing", a.faults().file(), "--seq-length is missing");
    m.gatedMlp = a.has("swiglu") || a.has("quick-geglu");
    m.ffn = a.count("ffn-hidden-size", 1, ModelLimits::ffn, impliedFfn(a, m));
    m.tied = !a.has("untie-embeddings-and-output-weights");
    readAttention(a, m, notes);

    // Without a word about any of these, a gated MLP is taken for a Llama-like model: the trainer's own
    // defaults (LayerNorm, biases, learned positions) come from GPT and are not what such scripts mean.
    const bool silent =
        !a.has("normalization") && !a.has("position-embedding-type") && !a.has("disable-bias-linear");
    const bool likeLlama = silent && a.has("swiglu");
    if (likeLlama)
        notes.push_back(
            {Severity::Warning, "megatron.assumed", a.faults().file(),
             "Norms, biases and positions are not stated: RMSNorm without biases and rotary positions are "
             "assumed of a model with --swiglu"});
    m.rmsNorm = likeLlama || a.word("normalization", "LayerNorm") == "RMSNorm";
    const bool biases = !likeLlama && !a.has("disable-bias-linear");
    m.qkvBias = biases || a.has("add-qkv-bias");
    m.attentionOutBias = m.mlpBias = biases;
    if (!likeLlama && !a.has("use-rotary-position-embeddings") && !a.has("enable-gpt-oss") &&
        a.word("position-embedding-type", "learned_absolute") == "learned_absolute")
        m.learnedPositions = m.positions;
    m.rotaryBase = a.number("rotary-base", 1.0, ModelLimits::rotaryBase, 0.0);
    m.normEpsilon = a.number("norm-epsilon", 0.0, ModelLimits::normEpsilon, 0.0);
    m.queryKeyNorm = a.has("qk-layernorm") && !hasLatentAttention(m); // else its latents' norms
    m.predictionDepth = a.count("mtp-num-layers", 0, ModelLimits::predictionDepth, 0);
    readExperts(a, m);
    readMegatronPositions(a, m);
    readMegatronWindows(a, m);
    readMegatronFormulas(a, m, notes);
    refuseOtherModels(a, notes);
    for (const std::string& flag : MegatronArguments::unmodelled())
        if (a.has(flag))
            notes.push_back(
                {Severity::Warning,
                 "megatron.unmodelled",
                 a.where(flag),
                 {"--{flag} changes what a step takes or a GPU holds; the figures are those without it",
                  {{"flag", flag}}}});
    m.family = m.experts.bias           ? "gpt_oss"
               : hasExperts(m)          ? "mixtral"
               : m.gatedMlp             ? "llama"
               : m.learnedPositions > 0 ? "gpt2"
                                        : "gpt_neox";
    return m;
}

} // namespace pw
