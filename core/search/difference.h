// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/wording.h"
#include "core/evaluate/evaluation.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pw {

// What sets a plan apart from the fastest one of its question, so that somebody may choose it although it
// takes longer. These are told by a plan's own figures, so that a search keeps such plans as it meets them.
// What a trainer, a slow link or a lost node makes of a plan is not among them: it takes searches and
// evaluations of its own (core/answers, core/whatif).
enum class Difference {
    HalfTheGpus,
    FewerGpus,
    LessMemory,
    SurerToFit,
    OtherSchedule,
    FewerStages,
    EqualStages
};

struct DifferenceRow {
    Difference difference;
    const char* name; // "fewer_gpus": plan documents
};
std::span<const DifferenceRow> differenceTable(); // a row each, in the order of Difference
const char* name(Difference difference);
std::optional<Difference> differenceFromName(std::string_view text); // nothing: none of the table

// The figures that tell it.
struct PlanTraits {
    double iteration = 0.0; // s
    int gpus = 0;
    double memory = 0.0;                            // fullestShare()
    ScheduleKind schedule = ScheduleKind::OneFOneB; // of the first pipeline
    int stages = 0;                                 // of the longest pipeline
    bool equalStages = false;                       // two or more, as many blocks on each, divided alike
    double fitChance = 1.0;                         // chanceToFit()
};
// `problem` has the devices that the evaluation speaks of.
PlanTraits traitsOf(const Problem& problem, const Plan& plan, const Evaluation& evaluation);

// What a plan that differs may take at most, times the fastest plan.
inline constexpr double kMostTime = 1.25;

// Half and three quarters of the GPUs at most, 85 % of the fastest plan's share of memory at most, three
// quarters of its stages at most; equal stages where the fastest has unequal ones; kLikelyToFit where the
// fastest has less. Says nothing about time.
bool isSetApart(Difference by, const PlanTraits& fastest, const PlanTraits& plan);

// For every difference the fastest of those plans that it sets apart from the first one of the list, the
// fastest, and that are within kMostTime of it: a list for each plan, in the order of Difference. Of plans
// that take as long the earlier one. Who has half the GPUs is not said to have fewer as well.
std::vector<std::vector<Difference>> differencesFromFirst(std::span<const PlanTraits> plans);

// "fewer GPUs: 24 in place of 32"
Wording wordingOf(Difference by, const PlanTraits& fastest, const PlanTraits& plan);

} // namespace pw
