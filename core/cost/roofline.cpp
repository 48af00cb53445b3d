// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/cost/roofline.h"

#include "core/comm/comm.h"

#include <algorithm>

namespace pw {
namespace {

// Adds up operator times on one device.
struct Timer {
    double peak;      // attainable FLOP/s
    double bandwidth; // attainable bytes/s
    double launch;    // s per kernel
    double forward = 0.0, backward = 0.0, weightGrad = 0.0;

    // y[m,n] = x[m,k] w[k,n]; backward does two products of the same size, one of them the weight gradient.
    // In a grouped product the rows are dealt out to so many matrices of one size.
    void product(double m, double n, double k, double bytesPerElement, double rateShare, bool weights,
                 double groups = 1.0) {
        const double flops = 2.0 * m * n * k;
        const double bytes = (m * k + groups * k * n + m * n) * bytesPerElement;
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

UnitCost rooflineLayer(const Problem& problem, const CostConfig& config, const LayerShape& shape) {
    const Model& m = problem.model();
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    const Precision precision = problem.precision();
    const double e = elementBytes(precision);
    const double b = config.mbs;
    const auto s = static_cast<double>(config.seq > 0 ? config.seq : problem.recipe().seq);
    const auto h = static_cast<double>(m.hidden);
    const auto tp = static_cast<double>(config.tp);
    const double q = static_cast<double>(m.heads * m.headDim) / tp;
    const double v = static_cast<double>(m.heads * valueDim(m)) / tp; // out of the attention core
    const double kv = std::max(static_cast<double>(m.kvHeads * m.headDim) / tp,
                               static_cast<double>(m.headDim)); // kv heads are copied when fewer than tp
    const double heads = static_cast<double>(m.heads) / tp;
    const double tokens = s * b;
    const double spread = config.sequenceParallel ? tp : 1.0; // ranks over which norms and masks are spread
    const double row = tokens * h / spread;                   // elements of a layer boundary on a rank

    Timer timer{kind.peak(precision).value * kind.matmulEfficiency * config.speed,
                kind.memoryBandwidth.value * kind.memoryEfficiency * config.speed, kind.launchOverhead.value};
    UnitCost cost;
    cost.parameters = layerParameters(m, shape.block, shape.kind, config.tp);

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
        const std::int64_t window = windowOf(m, shape.block);
        const double reach = window > 0 ? std::min(static_cast<double>(window), s) : s;
        const double scores = fused ? 0.0 : heads * b * s * reach; // elements in memory
        timer.elementwise(3.0 * row * e, 4.0 * row * e);           // norm
        double latents = 0.0; // elements of a token, the same on every rank
        double keys = kv, values = kv;
        if (hasLatentAttention(m)) {
            const LatentAttention& l = m.latent;
            const auto queryRank = static_cast<double>(l.queryRank), kvRank = static_cast<double>(l.kvRank);
            latents = queryRank + kvRank + static_cast<double>(l.rotaryDim);
            keys = q;
            values = v;
            timer.product(tokens, latents, h, e, 1.0, true);
            timer.elementwise(2.0 * tokens * latents * e, 4.0 * tokens * latents * e); // their norms
            timer.product(tokens, q, l.queryRank > 0 ? queryRank : h, e, 1.0, true);
            timer.product(tokens, heads * static_cast<double>(l.plainDim + l.valueDim), kvRank, e, 1.0, true);
            timer.elementwise(2.0 * tokens * q * e, 2.0 * tokens * q * e); // keys of both parts, joined
        } else {
            timer.product(tokens, q + 2.0 * kv, h, e, 1.0, true);
        }
        const double before = timer.forward;
        // Attention runs at about half of the matrix products' rate, fused or not.
        timer.product(b * heads * s, reach, static_cast<double>(m.headDim), fused ? 0.0 : e, 0.5, false);
        timer.product(b * heads * s, static_cast<double>(valueDim(m)), reach, fused ? 0.0 : e, 0.5, false);
        if (!fused)
            timer.elementwise(6.0 * scores * e, 8.0 * scores * e); // scale, mask, softmax, dropout
        core = timer.forward - before;
        timer.product(tokens, h, v, e, 1.0, true);
        timer.elementwise(3.0 * row * e, 3.0 * row * e); // dropout and residual
        // arXiv 2205.05198: 13 sbh + 5 as^2 b at 2 bytes for plain heads; counted here operator by operator.
        const double softmax = scores * (2.0 * e + 1.0);
        const double full =
            row * e * 2.0 + row + tokens * (q + v + keys + values + 2.0 * latents) * e + softmax;
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
        const double up = m.gatedMlp ? 2.0 : 1.0;
        double full = row * e * 2.0 + row; // kept
        double widest = 0.0;               // elements of the widest inner activation
        const auto product = [&](double rows, double f, double experts) {
            timer.product(rows, up * f, h, e, 1.0, true, experts);
            timer.elementwise((up + 1.0) * rows * f * e, (2.0 * up + 1.0) * rows * f * e);
            timer.product(rows, h, f, e, 1.0, true, experts);
            full += rows * f * e * (up + 1.0);
            widest = std::max(widest, rows * f * up);
        };
        if (!hasExperts(m, shape.block)) {
            product(tokens, static_cast<double>(m.ffn) / tp, 1.0);
        } else {
            const auto experts = static_cast<double>(m.experts.count);
            const double sent =
                tokens * static_cast<double>(m.experts.perToken); // rows, one an expert chosen
            timer.product(tokens, experts, h, e, 1.0, true);      // router
            timer.elementwise(3.0 * tokens * experts * 4.0, 3.0 * tokens * experts * 4.0);
            timer.elementwise((tokens + sent) * h * e, (tokens + sent) * h * e); // sorted by expert
            product(sent, static_cast<double>(m.experts.ffn) / tp, std::min(experts, sent));
            timer.elementwise((sent + tokens) * h * e, (2.0 * sent + tokens) * h * e); // weighed and added
            full += 2.0 * sent * h * e + tokens * experts * 4.0; // into and out of the experts; scores
            if (m.experts.shared > 0)
                product(tokens, static_cast<double>(sharedWidth(m)) / tp, 1.0);
        }
        timer.elementwise(3.0 * row * e, 3.0 * row * e);
        cost.kept = config.recompute == Recompute::Full ? 0.0 : full;
        cost.transient = widest * e + 2.0 * row * e + (config.recompute == Recompute::Full ? full : 0.0);
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
        const NodeFabric fabric =
            nodeFabric(kind, BytesPerSecond(config.fabric), Seconds(config.fabricLatency), config.fabricGpus);
        const auto time = [&](Collective collective) {
            return collectiveTimeInNode(fabric, config.tp, collective, Bytes(tokens * h * e)).value;
        };
        const double once = config.sequenceParallel
                                ? time(Collective::ReduceScatter) + time(Collective::AllGather)
                                : time(Collective::AllReduce);
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
