// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/cost/roofline.h"

#include "core/comm/comm.h"

#include <algorithm>

namespace pw {
namespace {

// Matrix parameters of a layer, whole model.
double matrices(const Model& m, LayerKind kind) {
    const auto h = static_cast<double>(m.hidden);
    const auto q = static_cast<double>(m.heads * m.headDim);
    const auto kv = static_cast<double>(m.kvHeads * m.headDim);
    const auto wordWidth = m.embedProjection > 0 ? static_cast<double>(m.embedProjection) : h;
    switch (kind) {
    case LayerKind::Attention:
        return h * q + 2.0 * h * kv + q * h;
    case LayerKind::Mlp:
        return (m.gatedMlp ? 3.0 : 2.0) * h * static_cast<double>(m.ffn);
    case LayerKind::Embedding:
        return static_cast<double>(m.vocab) * wordWidth;
    case LayerKind::Head:
        return m.tied ? 0.0 : static_cast<double>(m.vocab) * wordWidth;
    }
    return 0.0;
}

double ownParameters(const Model& model, LayerKind kind) {
    // Any sequence length gives the same parameters.
    const auto h = static_cast<double>(model.hidden);
    const auto q = static_cast<double>(model.heads * model.headDim);
    const auto kv = static_cast<double>(model.kvHeads * model.headDim);
    const double norm = model.rmsNorm ? h : 2.0 * h;
    double rest = 0.0;
    switch (kind) {
    case LayerKind::Attention:
        rest = norm + (model.qkvBias ? q + 2.0 * kv : 0.0) + (model.attentionOutBias ? h : 0.0);
        break;
    case LayerKind::Mlp:
        rest = norm + (model.mlpBias ? static_cast<double>(model.ffn) + h : 0.0);
        break;
    case LayerKind::Embedding:
        rest =
            static_cast<double>(model.learnedPositions) * h + static_cast<double>(model.embedProjection) * h;
        break;
    case LayerKind::Head:
        rest = (model.finalNorm ? norm : 0.0) + static_cast<double>(model.embedProjection) * h;
        break;
    }
    return rest;
}

// Adds up operator times on one device.
struct Timer {
    double peak;      // attainable FLOP/s
    double bandwidth; // attainable bytes/s
    double launch;    // s per kernel
    double forward = 0.0, backward = 0.0, weightGrad = 0.0;

