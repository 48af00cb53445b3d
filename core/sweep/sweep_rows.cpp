// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_rows.h"

#include "core/evaluate/idle_share.h"
#include "core/sweep/collect.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

const ResultColumn& columnOf(const char* key) {
    for (const std::span<const ResultColumn> columns : {recordColumns(), trainingColumns()})
        for (const ResultColumn& column : columns)
            if (std::string_view(column.key) == key)
                return column;
    std::abort(); // a row of the table names no column
}

} // namespace

std::span<const SweepFigureRow, kSweepFigures> sweepFigureTable() {
    using enum SweepFigure;
    static constexpr std::array<SweepFigureRow, kSweepFigures> rows = {{
        {Iteration, "iteration_s", true},
        {Tokens, "tokens_per_s", false},
        {Gap, "gap", true},
        {Bubble, "bubble", true},
        {Memory, "fullest", true},
        {Gpus, "gpus", true},
        {GpusUsed, "gpus_used", true},
        {PricePerHour, "price_per_hour", true},
        {PricePerToken, "price_per_token", true},
        {Power, "power_w", true},
        {EnergyPerToken, "energy_j_per_token", true},
        {Days, "days", true},
        {Money, "money", true},
        {Energy, "energy_kwh", true},
        {Goodput, "goodput", false},
    }};
    return rows;
}

Result<SweepRow> sweepRow(const SweepFolder& folder, const std::string& text, const std::string& where) {
    static const auto columns = [] {
        std::array<const ResultColumn*, kSweepFigures> all{};
        for (const SweepFigureRow& row : sweepFigureTable())
            all[static_cast<std::size_t>(row.figure)] = &columnOf(row.key);
        return all;
    }();
    try {
        const Json record = Json::parse(text);
        const CollectedTask task = collectedTask(folder, {}, record);
        SweepRow row;
        row.standing = task.iteration > 0.0 ? TaskStanding::Plan : TaskStanding::NoPlan;
        for (std::size_t i = 0; i < kSweepFigures; ++i)
            if (const Json value = columnValue(task, record, *columns[i]); !value.is_null())
                row.figures[i] = value.get<double>();
        double& bubble = row.figures[static_cast<std::size_t>(SweepFigure::Bubble)];
        bubble = std::isnan(bubble) ? bubble : idleShare(bubble);
        if (row.standing == TaskStanding::NoPlan && record.contains("reasons"))
            for (const Json& reason : record["reasons"])
                row.reason += (row.reason.empty() ? "" : "\n") + reason.get<std::string>();
        row.stages = record.value("stages", "");
        return row;
    } catch (const Json::exception& error) { // a key of another type
        return badInput("sweep.result", where, Wording::asIs(error.what()));
    }
}

std::vector<std::size_t> sweepFront(std::span<const SweepRow> rows, std::span<const SweepFigure> figures) {
    // Lower is better in every column.
    const std::size_t width = figures.size();
    std::vector<std::size_t> tasks;
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto known = [&](SweepFigure figure) { return !std::isnan(rows[i].figure(figure)); };
        if (rows[i].standing != TaskStanding::Plan || !std::ranges::all_of(figures, known))
            continue;
        tasks.push_back(i);
        for (const SweepFigure figure : figures)
            values.push_back(sweepFigureTable()[static_cast<std::size_t>(figure)].lowerIsBetter
                                 ? rows[i].figure(figure)
                                 : -rows[i].figure(figure));
    }
    const auto of = [&](std::size_t k) { return std::span(values).subspan(k * width, width); };
    std::vector<std::size_t> order(tasks.size()), front;
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const auto one = of(a), other = of(b);
        return std::ranges::equal(one, other) ? a < b : std::ranges::lexicographical_compare(one, other);
    });
    // What beats one stands before it in this order.
    for (const std::size_t k : order) {
        const auto own = of(k);
        const auto beats = [&](std::size_t other) {
            const auto its = of(other);
            return std::ranges::equal(its, own, std::ranges::less_equal()) && !std::ranges::equal(its, own);
        };
        if (std::ranges::none_of(front, beats))
            front.push_back(k);
    }
    for (std::size_t& k : front)
        k = tasks[k];
    std::ranges::sort(front);
    return front;
}

} // namespace pw
