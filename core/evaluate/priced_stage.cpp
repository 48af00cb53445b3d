// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/priced_stage.h"

#include "core/comm/comm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pw {

std::vector<std::vector<DeviceIndex>> sharingRanks(const Stage& stage) {
    std::vector<std::vector<DeviceIndex>> list;
    const auto tp = static_cast<std::ptrdiff_t>(stage.tp);
    for (const Replica& replica : stage.replicas)
        for (auto at = replica.devices.begin(); at != replica.devices.end(); at += tp)
            list.emplace_back(at, at + tp);
    return list;
}

int shardingInUse(const Pipeline& pipeline, const Stage& stage) {
    return pipeline.stages.size() > 1 ? std::min(stage.zero, 1) : stage.zero;
}

double sumsOf(const Pipeline& pipeline, const Stage& stage) {
    return shardingInUse(pipeline, stage) == 2 ? static_cast<double>(pipeline.microbatches) : 1.0;
}

std::vector<RankGroup> senders(const Stage& stage) {
    std::vector<RankGroup> list;
    for (const Replica& replica : stage.replicas)
        list.push_back({replica.devices, replica.share});
    return list;
}

CostConfig configOf(const Problem& problem, const Stage& stage, const Replica& replica,
                    std::int64_t microbatchSize, bool overNetwork) {
    CostConfig config;
    placeOn(config, problem.topology(), replica.devices.front());
    config.tp = stage.tp;
    config.cp = stage.cp;
    config.ep = stage.ep;
    config.expertTp = stage.expertTp();
    config.mbs = static_cast<int>(std::llround(replica.share * static_cast<double>(microbatchSize)));
    config.sequenceParallel = stage.sequenceParallel;
    if (overNetwork && stage.tp > 1)
        config.stall = problem.recipe().software.stageStall * stage.tp;
    return config;
}

