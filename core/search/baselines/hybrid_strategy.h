// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <vector>

namespace pw {

// A pipeline laid out from what its GPUs can do: each class in use is cut into equal stages over all its
// GPUs, the classes with the most memory in front, where 1F1B keeps most activations, and layers are dealt
// out by speed.
//
//     A100-40 x8   2 stages of 4 GPUs, dp 4       V100-16 x4   1 stage of 8 GPUs, dp 2, tp 4
//     [ 12 layers ] [ 12 layers ]                 [ 8 layers ]
struct HybridStrategy {
    std::size_t space = 0;    // index into SearchRun::spaces(): the micro-batch
    std::vector<int> options; // per stage, last stage first
    std::vector<int> blocks;  // likewise
    double estimate = 0.0;    // s, by the planner's own formula
};

// The best strategies, by the estimate, that use exactly these classes: at most `most`, least first.
//
//     estimate = sum_i (t_i + 2 c_i) + (B - 1) max_i t_i + max_i (gradient all-reduce and step)
//
// Every cut of each class into equal stages, every tp inside a node, every recompute mode, with the layers
// that minimise max t_i within the memory of S - i micro-batches in flight. What cannot hold the model within
// the worst estimate kept so far is left out class by class.
std::vector<HybridStrategy> hybridStrategies(SearchRun& run, const std::vector<int>& classes,
                                             std::size_t most);

// As a chain whose layers fit into memory, moved to stages with room where the estimate said too much; empty
// if they fit nowhere.
Chain chainOf(const ChainSpace& space, const HybridStrategy& strategy);

} // namespace pw
