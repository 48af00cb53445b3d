// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep_rows.h"

#include <optional>
#include <span>
#include <vector>

namespace pw {

// One figure of a sweep over two of its axes, and once more for each value of a third one. What the other
// axes make of a cell comes down to one number: the best, or the median, of the tasks that have a plan.
struct HeatQuestion {
    std::size_t x = 0;                    // axis
    std::optional<std::size_t> y, panels; // axes; none: one row, one panel
    std::optional<SweepFigure> figure;    // none: the share of tasks with a plan, of those that have a result
    bool median = false;                  // else the best
};

struct HeatCell {
    double value = 0.0;   // not a number: there is none
    std::size_t task = 0; // whose value it is, or without one a task of the cell; nothing if tasks is 0
    std::size_t tasks = 0, plans = 0, noPlans = 0, failed = 0; // the others have no result yet
    std::size_t open() const { return tasks - plans - noPlans - failed; }
};

struct HeatMap {
    std::size_t columns = 0, rows = 0, panels = 0;
    std::vector<HeatCell> cells;  // columns fastest, panels slowest
    double low = 0.0, high = 0.0; // of the values, of shares 0 and 1; both 0: there is none

    const HeatCell& cell(std::size_t panel, std::size_t row, std::size_t column) const {
        return cells[(panel * rows + row) * columns + column];
    }
};

// `tasks` and `rows` by task. The median of an even number is the lower one of the two: it is some task's.
HeatMap heatMap(const SweepDocument& sweep, std::span<const TaskLine> tasks, std::span<const SweepRow> rows,
                const HeatQuestion& question);

} // namespace pw
