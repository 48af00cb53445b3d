// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <functional>

namespace pw {

// Several pipelines of different shape. The cluster is divided into groups of nodes, by class, by equal parts
// of every class, and by halves of one; each group is searched for its best single pipeline with a part of
// the batch by what the groups were predicted to compute in a second, and what was found is put together.
// Heuristic: which divisions are tried is this project's choice.
//
// Considers all plans of that kind, at most WiderSpace::pipelines pipelines each; `work`: for each search of
// a group.
void considerColumns(SearchRun& run, const SearchOptions& options, std::int64_t work,
                     const std::stop_token& stop);

// Visits plans one step away from one with several pipelines, until `visit` says no: micro-batches from one
// to another, a block from one stage to the next, one stage's recompute. One at a time: a copy of a plan on
// thousands of GPUs takes a millisecond.
void eachColumnNeighbour(const Problem& problem, const Plan& plan,
                         const std::function<bool(const Plan&)>& visit);

} // namespace pw
