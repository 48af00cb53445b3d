// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <vector>

namespace pw {

// Where trainers take the placement from the order in which nodes are started: the ranks of a plan, and
// whether nodes can be put in an order that gives every stage its GPUs.

// tensor, then context, then data parallel inside a stage, the stages outermost; or all stages of a replica
// one after the other, replicas outermost (Megatron-LM: --use-tp-pp-dp-mapping).
enum class RankNesting : std::uint8_t { StagesOutside, ReplicasOutside };

// A node with its used GPUs by their number in the node, in rank order.
struct RankNode {
    int node = 0; // index into Cluster::nodes
    std::vector<int> gpus;
};

struct LaunchOrder {
    RankNesting nesting = RankNesting::StagesOutside;
    std::vector<RankNode> nodes;
    struct Fault { // the stage whose ranks come back to a node
        std::size_t stage = 0;
        int node = 0, after = 0;
    };
    std::vector<Fault> faults;
    int world() const;
};

// Of a pipeline, all its replicas.
LaunchOrder launchOrder(const Problem& problem, const Pipeline& pipeline, RankNesting nesting);

// The first order without a fault, stages outside tried first; else the one of stages outside.
LaunchOrder bestLaunchOrder(const Problem& problem, const Pipeline& pipeline);

} // namespace pw
