// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/exchange/exports/capability.h"

namespace pw::flagscale {

// A run of consecutive stages with the same device type, tp, ep and dp.
struct Mesh {
    std::string type;
    int tp = 1, ep = 1, dp = 1, pp = 0;
};

// A host of the hostfile with its used GPUs in rank order, by their number in the node.
struct Host {
    std::string name, type;
    std::vector<int> gpus;
};

// Rows [stages, micro-batches, value]: one value a stage for all of its micro-batches.
struct RecomputeRow {
    int stages = 0;
    std::int64_t value = 0;
};
enum class RecomputeMode { None, Selective, FullEverywhere, PerStage };

// A plan in FlagScale's terms; everything that its files say. Ranks of a device type follow the stages:
// physical ranks are sorted by (first place of the type in the list of meshes, physical rank), so the order
// of the hosts is the placement.
struct Layout {
    std::vector<Mesh> meshes;
    std::vector<std::int64_t> layers; // transformer blocks a stage
    std::vector<Host> hosts;          // in rank order within a type
    std::int64_t microbatchSize = 0;  // of one replica of mesh 0
    std::int64_t microbatches = 0;
    bool sequenceParallel = false;
    bool distributedOptimizer = false;
    bool partialReduceEmbedding = false;
    bool cpuCommunication = false; // meshes of different vendors
    RecomputeMode recompute = RecomputeMode::None;
    std::vector<RecomputeRow> granularity, recomputedLayers; // PerStage only
};

// Translates the plan, of one pipeline, and checks the rules of FlagScale that no row of capabilityTable()
// has, those that it asserts and those that it forgets. The layout is only meaningful if nothing is refused.
Layout layoutOf(const Problem& problem, const Plan& plan, std::vector<Refusal>& refusals);

} // namespace pw::flagscale
