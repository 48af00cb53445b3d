// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/capability.h"

#include <algorithm>
#include <array>

namespace pw {

namespace {

bool noBias(const Model& m) {
    return !m.qkvBias && !m.attentionOutBias && !m.mlpBias;
}
bool onlyQkvBias(const Model& m) {
    return m.qkvBias && !m.attentionOutBias && !m.mlpBias;
}
bool allBias(const Model& m) {
    return m.qkvBias && m.attentionOutBias && m.mlpBias;
}

struct TraitRow {
    ModelTrait trait;
    const char* words;
    bool (*has)(const Model&);
};

constexpr std::array kTraits = {
    TraitRow{ModelTrait::Rotary, "rotary positions",
             [](const Model& m) { return m.learnedPositions == 0 && m.family != "mpt"; }},
    TraitRow{ModelTrait::LearnedPositions, "learned positions",
             [](const Model& m) { return m.learnedPositions != 0; }},
    TraitRow{ModelTrait::GatedMlp, "a gated MLP", [](const Model& m) { return m.gatedMlp; }},
    TraitRow{ModelTrait::PlainMlp, "an MLP without a gate", [](const Model& m) { return !m.gatedMlp; }},
    TraitRow{ModelTrait::GroupedHeads, "key-value heads shared by groups of heads",
             [](const Model& m) { return m.kvHeads != m.heads && !hasLatentAttention(m); }},
    TraitRow{ModelTrait::WideHeads, "heads that are together not as wide as the hidden state",
             [](const Model& m) { return m.heads * m.headDim != m.hidden && !hasLatentAttention(m); }},
    TraitRow{ModelTrait::RmsNorm, "RMS norms", [](const Model& m) { return m.rmsNorm; }},
    TraitRow{ModelTrait::LayerNorm, "layer norms", [](const Model& m) { return !m.rmsNorm; }},
    TraitRow{ModelTrait::Tied, "a head that shares the embedding's matrix",
             [](const Model& m) { return m.tied; }},
    TraitRow{ModelTrait::Untied, "a head with a matrix of its own", [](const Model& m) { return !m.tied; }},
    TraitRow{ModelTrait::NoBias, "no bias", noBias},
    TraitRow{ModelTrait::BiasOnQkv, "a bias on query, key and value alone", onlyQkvBias},
    TraitRow{ModelTrait::BiasEverywhere, "biases everywhere", allBias},
    TraitRow{ModelTrait::QueryKeyNorm, "normalised queries and keys",
             [](const Model& m) { return m.queryKeyNorm; }},
    TraitRow{ModelTrait::Experts, "experts", [](const Model& m) { return hasExperts(m); }},
    TraitRow{ModelTrait::LatentAttention, "latent attention",
             [](const Model& m) { return hasLatentAttention(m); }},
    TraitRow{ModelTrait::SharedExpertGate, "a gate on its shared experts",
             [](const Model& m) { return m.experts.sharedGate; }},
    TraitRow{ModelTrait::LocalAttention, "blocks that attend locally",
             [](const Model& m) {
                 return std::any_of(m.window.begin(), m.window.end(), [](auto w) { return w != 0; });
             }},
    TraitRow{ModelTrait::Relu, "OPT's ReLU", [](const Model& m) { return m.family == "opt"; }},
    TraitRow{ModelTrait::ParallelBlocks, "attention and MLP on the same input, as GPT-NeoX adds them",
             [](const Model& m) { return m.family == "gpt_neox"; }},
    TraitRow{ModelTrait::Alibi, "ALiBi and norms without bias, as MPT has them",
             [](const Model& m) { return m.family == "mpt"; }},
    TraitRow{ModelTrait::EmbedProjection, "a word embedding narrower than the hidden state",
             [](const Model& m) { return m.embedProjection != 0; }},
    TraitRow{ModelTrait::NoFinalNorm, "no final norm", [](const Model& m) { return !m.finalNorm; }},
    TraitRow{ModelTrait::PositionRows, "more rows in its position table than positions",
             [](const Model& m) { return m.learnedPositions != 0 && m.learnedPositions != m.positions; }},
    TraitRow{ModelTrait::MixedBias, "biases on some products only",
             [](const Model& m) { return !noBias(m) && !onlyQkvBias(m) && !allBias(m); }},
    TraitRow{ModelTrait::FurtherTokens,
             "layers that predict further tokens (without prediction_depth it trains without them)",
             [](const Model& m) { return m.predictionDepth > 0; }},
    TraitRow{ModelTrait::AttentionParts,
             "attention that is linear, sparse or gated, or has sinks or other widths in some blocks",
             [](const Model& m) { return !m.others.empty() || m.parts != AttentionParts{}; }},
    TraitRow{ModelTrait::BlockNorms,
             "norms behind attention and MLP, one for both, or one over all heads of queries and keys",
             [](const Model& m) { return m.attentionNorms != 1 || m.mlpNorms != 1 || m.wideQueryKeyNorm; }},
    TraitRow{ModelTrait::ExpertParts, "experts with biases, or a scale on what their router reads",
             [](const Model& m) { return m.experts.bias || m.experts.routerInputScale; }},
    TraitRow{ModelTrait::OwnFormulas,
             "activation, positions or scales of its own, which its sizes do not say",
             [](const Model& m) { return m.ownFormulas; }},
};
static_assert(kTraits.size() == static_cast<std::size_t>(ModelTrait::kCount));

} // namespace

ModelTraits traitsOf(const Model& model) {
    ModelTraits bits = 0;
    for (const TraitRow& row : kTraits)
        if (row.has(model))
            bits |= traits({row.trait});
    return bits;
}

const char* words(ModelTrait trait) {
    return kTraits[static_cast<std::size_t>(trait)].words;
}

} // namespace pw
