// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/tie.h"

#include <algorithm>
#include <cmath>

#include "core/accuracy/cases.h"

namespace pw {

namespace {

constexpr double kRepeat = 0.01; // by which two runs of one configuration differ

} // namespace

double pairReach(double distance, double pairWidth) {
    return std::sqrt(kRepeat * kRepeat + pairWidth * distance / (1.0 + distance));
}

TimeComparison compareTimes(double logRatio, double distance, double pairWidth) {
    constexpr double kWithin = 0.8;
    const double reach = pairReach(distance, pairWidth);
    const double scale = reach / -std::log(1.0 - kWithin); // Laplace: 80 % within ln 5 of its scale
    const double tail = 0.5 * std::exp(-std::abs(logRatio) / scale);
    TimeComparison comparison;
    comparison.firstFaster = logRatio >= 0.0 ? 1.0 - tail : tail;
    comparison.low = std::exp(logRatio - reach);
    comparison.high = std::exp(logRatio + reach);
    return comparison;
}

TimeComparison compareTimes(const Features& first, Seconds firstTime, const Features& second,
                            Seconds secondTime) {
    constexpr double kLeast = 1e-12; // s
    const double ratio = std::max(secondTime.value, kLeast) / std::max(firstTime.value, kLeast);
    return compareTimes(std::log(ratio), distance(first, second), measuredCases().widths.pair);
}

} // namespace pw
