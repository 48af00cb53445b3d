// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The planner "hyperpipe", a reconstruction. Published of HyperPipe (CSCWD 2025, doi
// 10.1109/CSCWD64889.2025.11033309; abstract only): a framework that picks data, pipeline and tensor
// parallelism automatically from the performance of the devices. How is not known; this project's reading is
// hybrid_strategy.h, over every set of node classes, the best of each simulated under every schedule of the
// Space that its memory allows. Beside them it tries what people do without a planner: a uniform split over
// all GPUs, over the fastest kind alone, pipeline parallel only, data parallel only.
//
// Notes of the outcome say how the plan compares with those four on this problem, as predictions of this
// program, and why GPUs are left out.
SearchOutcome runHyperPipe(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                           const std::stop_token& stop);
std::int64_t hyperPipeWork(const Problem& problem); // 10,000,000

} // namespace pw
