// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"

#include <optional>

namespace pw {

// What the axes of a WiderSpace (core/problem/space.h) mean, in one place: for the walk that tries every
// plan, for the search that takes steps, and for whoever asks whether a plan belongs to the Space.

struct ScheduleTrial {
    ScheduleKind kind = ScheduleKind::OneFOneB;
    LaunchRule rule = LaunchRule::Artifact;
    int chunks = 1;
    bool loneStage = false; // only in pipelines of one stage
    bool operator==(const ScheduleTrial&) const = default;
};
// The Space's schedules, and those with chunks or a divided backward pass if it has them.
std::vector<ScheduleTrial> scheduleTrials(const Problem& problem);

// The plan under another schedule in all of its pipelines, launch counts left to the rule. Nothing where a
// stage has too few blocks for its chunks, or the kind cannot run so many micro-batches.
std::optional<Plan> underSchedule(const Problem& problem, Plan plan, const ScheduleTrial& trial);

// A stage without layers on a run of devices of each of two classes; its shares are set. Nothing where the
// Space has none such: too few sequences, sizes that the recipe does not allow.
struct ClassRun {
    int cls = 0, devices = 0, position = 0; // of the class, as ChainStage counts them
};
std::optional<Stage> mixedStage(const ChainSpace& space, const CostTable& table, const ClassRun& a,
                                const ClassRun& b, int tp, Recompute mode);

// The plan with its classes filled node by node as a walk fills them: pipelines in the order of what they
// take of the batch, each from its last stage on. Nothing where a stage has no place then.
std::optional<Plan> filledInOrder(const ChainSpace& space, Plan plan);

// Whether the plan is one of the problem's Space, but for which of a class's nodes stand for which; of the
// spaces of all its micro-batch sizes and sharings.
bool inSpace(const Problem& problem, const CostTable& table, const std::vector<const ChainSpace*>& spaces,
             const Plan& plan);

// The plan filled in order, if it is one of the Space then.
std::optional<Plan> broughtIntoSpace(const Problem& problem, const CostTable& table,
                                     const std::vector<const ChainSpace*>& spaces, const Plan& plan);

} // namespace pw