namespace {

using DeviceLists = std::vector<std::vector<DeviceIndex>>;

std::vector<Replica> drawnReplicas(const Pipeline& pipeline, const Stage& stage) {
    const std::size_t each = stage.replicas.size() / static_cast<std::size_t>(pipeline.count);
    return {stage.replicas.begin(), stage.replicas.begin() + static_cast<std::ptrdiff_t>(each)};
}

// Of every chunk of a stage on a replica with this configuration; `all` replicas share its gradients.
std::vector<StageCost> chunkCosts(const Problem& problem, const CostTable& table, const Stage& stage,
                                  const Replica& replica, CostConfig config, const DeviceLists& all,
                                  int zero) {
    placeGroups(config, problem, all, zero);
    placePartition(config, problem, table, replica.devices, stage.partition);
    const bool embeds = stage.chunks.front().first == 0;
    const auto cost = [&](Recompute mode, int first, int last) {
        config.recompute = mode;
        return table.costs(config).stage(first, last, static_cast<int>(all.size()), zero, embeds);
    };
    // Full recompute of the first blocks only: the fine layers behind them keep everything.
    const bool partial = stage.recompute == Recompute::Full && stage.recomputeLayers > 0;
    int covered = stage.recomputeLayers;
    std::vector<StageCost> costs;
    for (const LayerRange& range : stage.chunks) {
        const int split = 2 * (range.first / 2 + covered); // last fine layer that is recomputed
        if (!partial || split >= range.last)
            costs.push_back(cost(stage.recompute, range.first, range.last));
        else if (covered == 0)
            costs.push_back(cost(Recompute::None, range.first, range.last));
        else
            costs.push_back(sumOfStages(cost(Recompute::Full, range.first, split),
                                        cost(Recompute::None, split + 1, range.last)));
        covered = std::max(0, covered - (range.last / 2 - range.first / 2));
    }
    return costs;
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
                  const Stage& stage, bool overNetwork) {
    PricedStage priced;
    priced.overNetwork = overNetwork;
    const std::vector<Replica> drawn = drawnReplicas(pipeline, stage);
    const DeviceLists all = sharingRanks(stage);
    const int zero = shardingInUse(pipeline, stage);
    double compute = 0.0, measured = 0.0;
    std::optional<CostConfig> before;
    std::vector<StageCost> chunks;
    for (const Replica& replica : drawn) {
        // Neighbours are mostly alike, and placing their groups takes all replicas.
        const CostConfig config = configOf(problem, stage, replica, pipeline.microbatchSize, overNetwork);
        if (config != before || !stage.partition.empty()) // whose prices know the replica's own links
            chunks = chunkCosts(problem, table, stage, replica, config, all, zero);
        before = config;
        // Chunks run one after the other on the same devices: only what lives during a pass is shared.
        StageCost cost = chunks.front();
        for (std::size_t c = 1; c < chunks.size(); ++c)
            cost = sumOfStages(cost, chunks[c]);
        StageFigures& f = priced.figures;
        addChunks(f, chunks, cost.kept);
        f.communication = std::max(f.communication, Seconds(cost.comm));
        f.optimizer = std::max(f.optimizer, Seconds(stepTime(problem, cost)));
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
    priced.figures.measuredShare = compute > 0.0 ? std::min(1.0, measured / compute) : 0.0;
    priced.tail.sync = syncTraffic(
        problem, all, zero, priced.slowest, true,
        hidingPasses(static_cast<int>(pipeline.stages.size()), static_cast<int>(stage.chunks.size())),
        sumsOf(pipeline, stage));
    priced.tail.inner = priced.slowest.innerSync;
    priced.tail.optimizer = priced.figures.optimizer.value;
    return priced;
}

// Of the same frame: what a stage costs by itself is the same in both pipelines. Sums of gradients hide over
// as many stages as there are, where these have several chunks.
bool alike(const Pipeline& a, const Pipeline& b) {
    return a.count == b.count && a.microbatchSize == b.microbatchSize &&
           ((a.schedule.chunks == 1 && b.schedule.chunks == 1) || a.stages.size() == b.stages.size()) &&
           (a.stages.size() > 1) == (b.stages.size() > 1) &&
           (a.microbatches == b.microbatches || a.stages.size() > 1); // ZeRO-2 sums them all
}

// Where the stage stood in the pipeline that was priced before: at the same place from the front, or from the
// back, when one was added or taken away. Null: nowhere there.
const PricedStage* pricedBefore(const StagePrices& known, const Pipeline& pipeline, std::size_t i) {
    const std::vector<Stage>& before = known.pipeline.stages;
    if (!alike(known.pipeline, pipeline))
        return nullptr;
    const std::size_t fromBack = pipeline.stages.size() - i;
    if (i < before.size() && before[i] == pipeline.stages[i])
        return &known.own[i];
    if (fromBack <= before.size() && before[before.size() - fromBack] == pipeline.stages[i])
        return &known.own[before.size() - fromBack];
    return nullptr;
}

// By stage: what it sends or is sent crosses a network.
std::vector<bool> stagesOverNetwork(const Pipeline& pipeline, const std::vector<TransferCost>& sends) {
    const ChunkLayout layout = pipeline.layout();
    std::vector<bool> list(pipeline.stages.size());
    for (int v = 0; v + 1 < layout.virtualStages(); ++v)
        if (sends[static_cast<std::size_t>(v)].crossesNodes)
            for (const int end : {v, v + 1})
                list[static_cast<std::size_t>(layout.stageOf(end))] = true;
    return list;
}

std::vector<PricedStage> priceOwn(const Problem& problem, const CostTable& table, const Pipeline& pipeline,
                                  const std::vector<TransferCost>& sends, StagePrices* known) {
    std::vector<PricedStage> own;
    const std::vector<bool> over = stagesOverNetwork(pipeline, sends);
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        const PricedStage* before = known ? pricedBefore(*known, pipeline, i) : nullptr;
        const bool kept = before && before->overNetwork == over[i];
        own.push_back(kept ? *before : price(problem, table, pipeline, pipeline.stages[i], over[i]));
        if (known)
            ++(kept ? known->kept : known->priced);
    }
    return own;
}

bool sameEnds(const StagePrices& known, const Pipeline& pipeline, int boundary) {
    const ChunkLayout layout = pipeline.layout(), before = known.pipeline.layout();
    if (known.pipeline.microbatchSize != pipeline.microbatchSize || layout.stages != before.stages ||
        layout.chunks != before.chunks || layout.placement != before.placement)
        return false;
    const auto same = [&](int virtualStage) {
        const auto i = static_cast<std::size_t>(layout.stageOf(virtualStage));
        const Stage &a = known.pipeline.stages[i], &b = pipeline.stages[i];
        return a.sequenceParallel == b.sequenceParallel && a.replicas == b.replicas;
    };
    return same(boundary) && same(boundary + 1);
}

std::vector<TransferCost> priceSends(const Problem& problem, const Pipeline& pipeline,
                                     const StagePrices* known) {
    const ChunkLayout layout = pipeline.layout();
    const Bytes activation(boundaryBytes(problem, static_cast<double>(pipeline.microbatchSize)));
    std::vector<TransferCost> sends;
    for (int v = 0; v + 1 < layout.virtualStages(); ++v) {
        const auto from = static_cast<std::size_t>(layout.stageOf(v));
        const auto to = static_cast<std::size_t>(layout.stageOf(v + 1));
        if (from == to)
            sends.emplace_back();
        else if (known && sameEnds(*known, pipeline, v))
            sends.push_back(known->sends[static_cast<std::size_t>(v)]);
        else
            sends.push_back(boundaryTransfer(problem.topology(), problem.constants().comm(),
                                             senders(pipeline.stages[from]), senders(pipeline.stages[to]),
                                             activation, !pipeline.stages[to].sequenceParallel));
    }
    return sends;
}

void addSends(const Pipeline& pipeline, const std::vector<TransferCost>& sends,
              std::vector<PricedStage>& stages) {
    const ChunkLayout layout = pipeline.layout();
    for (int v = 0; v + 1 < layout.virtualStages(); ++v) {
        const auto from = static_cast<std::size_t>(layout.stageOf(v));
        if (layout.stageOf(v) == layout.stageOf(v + 1))
            continue;
        const TransferCost& cost = sends[static_cast<std::size_t>(v)];
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

std::vector<PricedStage> priceStages(const Problem& problem, const CostTable& table, const Pipeline& pipeline,
                                     StagePrices* known) {
    const std::vector<TransferCost> sends = priceSends(problem, pipeline, known);
    std::vector<PricedStage> stages = priceOwn(problem, table, pipeline, sends, known);
    if (known) {
        known->own = stages;
        known->sends = sends;
        known->pipeline = pipeline;
    }
    addSends(pipeline, sends, stages);
    const ChunkLayout layout = pipeline.layout();
    PricedStage& first = stages.front();
    PricedStage& last = stages[static_cast<std::size_t>(layout.stageOf(layout.virtualStages() - 1))];
    if (&first != &last) {
        const double tied = tiedTime(problem, first.replicas, last.replicas);
        first.tail.tied = tied;
        last.tail.tied = tied;
    }
    for (PricedStage& stage : stages)
        stage.figures.sync = stage.tail.sync.alone() + Seconds(stage.tail.inner + stage.tail.tied);
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
        if (!std::isfinite(stages[i].tail.tied))
            return badInput("plan.ends_apart", where,
                            "no links join the first stage with the last one, which share the embedding of a "
                            "tied model");
        if (!std::isfinite(stages[i].figures.sync.value))
            return badInput("plan.unreachable", where, "no links join the devices that share its gradients");
    }
    return Ok{};
}

} // namespace pw
