// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace pw {

// Ranks by non-dominated sorting: 1 for points that no other beats in every figure (as good in all, better in
// one), 2 for those that only points of rank 1 beat, and so on. Figures are lower-is-better; all points have
// the same number of them. O(n log n) where fronts are small, O(n squared) for one front of all points.
std::vector<int> paretoRanks(const std::vector<std::vector<double>>& points);

} // namespace pw