    // y[m,n] = x[m,k] w[k,n]; backward does two products of the same size, one of them the weight gradient.
    void product(double m, double n, double k, double bytesPerElement, double rateShare, bool weights) {
        const double flops = 2.0 * m * n * k;
        const double bytes = (m * k + k * n + m * n) * bytesPerElement;
        const double once = std::max(flops / (peak * rateShare), bytes / bandwidth) + launch;
        forward += once;
        backward += 2.0 * once;
        if (weights)
            weightGrad += once;
    }
    void elementwise(double bytesForward, double bytesBackward) {
        forward += bytesForward / bandwidth + launch;
        backward += bytesBackward / bandwidth + launch;
    }
};

} // namespace

bool fusedAttention(const DeviceKind& kind, Precision precision) {
    return elementBytes(precision) <= 2.0 && kind.bf16.value > 0.0;
}

double layerParameters(const Model& model, LayerKind kind, int tp) {
    return matrices(model, kind) / tp + ownParameters(model, kind);
}

UnitCost rooflineLayer(const Problem& problem, const CostConfig& config, const LayerShape& shape) {
    const Model& m = problem.model();
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    const Precision precision = problem.precision();
    const double e = elementBytes(precision);
    const double b = config.mbs;
    const auto s = static_cast<double>(problem.recipe().seq);
    const auto h = static_cast<double>(m.hidden);
    const auto tp = static_cast<double>(config.tp);
    const double q = static_cast<double>(m.heads * m.headDim) / tp;
    const double kv = std::max(static_cast<double>(m.kvHeads * m.headDim) / tp,
                               static_cast<double>(m.headDim)); // kv heads are copied when fewer than tp
    const double heads = static_cast<double>(m.heads) / tp;
    const double f = static_cast<double>(m.ffn) / tp;
    const double tokens = s * b;
    const double spread = config.sequenceParallel ? tp : 1.0; // ranks over which norms and masks are spread
    const double row = tokens * h / spread;                   // elements of a layer boundary on a rank

    Timer timer{kind.peak(precision).value * kind.matmulEfficiency * config.speed,
                kind.memoryBandwidth.value * kind.memoryEfficiency * config.speed, kind.launchOverhead.value};
    UnitCost cost;
    cost.parameters = layerParameters(m, shape.kind, config.tp);

    double collectives = 0.0; // all-reduce equivalents of the boundary activation, forward + backward
    double core = 0.0;        // forward time of the attention core, what selective recompute repeats
    switch (shape.kind) {
    case LayerKind::Embedding: {
        timer.elementwise(2.0 * row * e, 2.0 * row * e);
        cost.kept = 8.0 * tokens; // token ids
        cost.transient = row * e;
        collectives = config.tp > 1 ? 1.0 : 0.0;
        break;
    }
    case LayerKind::Attention: {
        const bool fused = fusedAttention(kind, precision);
        const double reach = shape.window > 0 ? std::min(static_cast<double>(shape.window), s) : s;
        const double scores = fused ? 0.0 : heads * b * s * reach; // elements in memory
        timer.elementwise(3.0 * row * e, 4.0 * row * e);           // norm
        timer.product(tokens, q + 2.0 * kv, h, e, 1.0, true);
        const double before = timer.forward;
        // Attention runs at about half of the matrix products' rate, fused or not.
        timer.product(b * heads * s, reach, static_cast<double>(m.headDim), fused ? 0.0 : e, 0.5, false);
        timer.product(b * heads * s, static_cast<double>(m.headDim), reach, fused ? 0.0 : e, 0.5, false);
        if (!fused)
            timer.elementwise(6.0 * scores * e, 8.0 * scores * e); // scale, mask, softmax, dropout
        core = timer.forward - before;
        timer.product(tokens, h, q, e, 1.0, true);
        timer.elementwise(3.0 * row * e, 3.0 * row * e); // dropout and residual
        // arXiv 2205.05198: 13 sbh + 5 as^2 b at 2 bytes for plain heads; counted here operator by operator.
        const double softmax = scores * (2.0 * e + 1.0);
        const double full = row * e * 2.0 + row + tokens * (2.0 * q + 2.0 * kv) * e + softmax;
        if (config.recompute == Recompute::Full)
            cost.kept = row * e;
        else
            cost.kept = full - (config.recompute == Recompute::Selective ? softmax : 0.0);
        cost.transient = 2.0 * scores * e + 2.0 * row * e +
                         (config.recompute == Recompute::Full ? full : 0.0) +
                         (config.recompute == Recompute::Selective ? softmax : 0.0);
        collectives = config.tp > 1 ? 2.0 : 0.0;
        break;
    }
    case LayerKind::Mlp: {
        timer.elementwise(3.0 * row * e, 4.0 * row * e); // norm
        timer.product(tokens, m.gatedMlp ? 2.0 * f : f, h, e, 1.0, true);
        timer.elementwise((m.gatedMlp ? 3.0 : 2.0) * tokens * f * e,
                          (m.gatedMlp ? 5.0 : 3.0) * tokens * f * e);
        timer.product(tokens, h, f, e, 1.0, true);
        timer.elementwise(3.0 * row * e, 3.0 * row * e);
        const double full = row * e * 2.0 + row + tokens * f * e * (m.gatedMlp ? 3.0 : 2.0);
        cost.kept = config.recompute == Recompute::Full ? 0.0 : full;
        cost.transient = tokens * f * e * (m.gatedMlp ? 2.0 : 1.0) + 2.0 * row * e +
                         (config.recompute == Recompute::Full ? full : 0.0);
        collectives = config.tp > 1 ? 2.0 : 0.0;
        break;
    }
    case LayerKind::Head: {
        const auto width = m.embedProjection > 0 ? static_cast<double>(m.embedProjection) : h;
        const double vocab = static_cast<double>(m.vocab) / tp;
        timer.elementwise(3.0 * row * e, 4.0 * row * e); // final norm
        timer.product(tokens, vocab, width, e, 1.0, true);
        timer.elementwise(3.0 * tokens * vocab * 4.0, 2.0 * tokens * vocab * 4.0); // cross-entropy in fp32
        cost.kept = 2.0 * row * e;
        cost.transient = tokens * vocab * (2.0 * e + 4.0); // logits, their fp32 softmax, their gradient
        collectives = config.tp > 1 ? 1.0 : 0.0;
        break;
    }
    }
    cost.forward = timer.forward;
    cost.backward = timer.backward;
    cost.weightGrad = timer.weightGrad;
    if (collectives > 0.0) {
        // Tensor parallelism stays inside a node. Sequence parallelism moves the same bytes as
        // reduce-scatter and all-gather.
        const BytesPerSecond own = kind.intraBandwidth.value > 0.0 ? kind.intraBandwidth : kind.pcie;
        const double once = ringTimeInNode(config.fabric > 0.0 ? BytesPerSecond(config.fabric) : own,
                                           Seconds(config.fabricLatency), config.tp, Collective::AllReduce,
                                           Bytes(tokens * h * e))
                                .value;
        cost.comm = collectives * once;
        cost.forward += cost.comm / 2.0;
        cost.backward += cost.comm / 2.0;
    }
    if (shape.kind == LayerKind::Attention || shape.kind == LayerKind::Mlp) {
        if (config.recompute == Recompute::Full)
            cost.recompute = cost.forward;
        else if (config.recompute == Recompute::Selective && shape.kind == LayerKind::Attention &&
                 !fusedAttention(kind, precision))
            cost.recompute = core; // a fused kernel keeps no scores: there is nothing to repeat
    }
    // The optimiser reads gradient and states and writes states and weight, once a step.
    const bool mixed = e < 4.0;
    const double adam = mixed ? 4.0 + 8.0 + 16.0 + 2.0 : 4.0 + 8.0 + 16.0;
    const double sgd = mixed ? 4.0 + 8.0 + 8.0 + 2.0 : 4.0 + 8.0 + 8.0;
    cost.update =
        cost.parameters * (problem.recipe().optimizer == Optimizer::Adam ? adam : sgd) / timer.bandwidth;
    return cost;
}

} // namespace pw
