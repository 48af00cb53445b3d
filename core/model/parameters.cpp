// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

std::int64_t norm(const Model& m) {
    return m.rmsNorm ? m.hidden : 2 * m.hidden;
}

std::int64_t wordWidth(const Model& m) {
    return m.embedProjection > 0 ? m.embedProjection : m.hidden;
}

LayerParameters plainAttention(const Model& m) {
    const std::int64_t q = m.heads * m.headDim, kv = m.kvHeads * m.headDim;
    LayerParameters p;
    p.sliced = m.hidden * (q + 2 * kv) + q * m.hidden;
    p.whole = norm(m) + (m.qkvBias ? q + 2 * kv : 0) + (m.attentionOutBias ? m.hidden : 0) +
              (m.queryKeyNorm ? 2 * m.headDim : 0);
    return p;
}

// The latents and their norms are common to all heads; only what expands them is cut.
LayerParameters latentAttention(const Model& m) {
    const LatentAttention& l = m.latent;
    const std::int64_t queries = m.heads * m.headDim;
    LayerParameters p;
    p.sliced = (l.queryRank > 0 ? l.queryRank : m.hidden) * queries +
               l.kvRank * m.heads * (l.plainDim + l.valueDim) + m.heads * l.valueDim * m.hidden;
    p.whole = norm(m) + m.hidden * (l.queryRank + l.kvRank + l.rotaryDim) + l.queryRank + l.kvRank +
              (m.qkvBias ? l.queryRank + l.kvRank + l.rotaryDim : 0) + (m.attentionOutBias ? m.hidden : 0);
    return p;
}

LayerParameters mlp(const Model& m, int block) {
    const std::int64_t matrices = m.gatedMlp ? 3 : 2;
    LayerParameters p;
    p.whole = norm(m);
    if (!hasExperts(m, block)) {
        p.sliced = matrices * m.hidden * m.ffn;
        p.whole += m.mlpBias ? (matrices - 1) * m.ffn + m.hidden : 0;
        return p;
    }
    const Experts& e = m.experts;
    p.sliced = matrices * m.hidden * sharedWidth(m);
    p.routed = e.count * matrices * m.hidden * e.ffn;
    p.chosen = e.perToken * matrices * m.hidden * e.ffn;
    p.whole += m.hidden * e.count + (e.routerBias ? e.count : 0) + (e.sharedGate ? m.hidden : 0);
    return p;
}

} // namespace

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
        p = hasLatentAttention(m) ? latentAttention(m) : plainAttention(m);
        break;
    case LayerKind::Mlp:
        p = mlp(m, block);
        break;
    case LayerKind::Head:
        p.sliced = m.tied ? 0 : m.vocab * wordWidth(m);
        p.whole = (m.finalNorm ? norm(m) : 0) + projection;
        break;
    }
    return p;
}

double routedParameters(const Model& m, int block, LayerKind kind, int tp, int ep) {
    return static_cast<double>(layerParameters(m, kind, block).routed) / ep / tp;
}

double layerParameters(const Model& m, int block, LayerKind kind, int tp, int ep) {
    const LayerParameters p = layerParameters(m, kind, block);
    if (kind == LayerKind::Attention && tp > m.kvHeads) { // every rank has a head of keys and values, copied
        const std::int64_t keysAndValues = 2 * m.hidden * m.kvHeads * m.headDim;
        return static_cast<double>(p.sliced - keysAndValues) / tp +
               static_cast<double>(keysAndValues / m.kvHeads + p.whole);
    }
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
    return m.predictionDepth * (3 * norm(m) + 2 * m.hidden * m.hidden + block);
}

Diagnostics modelNotes(const Model& m) {
    Diagnostics notes;
    if (m.predictionDepth > 0)
        notes.push_back(
            {Severity::Note, "model.prediction", "model",
             fmt::format("Layers that predict further tokens are in no figure: {} of {} parameters",
                         m.predictionDepth, predictionParameterCount(m))});
    return notes;
}

} // namespace pw
