// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pareto.h"

#include <algorithm>

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

std::vector<int> paretoRanks(const std::vector<std::vector<double>>& points) {
    std::vector<int> ranks(points.size(), 0);
    std::size_t ranked = 0;
    for (int rank = 1; ranked < points.size(); ++rank) {
        std::vector<std::size_t> front;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (ranks[i] == 0 && std::none_of(points.begin(), points.end(), [&](const auto& other) {
                    const auto j = static_cast<std::size_t>(&other - points.data());
                    return ranks[j] == 0 && dominates(other, points[i]);
                }))
                front.push_back(i);
        for (const std::size_t i : front)
            ranks[i] = rank;
        ranked += front.size();
    }
    return ranks;
}

} // namespace pw
