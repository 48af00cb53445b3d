// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <algorithm>

namespace pw {

namespace {

constexpr double kElement = 2.0; // bytes of an activation or weight in half precision

std::int64_t embedWidth(const Model& m) {
    return m.embedProjection > 0 ? m.embedProjection : m.hidden;
}

std::int64_t projectionParameters(const Model& m) { // between word embedding and hidden, one direction
    return m.embedProjection > 0 ? m.embedProjection * m.hidden : 0;
}

double linearTraffic(const Model& m, const LinearAttention& l) {
    const std::int64_t keys = l.keyHeads * l.keyDim, values = l.valueHeads * l.valueDim;
    const std::int64_t mixed = 2 * keys + values;
    const std::int64_t states = l.valueHeads * l.keyDim * l.valueDim; // once a chunk, read and written
    return static_cast<double>(2 * m.attentionNorms * m.hidden) +
           static_cast<double>(m.hidden + mixed + values + 2 * l.valueHeads) +
           static_cast<double>(2 * mixed) + static_cast<double>(mixed + values) +
           2.0 * static_cast<double>(states) / kDeltaRuleChunk + static_cast<double>(3 * values) +
           static_cast<double>(values + m.hidden) + static_cast<double>(3 * m.hidden);
}

// Elements that one token reads and writes, operator by operator, weights aside.
double attentionTraffic(const Model& m, int block) {
    const AttentionForm f = attentionForm(m, block);
    if (f.linear.valueHeads > 0)
        return linearTraffic(m, f.linear);
    const std::int64_t q = f.heads * f.headDim, v = f.heads * f.valueDim;
    const std::int64_t k = f.kvHeads * f.headDim, kv = k + f.kvHeads * f.valueDim;
    const double norm = 2.0 * static_cast<double>(m.attentionNorms * m.hidden);
    const double out = static_cast<double>(v + m.hidden);
    const double residual = 3.0 * static_cast<double>(m.hidden);
    const SparseIndex& x = f.parts.index;
    const double index = x.heads > 0 ? static_cast<double>(2 * m.hidden + 4 * (x.heads + 1) * x.dim) : 0.0;
    if (f.latent) {
        const LatentAttention& l = m.latent;
        const std::int64_t latents = l.queryRank + l.kvRank;
        const std::int64_t expanded = m.heads * (l.plainDim + l.valueDim);
        const double down = static_cast<double>(m.hidden + latents + l.rotaryDim + 2 * latents); // and norms
        const double up =
            static_cast<double>((l.queryRank > 0 ? l.queryRank : m.hidden) + q + l.kvRank + expanded);
        const double rotary = static_cast<double>(2 * (m.heads + 1) * l.rotaryDim);
        const double joined =
            static_cast<double>(m.heads * l.plainDim + l.rotaryDim + q); // keys of both parts
        return norm + down + up + rotary + joined + static_cast<double>(2 * q + 2 * v) + out + residual +
               index;
    }
    const double projection = static_cast<double>(m.hidden + q + kv);
    const double rotary = m.learnedPositions == 0 ? 2.0 * static_cast<double>(q + k) : 0.0;
    const double headNorms = m.queryKeyNorm ? 2.0 * static_cast<double>(q + k) : 0.0;
    const double scores = static_cast<double>(q + v + kv);
    const double gate = f.parts.outputGate == OutputGate::None ? 0.0 : static_cast<double>(3 * v);
    return norm + projection + rotary + headNorms + scores + out + residual + index + gate;
}

// Of `runs` MLPs of inner width `ffn`, norm and residual aside.
double productTraffic(const Model& m, std::int64_t ffn, std::int64_t runs) {
    const double h = static_cast<double>(m.hidden), f = static_cast<double>(ffn);
    const double up = m.gatedMlp ? 2.0 : 1.0;
    const double activation = (up + 1.0) * f;
    return static_cast<double>(runs) * ((h + up * f) + activation + (f + h));
}

double mlpTraffic(const Model& m, int block) {
    const double h = static_cast<double>(m.hidden);
    const double norms = 2.0 * static_cast<double>(m.mlpNorms) * h;
    if (!hasExperts(m, block))
        return norms + productTraffic(m, m.ffn, 1) + 3.0 * h;
    const double experts = static_cast<double>(m.experts.count);
    const double copies = static_cast<double>(m.experts.perToken) * h; // one row for each expert chosen
    const double router = h + experts + 2.0 * experts;
    const double sorted = h + copies;   // to the order of the experts
    const double combined = copies + h; // and back, weighed
    const double shared = m.experts.shared > 0 ? productTraffic(m, sharedWidth(m), 1) + 3.0 * h : 0.0;
    return norms + router + sorted + productTraffic(m, m.experts.ffn, m.experts.perToken) + combined +
           shared + 3.0 * h;
}

// Of the weights, what a forward pass of so many tokens reads: experts that nobody chose lie still.
double weightsRead(const Model& m, LayerKind kind, int block, double tokens) {
    const LayerParameters p = layerParameters(m, kind, block);
    double routed = static_cast<double>(p.routed);
    if (p.routed > 0)
        routed *= std::min(1.0, tokens * static_cast<double>(m.experts.perToken) /
                                    static_cast<double>(m.experts.count));
    return static_cast<double>(p.sliced + p.whole) + routed;
}

double headTraffic(const Model& m) {
    const double h = static_cast<double>(m.hidden), v = static_cast<double>(m.vocab);
    const double project = m.embedProjection > 0 ? h + static_cast<double>(m.embedProjection) : 0.0;
    const double loss = 2.0 * v; // logits read, their softmax written
    return (m.finalNorm ? 2.0 * h : 0.0) + project + static_cast<double>(embedWidth(m)) + v + loss;
}

Flops embeddingFlops(const Model& m, double seq) {
    return Flops(2.0 * seq * static_cast<double>(projectionParameters(m)));
}

Flops attentionFlops(const Model& m, double seq, int block) {
    const AttentionForm f = attentionForm(m, block);
    if (const LinearAttention& d = f.linear; d.valueHeads > 0) {
        const std::int64_t keys = d.keyHeads * d.keyDim, values = d.valueHeads * d.valueDim;
        const std::int64_t matrices =
            m.hidden * (2 * keys + 3 * values + 2 * d.valueHeads) + (2 * keys + values) * d.kernel;
        return Flops(seq * (2.0 * static_cast<double>(matrices) +
                            static_cast<double>(d.valueHeads) * deltaRuleFlops(d)));
    }
    const std::int64_t q = f.heads * f.headDim, k = f.kvHeads * f.headDim, v = f.heads * f.valueDim;
    const std::int64_t values = f.parts.keysAreValues ? 0 : f.kvHeads * f.valueDim;
    const LatentAttention& l = m.latent;
    const SparseIndex& x = f.parts.index;
    double context = seq;
    for (const std::int64_t limit : {windowOf(m, block), x.tokens})
        if (limit > 0)
            context = std::min(static_cast<double>(limit), context);
    const double projections =
        f.latent ? static_cast<double>(m.hidden * (l.queryRank + l.kvRank + l.rotaryDim + v) +
                                       (l.queryRank > 0 ? l.queryRank : m.hidden) * q +
                                       l.kvRank * m.heads * (l.plainDim + l.valueDim))
                 : static_cast<double>(m.hidden) * static_cast<double>(q + k + values + gateWidth(f) + v);
    const double scoresAndValues = context * static_cast<double>(q + v);
    const double index = x.heads > 0 ? static_cast<double>(indexSource(m, f) * x.heads * x.dim +
                                                           m.hidden * (x.dim + (f.latent ? x.heads : 0))) +
                                           seq * static_cast<double>(x.heads * x.dim)
                                     : 0.0;
    return Flops(2.0 * seq * (projections + scoresAndValues + index));
}

Flops mlpFlops(const Model& m, double seq, int block) {
    const double matrices = m.gatedMlp ? 3.0 : 2.0;
    if (!hasExperts(m, block))
        return Flops(2.0 * seq * matrices * static_cast<double>(m.hidden * m.ffn));
    const Experts& e = m.experts;
    const std::int64_t router = m.hidden * (e.count + (e.sharedGate ? 1 : 0));
    return Flops(2.0 * seq *
                 (matrices * static_cast<double>(m.hidden * (e.perToken * e.ffn + sharedWidth(m))) +
                  static_cast<double>(router)));
}

Flops headFlops(const Model& m, double seq) {
    return Flops(
        2.0 * seq *
        (static_cast<double>(m.vocab * embedWidth(m)) + static_cast<double>(projectionParameters(m))));
}

} // namespace

const char* name(LayerKind kind) {
    switch (kind) {
    case LayerKind::Embedding:
        return "embedding";
    case LayerKind::Attention:
        return "attention";
    case LayerKind::Mlp:
        return "mlp";
    case LayerKind::Head:
        return "head";
    case LayerKind::Junction:
        return "junction";
    }
    return "";
}

std::vector<FineLayer> fineLayers(const Model& m, std::int64_t seq) {
    const double tokens = static_cast<double>(seq);
    const Bytes handedOn(tokens * static_cast<double>(m.hidden) * kElement);
    std::vector<FineLayer> layers;
    layers.reserve(static_cast<std::size_t>(fineLayerCount(m)));
    const auto add = [&](LayerKind kind, int block, Flops flops, double elements, Bytes out) {
        const LayerParameters p = layerParameters(m, kind, block);
        layers.push_back({static_cast<int>(layers.size()), kind, block, p.total(), p.active(), flops,
                          Bytes(elements * kElement), out});
    };

    // The table itself is not read through, only a row a token.
    const double embeddingElements =
        tokens *
            static_cast<double>(2 * embedWidth(m) + m.hidden + (m.learnedPositions > 0 ? 3 * m.hidden : 0)) +
        static_cast<double>(projectionParameters(m));
    add(LayerKind::Embedding, -1, embeddingFlops(m, tokens), embeddingElements, handedOn);
    for (int block = 0; block < static_cast<int>(m.blocks); ++block) {
        add(LayerKind::Attention, block, attentionFlops(m, tokens, block),
            tokens * attentionTraffic(m, block) + weightsRead(m, LayerKind::Attention, block, tokens),
            handedOn);
        add(LayerKind::Mlp, block, mlpFlops(m, tokens, block),
            tokens * mlpTraffic(m, block) + weightsRead(m, LayerKind::Mlp, block, tokens), handedOn);
    }
    const double headElements = tokens * headTraffic(m) + static_cast<double>(m.vocab * embedWidth(m)) +
                                static_cast<double>(projectionParameters(m));
    add(LayerKind::Head, -1, headFlops(m, tokens), headElements, Bytes(0.0));
    return layers;
}

} // namespace pw
