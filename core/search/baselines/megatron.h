// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The planner "megatron": what a user of Megatron-LM would try by hand (a reconstruction of common practice;
// the schedules are published, arXiv 2104.04473). Every uniform grid over all GPUs, and over the GPUs of each
// smaller set of device kinds, with every micro-batch size and recompute mode, under 1F1B and interleaved
// 1F1B. Exact in that space: grids are simulated in the order of a bound below their simulated time, until no
// other can be among the best.
SearchOutcome runMegatron(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                          const std::stop_token& stop);
std::int64_t megatronWork(const Problem& problem); // 10,000,000

} // namespace pw
