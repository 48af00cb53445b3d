// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/haap/state.h"

#include <cstdint>
#include <vector>

namespace pw {

// Where a search begins.
struct HaapStart {
    HaapConfig config;
    double time = 0.0; // s, predicted
};

// What became of the candidates: stages over classes, their devices, one split a class, micro-batch size.
struct HaapInitial {
    std::vector<HaapStart> starts; // the most promising first
    std::int64_t candidates = 0, noRoom = 0, tooFewBlocks = 0;
    bool whole = true; // every candidate was looked at
    std::int64_t kept() const { return candidates - noRoom - tooFewBlocks; }
};

// Memory-aware: for every order of classes, every number of stages on each and every micro-batch size, what
// provably cannot fit is discarded (memory_floor.h). What is left gets its blocks by the speed of the stages,
// filled like water up to what their memory holds. One start for each order and number of stages. Looks at
// candidates for at most `work`.
HaapInitial memoryAwareStarts(HaapCosts& costs, std::int64_t work);

// Aceso's "balance": for each number of stages, GPUs and blocks dealt out evenly over the classes in the
// order of the cluster, as much tensor parallelism as is legal, the smallest micro-batch, recompute only
// where a stage does not fit without. Whether all fits is seen afterwards.
HaapInitial balancedStarts(HaapCosts& costs);

} // namespace pw
