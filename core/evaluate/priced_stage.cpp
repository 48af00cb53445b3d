// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/priced_stage.h"

#include "core/comm/comm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

using DeviceLists = std::vector<std::vector<DeviceIndex>>;

std::vector<Replica> drawnReplicas(const Pipeline& pipeline, const Stage& stage) {
    const std::size_t each = stage.replicas.size() / static_cast<std::size_t>(pipeline.count);
    return {stage.replicas.begin(), stage.replicas.begin() + static_cast<std::ptrdiff_t>(each)};
}

// Of every chunk of a stage on one of its replicas.
std::vector<StageCost> chunkCosts(const Problem& problem, const CostTable& table, const Stage& stage,
                                  const Replica& replica, int dp, std::int64_t microbatchSize) {
    CostConfig config;
    placeOn(config, problem.topology(), replica.devices.front());
    config.tp = stage.tp;
    config.mbs = static_cast<int>(std::llround(replica.share * static_cast<double>(microbatchSize)));
    config.recompute = stage.recompute;
    config.sequenceParallel = stage.sequenceParallel;
    const bool embeds = stage.chunks.front().first == 0;
    std::vector<StageCost> costs;
    for (const LayerRange& range : stage.chunks)
        costs.push_back(table.costs(config).stage(range.first, range.last, dp, stage.zero, embeds));
    return costs;
}

// Chunks run one after the other on the same devices: only what lives during a pass is shared.
StageCost together(const std::vector<StageCost>& chunks) {
    StageCost sum = chunks.front();
    for (std::size_t c = 1; c < chunks.size(); ++c) {
        const StageCost& chunk = chunks[c];
        for (double StageCost::*part :
             {&StageCost::forward, &StageCost::backward, &StageCost::recompute, &StageCost::weightGrad,
              &StageCost::comm, &StageCost::optimizer, &StageCost::measured, &StageCost::weights,
              &StageCost::gradients, &StageCost::optimizerStates, &StageCost::kept, &StageCost::syncGradients,
              &StageCost::syncWeights})
            sum.*part += chunk.*part;
        sum.transient = std::max(sum.transient, chunk.transient);
        sum.communication = std::max(sum.communication, chunk.communication);
        sum.provenance = std::max(sum.provenance, chunk.provenance);
        sum.updateProvenance = std::max(sum.updateProvenance, chunk.updateProvenance);
    }
    return sum;
}

// The slowest replica of each chunk sets its time. What a micro-batch keeps in a chunk is a share of the
// whole stage's, the same on every replica.
void addChunks(StageFigures& figures, const std::vector<StageCost>& chunks, double kept) {
    figures.chunks.resize(chunks.size());
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        ChunkFigures& f = figures.chunks[c];
        f.forward = std::max(f.forward, Seconds(chunks[c].forward));
        f.backward = std::max(f.backward, Seconds(chunks[c].backward));
        f.recompute = std::max(f.recompute, Seconds(chunks[c].recompute));
        f.weightGrad = std::max(f.weightGrad, Seconds(chunks[c].weightGrad));
        f.keptShare = kept > 0.0 ? chunks[c].kept / kept : 1.0 / static_cast<double>(chunks.size());
    }
}

