// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The default planner on a Space with wider axes. What it finds without them comes first, then each axis by
// itself, then pairs, then all: each from the plans of all that has fewer, so that one axis more never costs
// (where no amount of work or time is given, which they would share). Of each: other planners' plans,
// divisions of the cluster into several pipelines (columns.h), every schedule for the best plans, and steps
// of a hand (whatif/improve.h) that stay inside the Space, as long as one helps. Where a walk over the whole
// Space comes to its end the best plan is proven, elsewhere the capacity bound is stated.
SearchOutcome runWider(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop);

} // namespace pw
