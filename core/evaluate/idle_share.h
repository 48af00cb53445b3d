// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace pw {

// What people are shown as the bubble: the share of the time between its first start and its last end that
// the stage which idles most is idle; 0 to 1. `bubble` is Evaluation's and the plan document's, which counts
// against useful time and can be above 1.
inline double idleShare(double bubble) {
    return std::isfinite(bubble) ? bubble / (1.0 + bubble) : 1.0;
}

struct Plan;
struct Evaluation;

// Of the time that all GPUs of the plan have from the start to the end of the iteration, the share in which
// they neither compute nor sum gradients nor step the optimiser; 0 to 1. Waiting for transfers is idle.
double gpuIdleShare(const Plan& plan, const Evaluation& evaluation);

} // namespace pw
