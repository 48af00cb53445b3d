// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The planner "metis", after Metis (USENIX ATC 2024). Published: orders of device kinds, power-of-two groups
// (device_groups.h), micro-batch counts that divide the batch, a (dp, tp) for each stage, the layer and the
// data balancer (metis_balance.h) and the cost
//
//     (B - 1) max stage + sum stage + max optimiser + max 2 (d - 1) / (d bw) gradients + sum activations / bw
//
// whose terms for the batch generator and the profiler's own synchronisation have no counterpart in this
// project's costs. Reconstructed, not taken from its code: all data parallel at first, then step by step
// twice the tensor parallelism of the stage that lacks most memory, or else of the one with most replicas.
// Recompute, which the original does not have, is tried only where nothing fits without it. The 16 cheapest
// by that cost are judged by evaluate().
//
// A group may mix device kinds; its replicas then get uneven shares, and no bound covers the plan.
SearchOutcome runMetis(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop);
std::int64_t metisWork(const Problem& problem); // 4,000,000

} // namespace pw
