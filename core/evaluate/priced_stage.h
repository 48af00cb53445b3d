// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};

std::vector<PricedStage> priceStages(const Problem& problem, const CostTable& table,
                                     const Pipeline& pipeline);

// The ranks that share a stage's gradients: context-parallel ranks hold the same weights as replicas do.
std::vector<std::vector<DeviceIndex>> sharingRanks(const Stage& stage);
// Behind one another, stages gather sharded weights once an iteration and keep them and the sums of gradients
// whole until the last micro-batch, as trainers do by default: that is ZeRO-1.
int shardingInUse(const Pipeline& pipeline, const Stage& stage);

// Names the stage whose activations or gradients no links carry.
Status joined(const std::vector<PricedStage>& stages, std::size_t pipeline);

} // namespace pw
