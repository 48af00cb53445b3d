// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/planners.h"
#include "core/search/space/coverage.h"
#include "core/search/space/sharded_stages.h"

#include <QtGlobal>

#include <limits>

namespace pw::test {

// What a planner finds with its own amount of work. A search that is refused ends the test.
inline SearchOutcome planned(const std::shared_ptr<const Problem>& problem, const std::string& planner) {
    SearchOptions options;
    options.planner = planner;
    SearchObserver nobody;
    auto outcome = search(problem, options, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

// Seconds of the best plan's iteration; infinity without one.
inline double bestOf(const SearchOutcome& outcome) {
    return outcome.plans.empty() ? std::numeric_limits<double>::infinity()
                                 : outcome.plans.front().evaluation.iteration.value;
}

// Whether planners may be held to having found it: what the Space has beside the plans that bounds over
// chains and grids speak of.
inline bool isOfSpace(const Problem& problem, const Plan& plan) {
    return coveredByBound(problem, plan) || isShardedStage(problem, plan);
}

// The problem with a Space of chains and grids alone.
inline std::shared_ptr<const Problem> withoutSharded(const Problem& problem) {
    Space space = problem.space();
    space.sharded.clear();
    return problem.withSpace(std::move(space));
}

} // namespace pw::test
