// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"

#include <string>
#include <vector>

namespace pw {

// The stages that decide how long an iteration takes: those whose passes keep them busy for longest. Several,
// where the others are within half a percent of the busiest, which figures of three digits show as equal:
// relieving one of them alone gains nothing.
struct DecidingStages {
    std::vector<int> stages; // ascending, counted over all pipelines; empty: nothing was simulated
    Seconds computing;       // of the busiest, in an iteration
};
DecidingStages decidingStages(const Evaluation& evaluation);

// Their numbers for people: "5", "3 and 4", "0, 2 and 5 to 10".
std::string stageNumbers(const std::vector<int>& stages);

} // namespace pw
