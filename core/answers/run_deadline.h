// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/problem/recipe.h"

#include <string_view>

namespace pw {

// A deadline as it is stated: of an iteration, "2.5 s", or of a whole run, "30 days for 15T tokens", "12 h
// for 5000 iterations".
struct RunDeadline {
    Seconds time;
    double tokens = 0.0, iterations = 0.0; // of the run; both 0: `time` is an iteration's
    // A run takes whole iterations; restarts and checkpoints are not counted.
    Seconds ofIteration(const Recipe& recipe) const;
};

// Times as parseDuration() takes them, above 0, and behind "for" days and weeks too; counts with k, M, B (or
// G) and T.
Result<RunDeadline> parseRunDeadline(std::string_view text);

} // namespace pw
