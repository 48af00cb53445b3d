// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/features.h"

namespace pw {

// Two plans of one problem, held against each other. What the cost model has wrong for both cancels, the more
// the more alike they are, so the uncertainty is that of the difference: over pairs of measured runs of one
// group (equal model, GPUs, batch and sequence length), the difference of the two residuals is Laplace
// distributed, and 80 % of them lie within
//
//   reach(d) = sqrt(0.01^2 + pair * d / (1 + d))
//
// of 0, d the distance of the two configurations and `pair` calibrated so (every source weighs the root of
// its pairs).
inline constexpr double kCertain = 0.8; // less than this probable is a tie

struct TimeComparison {
    double firstFaster = 0.5;     // probability that the first one takes less time
    double low = 1.0, high = 1.0; // time of the second / time of the first, 80 %
    bool isTie() const { return firstFaster < kCertain && firstFaster > 1.0 - kCertain; }
};

// Times as predicted, above 0.
TimeComparison compareTimes(const Features& first, Seconds firstTime, const Features& second,
                            Seconds secondTime);
// The same with another table's width, from the distance of the two and ln(second / first).
TimeComparison compareTimes(double logRatio, double distance, double pairWidth);
double pairReach(double distance, double pairWidth);

} // namespace pw
