// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/cost/roofline.h"

#include "core/comm/comm.h"
#include "core/cost/device_time.h"

#include <algorithm>

namespace pw {
namespace {

Fusion fusionOf(Launch kernels) {
    switch (kernels) {
    case Launch::Eager:
        return Fusion::None;
    case Launch::Fused:
        return Fusion::Hand;
    case Launch::Compiled:
        return Fusion::Compiler;
    }
    return Fusion::Hand;
}

// Parameter tensors of a layer: matrices, their biases, the norm. Experts are counted as one stack.
double tensorCount(const Model& m, LayerKind kind, int block) {
    const double norm = m.rmsNorm ? 1.0 : 2.0;
    switch (kind) {
    case LayerKind::Embedding:
        return m.learnedPositions > 0 ? 2.0 : 1.0;
    case LayerKind::Attention: {
        const AttentionForm f = attentionForm(m, block);
        if (f.linear.valueHeads > 0) // two projections in, one out, convolution, two starts, a norm
            return m.attentionNorms * norm + 7.0;
        return m.attentionNorms * norm + 2.0 + (m.qkvBias ? 1.0 : 0.0) + (m.attentionOutBias ? 1.0 : 0.0) +
               (f.parts.outputGate == OutputGate::Heads ? 1.0 : 0.0) + (f.parts.sinks ? 1.0 : 0.0) +
               (f.parts.index.heads > 0 ? 4.0 : 0.0);
    }
    case LayerKind::Mlp:
        return m.mlpNorms * norm + (m.gatedMlp ? 3.0 : 2.0) + (m.mlpBias ? 2.0 : 0.0);
    case LayerKind::Head:
        return norm + (m.tied ? 0.0 : 1.0);
    case LayerKind::Junction:
        return 3.0 * norm + 1.0;
    }
    return 1.0;
}

// Keys and values of all other ranks of a context-parallel group, which each hold a slice of the sequence:
// `sent` bytes leave every rank.
double contextExchange(const CommConstants& constants, const CostConfig& config, const NodeFabric& fabric,
                       double sent) {
    if (config.cp < 2)
        return 0.0;
    if (config.context.perByte > 0.0)
        return config.context(sent * config.cp / (config.cp - 1));
    return sent / fabric.ringRate(constants, config.cp).value + config.cp * fabric.latency.value;
}

// One all-reduce of the boundary activation over the tensor-parallel group, or with sequence parallelism the
// reduce-scatter and all-gather that take its place; `narrowed`: what is gathered over what is reduced.
double collective(const CommConstants& constants, const CostConfig& config, const DeviceKind& kind,
                  double bytes, double narrowed) {
    if (config.tensor.perByte > 0.0) // half of what an all-reduce moves is gathered
        return config.tensor(bytes * (0.5 + 0.5 * narrowed));
    const NodeFabric fabric =
        nodeFabric(kind, BytesPerSecond(config.fabric), Seconds(config.fabricLatency), config.fabricGpus);
    const auto time = [&](Collective which, double moved) {
        return collectiveTimeInNode(constants, fabric, config.tp, which, Bytes(moved)).value;
    };
    return config.sequenceParallel
               ? time(Collective::ReduceScatter, bytes) + time(Collective::AllGather, bytes * narrowed)
               : time(Collective::AllReduce, bytes);
}

// The operators of a pass, added up.
struct Sums {
    double forward = 0.0, inputGrad = 0.0, weightGrad = 0.0;
    double products = 0.0, inputProducts = 0.0; // of forward and inputGrad: matrix products with weights
    double core = 0.0;                          // forward time between the projections
    double attention = 0.0;                     // of it, fused kernels
    double partial = 0.0;                       // what a policy repeats that keeps every second product
};

Sums add(const LayerOperators& operators, const DeviceTime& device) {
    Sums sums;
    for (const Operator& op : operators.list) {
        const DeviceTime::Times t = device(op);
        sums.forward += t.forward;
        sums.inputGrad += t.inputGrad;
        sums.weightGrad += t.weightGrad;
        if (op.kind == OperatorKind::Product && op.weights) {
            sums.products += t.forward;
            sums.inputProducts += t.inputGrad;
        }
        if (op.core)
            sums.core += t.forward;
        if (op.kind == OperatorKind::Attention)
            sums.attention += t.forward;
        else
            sums.partial += op.kind == OperatorKind::Product ? 0.5 * t.forward : t.forward;
    }
    return sums;
}

// Calls of the host for the forward pass of a layer: a captured one is a single call.
double hostCalls(const LayerOperators& operators, Graphs graphs) {
    switch (graphs) {
    case Graphs::None:
        return operators.hostOperators;
    case Graphs::Layer:
        return 1.0;
    case Graphs::Iteration:
        return 0.0;
    }
    return operators.hostOperators;
}

// What is left to wait for of tensor-parallel communication of `whole` seconds where products are cut into as
// many slices as there are ranks, each on its way while the next one is computed: the first slice, and what
// is longer than the products. Reconstruction of the user buffers of Transformer Engine (overlap by rings).
double leftOfExchange(double whole, int tp, double products) {
    return whole - std::min(whole * (1.0 - 1.0 / tp), products);
}

// Kept under the recompute mode; what is not kept is alive while its layer runs backward.
void fillMemory(UnitCost& cost, const LayerOperators& operators, Recompute mode, bool fused) {
    double kept = operators.kept;
    if (mode == Recompute::Full)
        kept = operators.keptInput;
    else if (mode == Recompute::Selective)
        kept = fused ? operators.keptInput + 0.5 * (operators.kept - operators.keptInput)
                     : operators.kept - operators.keptCore;
    cost.kept = kept;
    cost.transient = operators.transient + (operators.kept - kept);
}

} // namespace

bool hasDropout(const Problem& problem) {
    const std::string& family = problem.model().family;
    return isOn(problem.recipe().software.dropout,
                family == "gpt2" || family == "gpt_neo" || family == "opt");
}

bool fusedAttention(const Problem& problem, const DeviceKind& kind) {
    return isOn(problem.recipe().software.fusedAttention,
                elementBytes(problem.precision()) <= 2.0 && kind.bf16.value > 0.0);
}

double updateBytes(const Problem& problem) {
    const bool mixed = elementBytes(problem.precision()) < 4.0;
    const bool adam = problem.recipe().optimizer == Optimizer::Adam;
    const double gradient = stateBytes(problem).gradient;
    // Counted in the runner (samples/runner/optimizer.py, gradients.py), whose operations are kernels of
    // their own: the norm in fp64, the scaled gradient, decay, moments, root and step; the 16-bit weight; the
    // zeroes.
    if (!isOn(problem.recipe().software.fusedUpdate, true))
        return 36.0 + (adam ? 96.0 : 48.0) + (mixed ? 6.0 : 8.0) + gradient;
    // Adam reads the gradient, reads and writes the weight and its two moments, and writes the 16-bit weight.
    double bytes = 4.0 + 8.0 + (adam ? 16.0 : 8.0) + (mixed ? 2.0 : 0.0);
    // Before it gradients are read for their norm (those that need clipping are few once training is under
    // way). Those of 16 bits are widened first, those under a loss scale are read and written to undo it.
    // Behind it they are set to zero.
    bytes += 4.0 + gradient;
    if (gradient < 4.0)
        bytes += gradient + 4.0;
    if (problem.precision() == Precision::Fp16)
        bytes += 8.0;
    return bytes;
}

RankShape wholeShape(const Problem& problem, const DeviceKind& kind) {
    const Software& software = problem.recipe().software;
    RankShape shape;
    shape.seq = static_cast<double>(problem.recipe().seq);
    shape.fusedAttention = fusedAttention(problem, kind);
    shape.fusedLoss = isOn(software.fusedLoss, false);
    shape.dropout = hasDropout(problem);
    shape.fusion = fusionOf(software.kernels);
    shape.elementBytes = elementBytes(problem.precision());
    return shape;
}

namespace {

RankShape rankShape(const Problem& problem, const CostConfig& config) {
    RankShape rank = wholeShape(problem, problem.topology().kinds()[static_cast<std::size_t>(config.kind)]);
    rank.sequences = config.mbs;
    if (config.seq > 0)
        rank.seq = static_cast<double>(config.seq);
    rank.tp = config.tp;
    rank.cp = config.cp;
    rank.ep = config.ep;
    rank.expertTp = config.expertTp;
    rank.expertLoad = problem.recipe().expertLoad;
    rank.sequenceParallel = config.sequenceParallel;
    return rank;
}

} // namespace

GroupBytes groupBytes(const Problem& problem, const CostConfig& config) {
    const RankShape rank = rankShape(problem, config);
    const Model& model = problem.model();
    GroupBytes bytes;
    if (config.cp > 1)
        for (const int block : attentionKinds(model))
            bytes.context =
                std::max(bytes.context, layerOperators(model, LayerKind::Attention, block, rank).exchanged *
                                            config.cp / (config.cp - 1));
    const auto last = static_cast<int>(model.blocks) - 1; // the first ones may be without experts
    if (config.ep > 1)
        bytes.experts =
            layerOperators(model, LayerKind::Mlp, last, rank).routed * config.ep / (config.ep - 1);
    return bytes;
}

namespace {

// Of what sequence parallelism gathers, over what it reduces: for the products of a block it is narrowed
// before; experts are dealt whole numbers.
double narrowedShare(const Problem& problem, const CostConfig& config, const LayerShape& shape,
                     const DeviceTime& device) {
    const bool narrow = config.sequenceParallel && shape.block >= 0 &&
                        (shape.kind == LayerKind::Attention || !hasExperts(problem.model(), shape.block));
    return narrow ? device.gatheredBytes() / elementBytes(problem.precision()) : 1.0;
}

} // namespace

PassedBytes passedBytes(const Problem& problem, const CostConfig& config, const LayerShape& shape) {
    const LayerOperators operators =
        layerOperators(problem.model(), shape.kind, shape.block, rankShape(problem, config));
    const DeviceTime device(problem.constants().compute(),
                            problem.topology().kinds()[static_cast<std::size_t>(config.kind)],
                            problem.precision(), config.speed, problem.recipe().software);
    const bool repeats = config.recompute == Recompute::Full &&
                         (shape.kind == LayerKind::Attention || shape.kind == LayerKind::Mlp);
    const double forwards = repeats ? 2.0 : 1.0;
    PassedBytes bytes;
    bytes.tensor = 0.5 * operators.collectives * operators.collected *
                   (0.5 + 0.5 * narrowedShare(problem, config, shape, device)) * (forwards + 1.0);
    if (config.cp > 1)
        bytes.context = operators.exchanged * config.cp / (config.cp - 1) * (forwards + 2.0);
    if (config.ep > 1)
        bytes.experts = 2.0 * operators.routed * config.ep / (config.ep - 1) * (forwards + 1.0);
    return bytes;
}

UnitCost rooflineLayer(const Problem& problem, const CostConfig& config, const LayerShape& shape) {
    const Recipe& recipe = problem.recipe();
    const Software& software = recipe.software;
    const DeviceKind& kind = problem.topology().kinds()[static_cast<std::size_t>(config.kind)];
    const bool fused = fusedAttention(problem, kind);

    const LayerOperators operators =
        layerOperators(problem.model(), shape.kind, shape.block, rankShape(problem, config));
    const ComputeConstants& compute = problem.constants().compute();
    const CommConstants& comm = problem.constants().comm();
    const DeviceTime device(compute, kind, problem.precision(), config.speed, software);
    const Sums sums = add(operators, device);

    UnitCost cost;
    cost.parameters =
        layerParameters(problem.model(), shape.block, shape.kind, config.tp, config.ep, config.expertTp);
    if (config.ep > 1) {
        cost.routed =
            routedParameters(problem.model(), shape.block, shape.kind, config.tp, config.ep, config.expertTp);
        cost.shared = cost.parameters - cost.routed;
    }
    cost.tensors = tensorCount(problem.model(), shape.kind, shape.block);
    cost.update = cost.parameters * updateBytes(problem) / (compute.updateShare * device.bandwidth());

    double forwardComm = 0.0, backwardComm = 0.0;
    if (operators.collectives > 0) {
        const double narrowed = narrowedShare(problem, config, shape, device);
        const double half =
            0.5 * operators.collectives * collective(comm, config, kind, operators.collected, narrowed);
        // What experts are dealt is only there once all of it is.
        const bool cutUp = isOn(software.overlapTensor, false) && operators.routed == 0.0;
        if (cutUp) {
            forwardComm = leftOfExchange(half, config.tp, sums.products);
            backwardComm = leftOfExchange(half, config.tp, sums.weightGrad + sums.inputProducts);
        } else {
            forwardComm = half;
            backwardComm = isOn(software.overlapTensorBackward, true)
                               ? std::max(half * (1.0 - compute.hiddenShare), half - sums.weightGrad)
                               : half;
        }
    }
    // Keys and values go round while attention works on those that are there.
    const NodeFabric fabric =
        nodeFabric(kind, BytesPerSecond(config.fabric), Seconds(config.fabricLatency), config.fabricGpus);
    const double exchange = contextExchange(comm, config, fabric, operators.exchanged);
    forwardComm += std::max(0.0, exchange - sums.attention);
    backwardComm += std::max(0.0, 2.0 * exchange - 2.0 * sums.attention);
    if (operators.routed > 0.0) { // out to the experts and back, in either pass
        const double there =
            config.experts.perByte > 0.0
                ? config.experts(operators.routed * config.ep / (config.ep - 1))
                : operators.routed / fabric.ringRate(comm, config.ep).value + fabric.latency.value;
        forwardComm += 2.0 * there;
        backwardComm += 2.0 * there;
    }

    const bool inBlock = shape.kind == LayerKind::Attention || shape.kind == LayerKind::Mlp;
    // Two layers a block; the backward pass calls twice as much as the forward pass.
    const double stall = inBlock ? config.stall / (2.0 * 3.0) : 0.0;
    const double host = hostCalls(operators, software.graphs) * device.hostCall() + stall;
    double accumulate = 0.0, accumulateHost = 0.0;
    if (!isOn(software.fusedAccumulation, true)) { // reads the gradient, reads and writes the sum
        const double sum = stateBytes(problem).gradient;
        accumulate = device.memory((elementBytes(problem.precision()) + 2.0 * sum) * cost.parameters);
        accumulateHost = software.graphs == Graphs::None ? cost.tensors * device.hostCall() : 0.0;
    }
    cost.forward = std::max(sums.forward + forwardComm, host);
    cost.backward =
        std::max(sums.inputGrad + sums.weightGrad + backwardComm + accumulate, 2.0 * host + accumulateHost);
    cost.weightGrad = std::min(sums.weightGrad, 0.5 * cost.backward);
    cost.comm = forwardComm + backwardComm;
    if (inBlock && config.recompute == Recompute::Full)
        cost.recompute = cost.forward;
    else if (inBlock && config.recompute == Recompute::Selective)
        cost.recompute = fused && !isOn(software.repeatCore, false) ? sums.partial : sums.core;
    fillMemory(cost, operators, inBlock ? config.recompute : Recompute::None, fused);
    return cost;
}

} // namespace pw
