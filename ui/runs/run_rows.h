// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/plan_runs.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace pw {

// What a table of a run shows, in words and figures.
struct PlanRunRow {
    QStringList cells; // as many as the table has headings
    int track = -1;    // row of the timeline that it is of; -1: of none
    // 1: slower than predicted by more than a finding asks for, -1: faster; 0: neither, or predicted to take
    // none.
    int tone = 0;
};
struct PlanRunTable {
    QStringList headings;
    std::vector<PlanRunRow> rows;
    QStringList hints = {}; // what a heading means, "" or nothing where it says so itself
};

// Steps, then of each stage its operations, how long its busiest rank computes and what is left of the step.
// With another run of the same plan its times stand beside; their change only where both are times of the
// same kind: a measured time is never held against an emulated one.
PlanRunTable residualTable(const PlanRun& run, const PlanRun* other);

// What was slower than predicted and why, what costs a step most first.
PlanRunTable slowerTable(const PlanRun& run);

// "emulated, with tiny widths: steps 1, 2; loss 4.86 to 4.84; torch 1.13.1. No times of these GPUs: ..."
QString runSummary(const PlanRun& run);

} // namespace pw