PricedStage price(const Problem& problem, const CostTable& table, const Pipeline& pipeline,
                  const Stage& stage) {
    PricedStage priced;
    const std::vector<Replica> drawn = drawnReplicas(pipeline, stage);
    const int dp = static_cast<int>(stage.replicas.size()); // gradients are shared by all copies
    double compute = 0.0, measured = 0.0;
    for (const Replica& replica : drawn) {
        const std::vector<StageCost> chunks =
            chunkCosts(problem, table, stage, replica, dp, pipeline.microbatchSize);
        const StageCost cost = together(chunks);
        StageFigures& f = priced.figures;
        addChunks(f, chunks, cost.kept);
        f.communication = std::max(f.communication, Seconds(cost.comm));
        f.optimizer = std::max(f.optimizer, Seconds(cost.optimizer));
        compute += cost.total();
        measured += cost.measured;
        if (priced.costs.empty() || cost.total() > priced.slowest.total())
            priced.slowest = cost;
        if (priced.costs.empty() || cost.provenance > f.forwardProvenance)
            f.forwardProvenance = cost.provenance;
        if (priced.costs.empty() || cost.updateProvenance > f.optimizerProvenance)
            f.optimizerProvenance = cost.updateProvenance;
        priced.costs.push_back(cost);
        priced.replicas.push_back(replica.devices);
    }
    for (const ChunkFigures& chunk : priced.figures.chunks) {
        priced.figures.forward += chunk.forward;
        priced.figures.backward += chunk.backward;
        priced.figures.recompute += chunk.recompute;
        priced.figures.weightGrad += chunk.weightGrad;
    }
    priced.figures.measuredShare = compute > 0.0 ? measured / compute : 0.0;
    DeviceLists all;
    for (const Replica& replica : stage.replicas)
        all.push_back(replica.devices);
    priced.tail.sync = syncTraffic(problem.topology(), all, stage.zero, priced.slowest);
    priced.tail.optimizer = priced.figures.optimizer.value;
    return priced;
}

// All identical pipelines send at the same time: each holds a whole micro-batch, so that the shares of their
// replicas add up to their number, and copy meets copy.
std::vector<RankGroup> groups(const Stage& stage) {
    std::vector<RankGroup> list;
    for (const Replica& replica : stage.replicas)
        list.push_back({replica.devices, replica.share});
    return list;
}

void priceBoundaries(const Problem& problem, const Pipeline& pipeline, std::vector<PricedStage>& stages) {
    const ChunkLayout layout = pipeline.layout();
    const Bytes activation(boundaryBytes(problem, static_cast<double>(pipeline.microbatchSize)));
    for (int v = 0; v + 1 < layout.virtualStages(); ++v) {
        const auto from = static_cast<std::size_t>(layout.stageOf(v));
        const auto to = static_cast<std::size_t>(layout.stageOf(v + 1));
        if (from == to)
            continue;
        const TransferCost cost =
            boundaryTransfer(problem.topology(), groups(pipeline.stages[from]), groups(pipeline.stages[to]),
                             activation, !pipeline.stages[to].sequenceParallel);
        const auto chunk = static_cast<std::size_t>(layout.chunkOf(v));
        stages[from].figures.chunks[chunk].send = cost.time;
        if (chunk > 0)
            continue;
        stages[from].inNode = !cost.crossesNodes;
        stages[from].figures.send = cost.time;
        stages[from].figures.link = cost.link;
    }
}

} // namespace

std::vector<PricedStage> priceStages(const Problem& problem, const CostTable& table,
                                     const Pipeline& pipeline) {
    std::vector<PricedStage> stages;
    for (const Stage& stage : pipeline.stages)
        stages.push_back(price(problem, table, pipeline, stage));
    priceBoundaries(problem, pipeline, stages);
    const ChunkLayout layout = pipeline.layout();
    PricedStage& first = stages.front();
    PricedStage& last = stages[static_cast<std::size_t>(layout.stageOf(layout.virtualStages() - 1))];
    if (&first != &last) {
        const double tied = tiedTime(problem, first.replicas, last.replicas);
        first.tail.tied = tied;
        last.tail.tied = tied;
    }
    for (PricedStage& stage : stages)
        stage.figures.sync = stage.tail.sync.alone() + Seconds(stage.tail.tied);
    return stages;
}

// Names the stage whose activations or gradients no links carry.
Status joined(const std::vector<PricedStage>& stages, std::size_t pipeline) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::string where = fmt::format("plan/pipelines/{}/stages/{}", pipeline, i);
        for (const ChunkFigures& chunk : stages[i].figures.chunks)
            if (!std::isfinite(chunk.send.value))
                return badInput("plan.unreachable", where,
                                "no links lead from its devices to the next stage's");
        if (!std::isfinite(stages[i].figures.sync.value))
            return badInput("plan.unreachable", where, "no links join the devices that share its gradients");
    }
    return Ok{};
}

} // namespace pw
