// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/comm/comm.h"
#include "core/cost/cost.h"
#include "core/evaluate/evaluation.h"
#include "core/evaluate/stage_terms.h"

#include <vector>

namespace pw {

// One stage of the drawn copy of a pipeline, priced: the first of `count` identical pipelines stands for all.
struct PricedStage {
    StageFigures figures; // sums over its chunks
    StageTail tail;
    std::vector<std::vector<DeviceIndex>> replicas;
    std::vector<StageCost> costs; // per replica, of all chunks together
    StageCost slowest;            // the replica that sets forward + backward
    bool inNode = false;          // the boundary behind its first chunk crosses no network
    bool overNetwork = false;     // one of its boundaries does
};

// What pricing a pipeline has worked out, for the next one that differs in a few stages: a stage's own
// figures depend on the stage and on whether a network lies before or behind it, a transfer on the devices at
// both ends. Of one problem and one cost
// table. What is taken from it is equal to the last bit to what would be worked out anew.
struct StagePrices {
    Pipeline pipeline;                 // these are of
    std::vector<PricedStage> own;      // by stage, without what its neighbours add
    std::vector<TransferCost> sends;   // by boundary between virtual stages
    std::int64_t priced = 0, kept = 0; // stages so far, worked out and taken over
};

// `known`: read, and overwritten with what belongs to this pipeline; may be null.
std::vector<PricedStage> priceStages(const Problem& problem, const CostTable& table, const Pipeline& pipeline,
                                     StagePrices* known = nullptr);

// The ranks that share a stage's gradients: context-parallel ranks hold the same weights as replicas do.
std::vector<std::vector<DeviceIndex>> sharingRanks(const Stage& stage);
// Behind one another, stages gather sharded weights once an iteration and keep them and the sums of gradients
// whole until the last micro-batch, as trainers do by default: that is ZeRO-1.
int shardingInUse(const Pipeline& pipeline, const Stage& stage);
// Sums of gradients in an iteration: a rank that keeps its share of them alone (ZeRO-2) has no room to add up
// those of several micro-batches.
double sumsOf(const Pipeline& pipeline, const Stage& stage);
// A stage's replicas as senders and receivers. All identical pipelines send at the same time: each holds a
// whole micro-batch, so that the shares of their replicas add up to their number, and copy meets copy.
std::vector<RankGroup> senders(const Stage& stage);
// A stage on one of its replicas, groups and recompute apart.
CostConfig configOf(const Problem& problem, const Stage& stage, const Replica& replica,
                    std::int64_t microbatchSize, bool overNetwork);

// Names the stage whose activations or gradients no links carry.
Status joined(const std::vector<PricedStage>& stages, std::size_t pipeline);

} // namespace pw
