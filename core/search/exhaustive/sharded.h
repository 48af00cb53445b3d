// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace pw {

// Plans of one stage whose replicas shard gradients (ZeRO-2) or weights too (ZeRO-3), each judged by
// evaluate(). Pipelines of several stages shard the optimiser at most, here as in the trainers, so that these
// are all that the chains of the Space leave out where the recipe asks for more; where it leaves the choice
// open they are tried if nothing else fits. No bound over chains speaks of them.
void considerSharded(SearchRun& run);

// The fastest of these, where the recipe asks for them: for the beginning of a run whose work may end before
// all are tried. Of every kind of stage the plan with as few blocks recomputed as memory allows, in the order
// of what their micro-batches take at least, until that is no less than the best plan takes or an eighth of
// the run's work is spent.
void considerQuickestSharded(SearchRun& run);

// The plans of one stage alone, under each of the ZeRO stages `zero`, and of those the ones that it `takes`.
// Where pipelines are faster no planner lists them, though a trainer may have no pipelines of the model. A
// million candidates unless the options say how many; nothing is proven.
SearchOutcome searchSingleStages(const Problem& problem, const SearchOptions& options,
                                 const std::vector<int>& zero, const std::function<bool(const Plan&)>& takes,
                                 SearchObserver& observer, const std::stop_token& stop);

} // namespace pw
