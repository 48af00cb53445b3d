// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep_folder.h"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace pw {

// Results of a sweep as views compare them: of each task its figures as numbers, in the units of the columns
// that they come from (collect.h), but for the bubble, which people are shown as a share (idle_share.h). A
// hundred thousand tasks take some 30 MB so; their records would take 150.

enum class SweepFigure {
    Iteration,
    Tokens,
    Gap,
    Bubble,
    Memory,
    Gpus,
    GpusUsed,
    PricePerHour,
    PricePerToken,
    Power,
    EnergyPerToken,
    Days,
    Money,
    Energy,
    Goodput
};
inline constexpr std::size_t kSweepFigures = 15;
struct SweepFigureRow {
    SweepFigure figure;
    const char* key; // of its ResultColumn
    bool lowerIsBetter;
};
std::span<const SweepFigureRow, kSweepFigures> sweepFigureTable(); // in the order of the enumeration

enum class TaskStanding { Open, Begun, Failed, NoPlan, Plan };

struct SweepRow {
    TaskStanding standing = TaskStanding::Open;
    std::array<double, kSweepFigures> figures = noFigures();
    std::string reason; // why there is no plan; empty: there is one, or no result yet
    std::string stages; // GPUs a stage

    double figure(SweepFigure which) const { return figures[static_cast<std::size_t>(which)]; }
    static std::array<double, kSweepFigures> noFigures() { // not a number: not known
        std::array<double, kSweepFigures> none{};
        none.fill(std::numeric_limits<double>::quiet_NaN());
        return none;
    }
};

// Of a task that has this record. Bad input at `where` for one whose keys are of another type.
Result<SweepRow> sweepRow(const SweepFolder& folder, const std::string& record, const std::string& where);

// Tasks that no other beats in every one of these figures, of those that have a plan and all of them; in
// their order. O(n log n + n front).
std::vector<std::size_t> sweepFront(std::span<const SweepRow> rows, std::span<const SweepFigure> figures);

} // namespace pw
