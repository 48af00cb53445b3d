// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace pw {

// Plans of one stage with further sharding (sharded_stages.h), each judged by evaluate(): all of them where
// the recipe asks for it or nothing else fits; else those that may be faster than the best plan, of every
// kind of stage the one with as few blocks recomputed as memory allows, since more of them take longer. If
// the run's work does not end before, they are settled. Among them are pools of several classes of nodes as
// one stage (uniform_grid.h).
void considerSharded(SearchRun& run);

// The most promising of these, for the beginning of a run whose work may end before: in the order of what
// their micro-batches take at least, until that is no less than the best plan takes or an eighth of the run's
// work is spent. Where the recipe leaves the choice open, once there is a plan, of far less of the work.
void considerQuickestSharded(SearchRun& run);

// The plans of one stage alone, under each of the ZeRO stages `zero`, and of those the ones that it `takes`.
// Where pipelines are faster no planner lists them, though a trainer may have no pipelines of the model. A
// million candidates unless the options say how many; nothing is proven.
SearchOutcome searchSingleStages(const Problem& problem, const SearchOptions& options,
                                 const std::vector<int>& zero, const std::function<bool(const Plan&)>& takes,
                                 SearchObserver& observer, const std::stop_token& stop);

} // namespace pw
