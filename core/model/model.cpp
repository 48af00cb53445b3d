// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <algorithm>

namespace pw {

namespace {

constexpr double kElement = 2.0; // bytes of an activation or weight in half precision

struct Attention {
    std::int64_t qWidth, kvWidth;
};

Attention attention(const Model& m) {
    return {m.heads * m.headDim, m.kvHeads * m.headDim};
}

std::int64_t normParameters(const Model& m) {
    return m.rmsNorm ? m.hidden : 2 * m.hidden;
}

std::int64_t embedWidth(const Model& m) {
    return m.embedProjection > 0 ? m.embedProjection : m.hidden;
}

std::int64_t projectionParameters(const Model& m) { // between word embedding and hidden, one direction
    return m.embedProjection > 0 ? m.embedProjection * m.hidden : 0;
}

std::int64_t embeddingParameters(const Model& m) {
    return m.vocab * embedWidth(m) + m.learnedPositions * m.hidden + projectionParameters(m);
}

std::int64_t attentionParameters(const Model& m) {
    const auto [q, kv] = attention(m);
    return normParameters(m) + m.hidden * (q + 2 * kv) + (m.qkvBias ? q + 2 * kv : 0) + q * m.hidden +
           (m.attentionOutBias ? m.hidden : 0);
}

std::int64_t mlpParameters(const Model& m) {
    const std::int64_t up = m.gatedMlp ? 2 : 1;
    return normParameters(m) + (up + 1) * m.hidden * m.ffn + (m.mlpBias ? up * m.ffn + m.hidden : 0);
}

std::int64_t headParameters(const Model& m) {
    return (m.finalNorm ? normParameters(m) : 0) + projectionParameters(m) +
           (m.tied ? 0 : m.vocab * embedWidth(m));
}

// Elements that one token reads and writes, operator by operator, weights aside.
double attentionTraffic(const Model& m) {
    const auto [q, kv] = attention(m);
    const double norm = 2.0 * static_cast<double>(m.hidden);
    const double projection = static_cast<double>(m.hidden + q + 2 * kv);
    const double rotary = m.learnedPositions == 0 ? 2.0 * static_cast<double>(q + kv) : 0.0;
    const double scores = static_cast<double>(2 * q + 2 * kv);
    const double out = static_cast<double>(q + m.hidden);
    const double residual = 3.0 * static_cast<double>(m.hidden);
    return norm + projection + rotary + scores + out + residual;
}

double mlpTraffic(const Model& m) {
    const double h = static_cast<double>(m.hidden), f = static_cast<double>(m.ffn);
    const double up = m.gatedMlp ? 2.0 : 1.0;
    const double activation = (up + 1.0) * f;
    return 2.0 * h + (h + up * f) + activation + (f + h) + 3.0 * h;
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

Flops attentionFlops(const Model& m, double seq, std::int64_t window) {
    const auto [q, kv] = attention(m);
    const double context = window > 0 ? std::min(static_cast<double>(window), seq) : seq;
    const double projections = static_cast<double>(m.hidden) * static_cast<double>(2 * q + 2 * kv);
    const double scoresAndValues = 2.0 * context * static_cast<double>(q);
    return Flops(2.0 * seq * (projections + scoresAndValues));
}

Flops mlpFlops(const Model& m, double seq) {
    return Flops(2.0 * seq * (m.gatedMlp ? 3.0 : 2.0) * static_cast<double>(m.hidden * m.ffn));
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
    }
    return "";
}

std::vector<FineLayer> fineLayers(const Model& m, std::int64_t seq) {
    const double tokens = static_cast<double>(seq);
    const Bytes handedOn(tokens * static_cast<double>(m.hidden) * kElement);
    std::vector<FineLayer> layers;
    layers.reserve(static_cast<std::size_t>(fineLayerCount(m)));
    const auto add = [&](LayerKind kind, int block, std::int64_t parameters, Flops flops, double elements,
                         Bytes out) {
        layers.push_back({static_cast<int>(layers.size()), kind, block, parameters, flops,
                          Bytes(elements * kElement), out});
    };

    // The table itself is not read through, only a row a token.
    const double embeddingElements =
        tokens *
            static_cast<double>(2 * embedWidth(m) + m.hidden + (m.learnedPositions > 0 ? 3 * m.hidden : 0)) +
        static_cast<double>(projectionParameters(m));
    add(LayerKind::Embedding, -1, embeddingParameters(m), embeddingFlops(m, tokens), embeddingElements,
        handedOn);
    const double attentionElements =
        tokens * attentionTraffic(m) + static_cast<double>(attentionParameters(m));
    const double mlpElements = tokens * mlpTraffic(m) + static_cast<double>(mlpParameters(m));
    for (int block = 0; block < static_cast<int>(m.blocks); ++block) {
        const std::int64_t window = m.window.empty() ? 0 : m.window[static_cast<std::size_t>(block)];
        add(LayerKind::Attention, block, attentionParameters(m), attentionFlops(m, tokens, window),
            attentionElements, handedOn);
        add(LayerKind::Mlp, block, mlpParameters(m), mlpFlops(m, tokens), mlpElements, handedOn);
    }
    const double headElements = tokens * headTraffic(m) + static_cast<double>(m.vocab * embedWidth(m)) +
                                static_cast<double>(projectionParameters(m));
    add(LayerKind::Head, -1, headParameters(m), headFlops(m, tokens), headElements, Bytes(0.0));
    return layers;
}

std::int64_t parameterCount(const Model& m) {
    return embeddingParameters(m) + m.blocks * (attentionParameters(m) + mlpParameters(m)) +
           headParameters(m);
}

} // namespace pw
