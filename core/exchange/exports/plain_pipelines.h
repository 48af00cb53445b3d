// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/launch_order.h"
#include "core/plan/plan.h"

#include <map>
#include <vector>

namespace pw {

// A plan for runtimes in which a replica is a pipeline of its own: data parallelism taken apart. Only for
// plans whose stages have as many replicas each, with shares that pair up.
struct PlainStage {
    const Stage* stage = nullptr;
    std::vector<DeviceIndex> devices; // one tensor-parallel group
};
struct PlainPipeline {
    std::size_t source = 0; // of Plan::pipelines
    std::vector<PlainStage> stages;
    std::int64_t microbatches = 1, microbatchSize = 1;
};
// Replica by replica in the plan's order; a replica with context parallelism is `cp` neighbouring pipelines,
// each of which has a part of every sequence.
std::vector<PlainPipeline> plainPipelines(const Plan& plan);

// All used GPUs, node by node in the cluster's order: ranks where the target takes any placement.
LaunchOrder usedNodes(const Problem& problem, const Plan& plan);
std::map<DeviceIndex, int> ranksOf(const Problem& problem, const LaunchOrder& order);

} // namespace pw
