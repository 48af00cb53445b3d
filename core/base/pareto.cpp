// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pareto.h"

#include <algorithm>
#include <numeric>

namespace pw {

namespace {

bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
    bool better = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] > b[i])
            return false;
        better = better || a[i] < b[i];
    }
    return better;
}

} // namespace

// In lexicographic order a point is beaten by earlier ones only. Who is beaten in one front is beaten in
// every front before it, so that the first front that does not beat a point is found by bisection.
std::vector<int> paretoRanks(const std::vector<std::vector<double>>& points) {
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
    std::vector<std::vector<std::size_t>> fronts;
    std::vector<int> ranks(points.size(), 0);
    for (const std::size_t i : order) {
        const auto free = std::partition_point(fronts.begin(), fronts.end(), [&](const auto& front) {
            // The latest members are the nearest, which most likely beat it.
            return std::any_of(front.rbegin(), front.rend(),
                               [&](std::size_t other) { return dominates(points[other], points[i]); });
        });
        ranks[i] = static_cast<int>(free - fronts.begin()) + 1;
        if (free == fronts.end())
            fronts.push_back({i});
        else
            free->push_back(i);
    }
    return ranks;
}

} // namespace pw
