// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <algorithm>

namespace pw {

namespace {

std::int64_t norm(const Model& m) {
    return m.rmsNorm ? m.hidden : 2 * m.hidden;
}

std::int64_t wordWidth(const Model& m) {
    return m.embedProjection > 0 ? m.embedProjection : m.hidden;
}

// Of its own on every rank: queries (over latents from theirs), one key for all heads, norms of both, and
// over latents a weight a head.
std::int64_t indexParameters(const Model& m, const AttentionForm& f) {
    const SparseIndex& x = f.parts.index;
    if (x.heads == 0)
        return 0;
    return indexSource(m, f) * x.heads * x.dim + m.hidden * x.dim + 2 * x.dim +
           (f.latent ? m.hidden * x.heads : 0);
}

LayerParameters plainAttention(const Model& m, const AttentionForm& f) {
    const std::int64_t queries = f.heads * f.headDim, keys = f.kvHeads * f.headDim;
    const std::int64_t values = f.parts.keysAreValues ? 0 : f.kvHeads * f.valueDim;
    const std::int64_t gateBias = f.parts.outputGate == OutputGate::Width ? queries : 0;
    LayerParameters p;
    p.sliced = m.hidden * (queries + keys + values + gateWidth(f)) + f.heads * f.valueDim * m.hidden;
    p.whole = m.attentionNorms * norm(m) + (m.qkvBias ? queries + keys + values + gateBias : 0) +
              (m.attentionOutBias ? m.hidden : 0) +
              (m.queryKeyNorm ? (m.wideQueryKeyNorm ? queries + keys : 2 * f.headDim) : 0) +
              (f.parts.sinks ? f.heads : 0) + indexParameters(m, f);
    return p;
}

// The latents and their norms are common to all heads; only what expands them is cut.
LayerParameters latentAttention(const Model& m, const AttentionForm& f) {
    const LatentAttention& l = m.latent;
    const std::int64_t queries = m.heads * m.headDim;
    LayerParameters p;
    p.sliced = (l.queryRank > 0 ? l.queryRank : m.hidden) * queries +
               l.kvRank * m.heads * (l.plainDim + l.valueDim) + m.heads * l.valueDim * m.hidden;
    p.whole = m.attentionNorms * norm(m) + m.hidden * (l.queryRank + l.kvRank + l.rotaryDim) + l.queryRank +
              l.kvRank + (m.qkvBias ? l.queryRank + l.kvRank + l.rotaryDim : 0) +
              (m.attentionOutBias ? m.hidden : 0) + indexParameters(m, f);
    return p;
}

// Queries, keys, values and the gate of the output, two numbers a value head (decay and strength of writing);
// the convolution; a start for both numbers' scales; the norm of a head's output.
LayerParameters linearAttention(const Model& m, const LinearAttention& l) {
    const std::int64_t keys = l.keyHeads * l.keyDim, values = l.valueHeads * l.valueDim;
    LayerParameters p;
    p.sliced = m.hidden * (2 * keys + 2 * values + 2 * l.valueHeads) + (2 * keys + values) * l.kernel +
               values * m.hidden;
    p.whole = m.attentionNorms * norm(m) + 2 * l.valueHeads + l.valueDim;
    return p;
}

LayerParameters attention(const Model& m, int block) {
    const AttentionForm f = attentionForm(m, block);
    return f.linear.valueHeads > 0 ? linearAttention(m, f.linear)
           : f.latent              ? latentAttention(m, f)
                                   : plainAttention(m, f);
}

LayerParameters mlp(const Model& m, int block) {
    const std::int64_t matrices = m.gatedMlp ? 3 : 2;
    LayerParameters p;
    p.whole = m.mlpNorms * norm(m);
    if (!hasExperts(m, block)) {
        p.sliced = matrices * m.hidden * m.ffn;
        p.whole += m.mlpBias ? (matrices - 1) * m.ffn + m.hidden : 0;
        return p;
    }
    const Experts& e = m.experts;
    p.sliced = matrices * m.hidden * sharedWidth(m);
    const std::int64_t expert =
        matrices * m.hidden * e.ffn + (e.bias ? (matrices - 1) * e.ffn + m.hidden : 0);
    p.routed = e.count * expert;
    p.chosen = e.perToken * expert;
    p.whole += m.hidden * e.count + (e.routerBias ? e.count : 0) + (e.sharedGate ? m.hidden : 0) +
               (e.routerInputScale ? m.hidden : 0);
    return p;
}

} // namespace

int otherAttention(const Model& m, int block) {
    for (std::size_t k = 0; k < m.others.size(); ++k)
        if (std::ranges::binary_search(m.others[k].blocks, std::int64_t{block}))
            return static_cast<int>(k);
    return -1;
}

AttentionForm attentionForm(const Model& m, int block) {
    AttentionForm f{m.heads, m.kvHeads, m.headDim, m.parts.valueDim, m.parts, {}, hasLatentAttention(m)};
    if (const int k = otherAttention(m, block); k >= 0) {
        const OtherAttention& other = m.others[static_cast<std::size_t>(k)];
        f = {other.heads,
             other.kvHeads,
             other.headDim,
             other.parts.valueDim,
             other.parts,
             other.linear,
             f.latent && other.linear.valueHeads == 0};
    }
    if (f.latent)
        f.valueDim = m.latent.valueDim;
    else if (f.valueDim == 0)
        f.valueDim = f.headDim;
    return f;
}

std::int64_t gateWidth(const AttentionForm& f) {
    switch (f.parts.outputGate) {
    case OutputGate::None:
        return 0;
    case OutputGate::Heads:
        return f.heads;
    case OutputGate::Width:
        return f.heads * f.headDim;
    }
    return 0;
}

std::int64_t indexSource(const Model& m, const AttentionForm& f) {
    return f.latent && m.latent.queryRank > 0 ? m.latent.queryRank : m.hidden;
}

std::vector<int> attentionKinds(const Model& m) {
    if (m.others.empty())
        return {0};
    std::vector<int> first;
    std::vector<bool> seen(m.others.size() + 1, false);
    for (int block = 0; block < static_cast<int>(m.blocks); ++block)
        if (const auto kind = static_cast<std::size_t>(otherAttention(m, block) + 1); !seen[kind]) {
            seen[kind] = true;
            first.push_back(block);
        }
    return first;
}

bool isPlain(const Model& m) {
    return m.others.empty() && m.parts == AttentionParts{} && !m.wideQueryKeyNorm && m.attentionNorms == 1 &&
           m.mlpNorms == 1;
}

bool hasExperts(const Model& m, int block) {
    return hasExperts(m) && !std::binary_search(m.experts.denseBlocks.begin(), m.experts.denseBlocks.end(),
                                                std::int64_t{block});
}

int leadingDense(const Model& m) {
    int lead = 0;
    while (hasExperts(m) && lead + 1 < m.blocks && !hasExperts(m, lead))
        ++lead;
    return lead;
}

std::vector<std::int64_t> mlpWidths(const Model& m) {
    std::vector<std::int64_t> widths;
    if (!hasExperts(m) || !m.experts.denseBlocks.empty())
        widths.push_back(m.ffn);
    if (hasExperts(m)) {
        widths.push_back(m.experts.ffn);
        if (m.experts.shared > 0)
            widths.push_back(m.experts.sharedFfn);
    }
    std::sort(widths.begin(), widths.end());
    widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
    return widths;
}

LayerParameters layerParameters(const Model& m, LayerKind kind, int block) {
    const std::int64_t projection = m.embedProjection * m.hidden;
    LayerParameters p;
    switch (kind) {
    case LayerKind::Embedding:
        p.sliced = m.vocab * wordWidth(m);
        p.whole = m.learnedPositions * m.hidden + projection;
        break;
    case LayerKind::Attention:
        p = attention(m, block);
        break;
    case LayerKind::Mlp:
        p = mlp(m, block);
        break;
    case LayerKind::Head:
        p.sliced = m.tied ? 0 : m.vocab * wordWidth(m);
        p.whole = (m.finalNorm ? norm(m) : 0) + projection;
        break;
    case LayerKind::Junction:
        p.sliced = 2 * m.hidden * m.hidden;
        p.whole = 3 * norm(m);
        break;
    }
    return p;
}

double routedParameters(const Model& m, int block, LayerKind kind, int tp, int ep, int expertTp) {
    return static_cast<double>(layerParameters(m, kind, block).routed) / ep / (expertTp > 0 ? expertTp : tp);
}

double layerParameters(const Model& m, int block, LayerKind kind, int tp, int ep, int expertTp) {
    const LayerParameters p = layerParameters(m, kind, block);
    const AttentionForm f = kind == LayerKind::Attention ? attentionForm(m, block) : AttentionForm{};
    if (f.kvHeads > 0 && tp > f.kvHeads) { // every rank has a head of keys and values, copied
        const std::int64_t head = m.hidden * (f.headDim + (f.parts.keysAreValues ? 0 : f.valueDim));
        return static_cast<double>(p.sliced - f.kvHeads * head) / tp + static_cast<double>(head + p.whole);
    }
    if (expertTp > 0)
        return static_cast<double>(p.sliced) / tp + static_cast<double>(p.routed) / ep / expertTp +
               static_cast<double>(p.whole);
    return (static_cast<double>(p.sliced) + static_cast<double>(p.routed) / ep) / tp +
           static_cast<double>(p.whole);
}

namespace {

template <class Figure>
std::int64_t sumOverLayers(const Model& m, Figure figure) {
    std::int64_t sum = figure(layerParameters(m, LayerKind::Embedding, -1)) +
                       figure(layerParameters(m, LayerKind::Head, -1));
    for (int block = 0; block < static_cast<int>(m.blocks); ++block)
        sum += figure(layerParameters(m, LayerKind::Attention, block)) +
               figure(layerParameters(m, LayerKind::Mlp, block));
    return sum;
}

} // namespace

std::int64_t parameterCount(const Model& m) {
    return sumOverLayers(m, [](const LayerParameters& p) { return p.total(); });
}

std::int64_t activeParameterCount(const Model& m) {
    return sumOverLayers(m, [](const LayerParameters& p) { return p.active(); });
}

std::int64_t predictionParameterCount(const Model& m) {
    const int last = static_cast<int>(m.blocks) - 1;
    const std::int64_t block = layerParameters(m, LayerKind::Attention, last).total() +
                               layerParameters(m, LayerKind::Mlp, last).total();
    return m.predictionDepth * (layerParameters(m, LayerKind::Junction, -1).total() + block);
}

double deltaRuleFlops(const LinearAttention& l) {
    const auto key = static_cast<double>(l.keyDim), value = static_cast<double>(l.valueDim);
    return 2.0 * (3.0 * key * value + kDeltaRuleChunk * (3.0 * key + 2.0 * value));
}

Diagnostics modelNotes(const Model& m) {
    Diagnostics notes;
    if (m.predictionDepth > 0)
        notes.push_back({Severity::Note,
                         "model.prediction",
                         "model",
                         {"Layers that predict further tokens: {layers}, of {parameters} parameters beside "
                          "the model's {own}, on "
                          "the stage of the head",
                          {{"layers", m.predictionDepth},
                           {"parameters", predictionParameterCount(m)},
                           {"own", parameterCount(m)}}}});
    const auto add = [&](const char* code, Wording wording) {
        notes.push_back({Severity::Note, code, "model", std::move(wording)});
    };
    std::size_t linear = 0;
    for (const OtherAttention& other : m.others)
        linear += other.linear.valueHeads > 0 ? other.blocks.size() : 0;
    if (linear > 0)
        add("model.linear", {"Linear attention of {linear} of {blocks} blocks is priced by its products and "
                             "bytes; no measured run "
                             "stands behind it",
                             {{"linear", linear}, {"blocks", m.blocks}}});
    const auto sparse = [](const AttentionParts& parts) { return parts.index.tokens > 0; };
    if (sparse(m.parts) || std::ranges::any_of(m.others, sparse, &OtherAttention::parts))
        add("model.sparse",
            "Sparse attention is priced as trained with its index at work, by the tokens that it "
            "chooses; a warm-up over all tokens takes longer");
    return notes;
}

} // namespace pw
