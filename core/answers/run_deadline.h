// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/problem/recipe.h"

#include <optional>
#include <string>
#include <string_view>

namespace pw {

// A deadline as it is stated: of an iteration, "2.5 s", or of a whole run, "30 days for 15T tokens", "12 h
// for 5000 iterations".
struct RunDeadline {
    Seconds time;
    double tokens = 0.0, iterations = 0.0; // of the run; both 0: `time` is an iteration's
    std::string stated;                    // as it was read, "30 days for 15T tokens"

    bool isOfRun() const { return tokens > 0.0 || iterations > 0.0; }
    // A run takes whole iterations; restarts and checkpoints are not counted.
    Seconds ofIteration(const Recipe& recipe) const;
    Seconds ofRun(Seconds iteration, const Recipe& recipe) const; // all its iterations
    bool operator==(const RunDeadline&) const = default;
};

// Three digits, and all those before the point: days and prices of a run.
std::string plainFigure(double value);
// A deadline in words, "2.50 s" or, where a run's was stated, "30 days for 15T tokens, 2.50 s an iteration".
std::string deadlineText(Seconds iteration, const std::optional<RunDeadline>& run);
// How long the run takes with such iterations, behind their time: ", the run 81.3 days"; "": of no run, or
// without a plan (0).
std::string runTimeText(Seconds iteration, const std::optional<RunDeadline>& run, const Recipe& recipe);

// Times as parseDuration() takes them, above 0, and behind "for" days and weeks too; counts with k, M, B (or
// G) and T.
Result<RunDeadline> parseRunDeadline(std::string_view text);

} // namespace pw
