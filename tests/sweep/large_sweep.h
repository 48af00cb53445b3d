// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/sweep/written_sweep.h"

#include <fmt/format.h>

namespace pw::test {

// 27 batches by 27 counts by 81 draws, all done: one in seven without a plan, the others with made-up times.
class LargeSweep : public WrittenSweep {
public:
    LargeSweep()
        : WrittenSweep({axis("gbs", "recipe.gbs", multiples(64, 1)),
                        countAxis("V100", "V100-16", multiples(1, 0)), drawAxis("draw", 81)},
                       kChunkTasks) {
        for (std::size_t task = 0; task < tasks();) {
            const std::size_t chunk = task / kChunkTasks;
            std::string text;
            for (; task < std::min(tasks(), kChunkTasks * (chunk + 1)); ++task)
                text += task % 7 == 0 ? noPlan(task, "no plan was found")
                                      : plan(task, 1.0 + static_cast<double>(task * 7919 % 10'007),
                                             1.0 + static_cast<double>(task * 104'729 % 9973));
            append(text, fmt::format("{:05}-local.0.here.1-00000001", chunk));
        }
    }

private:
    static constexpr std::size_t kChunkTasks = 6000;

    static Json multiples(int of, int first) {
        Json all = Json::array();
        for (int i = first; i < first + 27; ++i)
            all.push_back(of * i);
        return all;
    }
};

} // namespace pw::test
