// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/conformal.h"

#include "core/calibrate/score.h"

#include <algorithm>

namespace pw {

double groupWidth(const std::vector<std::vector<double>>& needed) {
    constexpr double kFullWeight = 10.0; // rows
    std::vector<std::pair<double, double>> weighted;
    double all = 0.0;
    for (const std::vector<double>& of : needed)
        if (!of.empty()) {
            weighted.emplace_back(quantile(of, kBandShare),
                                  std::min(1.0, static_cast<double>(of.size()) / kFullWeight));
            all += weighted.back().second;
        }
    std::sort(weighted.begin(), weighted.end());
    double sum = 0.0;
    for (const auto& [width, weight] : weighted) {
        sum += weight;
        if (sum >= kGroupShare * all)
            return width;
    }
    return 0.0;
}

} // namespace pw
