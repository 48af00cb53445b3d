// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plan_titles.h"

#include "ui/plans/plan_table_model.h"

namespace pw {

QString columnTitle(int column) {
    switch (column) {
    case PlanTableModel::Name:
        return PlanTableModel::tr("Plan");
    case PlanTableModel::Iteration:
        return PlanTableModel::tr("Iteration");
    case PlanTableModel::Expected:
        return PlanTableModel::tr("Expected");
    case PlanTableModel::Beside:
        return PlanTableModel::tr("Beside best");
    case PlanTableModel::Differs:
        return PlanTableModel::tr("Differs");
    case PlanTableModel::Tokens:
        return PlanTableModel::tr("Tokens/s");
    case PlanTableModel::Bubble:
        return PlanTableModel::tr("Bubble");
    case PlanTableModel::Idle:
        return PlanTableModel::tr("Idle");
    case PlanTableModel::Chance:
        return PlanTableModel::tr("Chance to fit");
    case PlanTableModel::Ties:
        return PlanTableModel::tr("Ties");
    case PlanTableModel::PeakMemory:
        return PlanTableModel::tr("Peak memory");
    case PlanTableModel::Stages:
        return PlanTableModel::tr("Stages, layers and devices");
    case PlanTableModel::Schedule:
        return PlanTableModel::tr("Schedule");
    case PlanTableModel::Launch:
        return PlanTableModel::tr("Launch");
    case PlanTableModel::Trainers:
        return PlanTableModel::tr("Runs with");
    case PlanTableModel::Measured:
        return PlanTableModel::tr("Measured");
    case PlanTableModel::Rank:
        return PlanTableModel::tr("Rank");
    case PlanTableModel::Origin:
        return PlanTableModel::tr("Origin");
    case PlanTableModel::Note:
        return PlanTableModel::tr("Note");
    default:
        return QString();
    }
}

QString columnHelp(int column) {
    switch (column) {
    case PlanTableModel::Pin:
        return PlanTableModel::tr("Pinned plans are kept in the project file (Space)");
    case PlanTableModel::Name:
        return PlanTableModel::tr(
            "Its number for life, in the order in which plans became known. A double click or "
            "Shift+F2 gives it a name, which keeps it in the project file");
    case PlanTableModel::Iteration:
        return PlanTableModel::tr("Simulated time of one optimiser step; the bar spans the plans known");
    case PlanTableModel::Expected:
        return PlanTableModel::tr(
            "Where 80 % of measured runs like the plan would fall, from the published runs nearest "
            "to it");
    case PlanTableModel::Beside:
        return PlanTableModel::tr(
            "Beside the best plan: slower, or faster where it came with another file, how probable that "
            "is, and a tie where that is less than 80 %");
    case PlanTableModel::Differs:
        return PlanTableModel::tr(
            "What sets the plan apart from the fastest one, and how much longer it takes: of every "
            "kind the fastest plan, up to a quarter slower");
    case PlanTableModel::Bubble:
        return PlanTableModel::tr(
            "Idle share of the stage that idles most, from its first start to its last end");
    case PlanTableModel::Idle:
        return PlanTableModel::tr("Idle share of the time of all GPUs of the plan over the whole iteration");
    case PlanTableModel::Chance:
        return PlanTableModel::tr(
            "How likely the fullest GPU has room, from measured peaks of runs: 50 % and more where the "
            "plan is predicted to fit");
    case PlanTableModel::Ties:
        return PlanTableModel::tr(
            "Near ties that stand folded behind the plan: within 0.1 %, of the same stages, schedule and "
            "trainers, with no less memory. A click or T unfolds them. \u2260: the plan differs");
    case PlanTableModel::PeakMemory:
        return PlanTableModel::tr("The fullest GPU and what it holds at its peak");
    case PlanTableModel::Stages:
        return PlanTableModel::tr("Layers as a strip, then GPUs of each stage; a bar where the kind changes");
    case PlanTableModel::Launch:
        return PlanTableModel::tr("Forwards of each stage before its first backward");
    case PlanTableModel::Trainers:
        return PlanTableModel::tr("Trainers that can run the plan as it is; Export writes their files");
    case PlanTableModel::Rank:
        return PlanTableModel::tr(
            "Pareto rank by time, GPUs and peak memory: 1 where no plan is better in one and as "
            "good in all");
    case PlanTableModel::Note:
        return PlanTableModel::tr("Yours: F2 or a double click writes; a note pins its plan");
    case PlanTableModel::Measured:
        return PlanTableModel::tr("Share of the busy time that rests on measured profiles");
    default:
        return {};
    }
}

} // namespace pw
