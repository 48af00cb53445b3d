// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/search/search.h"

namespace pw {

// How a search ended, without its plans: what a project keeps beside the plans that it found, so that bound,
// gap and rejections are there again when it is opened. Times in seconds.
//
//   planner, without[], seed, status, time_limit, wall_s, work, evaluated, operator_evaluations,
//   cache{lookups, hits}, rejected{reason: count}, optimal_in_own_space,
//   lower_bound_s (null: none), bound{scope, kind, covers_best, certificate}
Json searchSummary(const SearchOutcome& outcome);

// Bad input with every place that is wrong. The outcome has no plans, phases or notes.
Result<SearchOutcome> searchFromSummary(const JsonReader& reader);

} // namespace pw
