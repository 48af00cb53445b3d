// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/timeline/timeline.h"

#include <array>
#include <vector>

namespace pw {

// Where a stage's iteration goes: seconds by what it computes (sends, which run beside, apart) and idle time
// by cause. Adds up to the iteration. As cool-down counts whatever is left behind the bars: the simulation's
// own would count gradient sync and optimiser step, which follow it, as idle.
struct StageTime {
    std::array<double, kBarKinds> busy{}; // by BarKind
    IdleTime idle;
    double total() const;
};
// By track of the evaluation's timeline.
std::vector<StageTime> stageTimes(const Timeline& timeline, const Evaluation& evaluation);

} // namespace pw
