// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace pw {

inline constexpr double kBandShare = 0.8;  // of rows that are expected inside a span
inline constexpr double kGroupShare = 0.8; // of groups, left out whole, for which that is to hold

// The width of a stranger's span from the widths that rows would have needed, one list a group that was left
// out whole: of each group the 80 % quantile, and of these the one that 80 % of the groups do not exceed. A
// group of fewer than ten rows weighs a tenth for each; empty ones do not count; 0 without any.
double groupWidth(const std::vector<std::vector<double>>& needed);

} // namespace pw
