// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/heat_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pw {

namespace {

using Valued = std::pair<double, std::size_t>; // and its task

void count(HeatCell& cell, TaskStanding standing) {
    ++cell.tasks;
    cell.plans += standing == TaskStanding::Plan ? 1 : 0;
    cell.noPlans += standing == TaskStanding::NoPlan ? 1 : 0;
    cell.failed += standing == TaskStanding::Failed ? 1 : 0;
}

// Which task a cell without a value stands for: one that says why there is none.
int tells(TaskStanding standing) {
    return standing == TaskStanding::NoPlan ? 3 : standing == TaskStanding::Failed ? 2 : 1;
}

Valued chosen(std::vector<Valued>& values, bool median, bool lowerIsBetter) {
    if (!median)
        return lowerIsBetter ? std::ranges::min(values) : std::ranges::max(values);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace

HeatMap heatMap(const SweepDocument& sweep, std::span<const TaskLine> tasks, std::span<const SweepRow> rows,
                const HeatQuestion& question) {
    const auto length = [&](std::optional<std::size_t> axis) {
        return axis ? sweep.axes[*axis].values.size() : 1;
    };
    HeatMap map;
    map.columns = length(question.x);
    map.rows = length(question.y);
    map.panels = length(question.panels);
    HeatCell none;
    none.value = std::numeric_limits<double>::quiet_NaN();
    map.cells.assign(map.columns * map.rows * map.panels, none);
    std::vector<std::vector<Valued>> values(map.cells.size());
    std::vector<int> told(map.cells.size(), 0);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const Assignment& at = tasks[i].at;
        const std::size_t panel = question.panels ? at[*question.panels] : 0;
        const std::size_t row = question.y ? at[*question.y] : 0;
        const std::size_t index = (panel * map.rows + row) * map.columns + at[question.x];
        HeatCell& cell = map.cells[index];
        count(cell, rows[i].standing);
        if (const int tale = tells(rows[i].standing); tale > told[index]) {
            told[index] = tale;
            cell.task = i;
        }
        if (rows[i].standing != TaskStanding::Plan)
            continue; // what its GPUs cost is known all the same
        const double value = question.figure ? rows[i].figure(*question.figure) : 0.0;
        if (!std::isnan(value))
            values[index].emplace_back(value, i);
    }
    const bool lowerIsBetter =
        !question.figure || sweepFigureTable()[static_cast<std::size_t>(*question.figure)].lowerIsBetter;
    bool any = false;
    for (std::size_t c = 0; c < map.cells.size(); ++c) {
        HeatCell& cell = map.cells[c];
        if (!values[c].empty())
            std::tie(cell.value, cell.task) = chosen(values[c], question.median, lowerIsBetter);
        if (const std::size_t known = cell.tasks - cell.open(); !question.figure && known > 0)
            cell.value = static_cast<double>(cell.plans) / static_cast<double>(known);
        if (std::isnan(cell.value))
            continue;
        map.low = any ? std::min(map.low, cell.value) : cell.value;
        map.high = any ? std::max(map.high, cell.value) : cell.value;
        any = true;
    }
    if (!question.figure && any) // the same colours whatever the shares are
        std::tie(map.low, map.high) = std::pair(0.0, 1.0);
    return map;
}

} // namespace pw
