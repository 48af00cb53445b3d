// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/planners.h"

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

} // namespace pw::test
