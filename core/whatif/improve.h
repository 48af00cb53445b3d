// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

// Improving a plan from where it stands. The planners look for the best plan of all; whoever has changed one
// by hand wants the best plan near it that keeps what was decided. So this climbs over the same edits that a
// hand makes (whatif.h): all of them are tried from the plan in hand, the best becomes the next plan, until
// none helps. Every figure is of evaluate(); nothing is random, so the same plan and locks lead to the same
// end.
namespace pw::whatif {

// What must stay. A locked stage keeps its blocks, its devices and how it divides them, wherever in the
// pipeline it then stands; a locked device stays with a stage that still holds some of the blocks it held.
struct Locks {
    std::vector<int> stages;
    std::vector<DeviceIndex> devices;
    bool operator==(const Locks&) const = default;
    bool isEmpty() const { return stages.empty() && devices.empty(); }
};
// Whether `plan` keeps what the locks say about `start`.
bool keeps(const Plan& start, const Plan& plan, const Locks& locks);

// All plans that one edit leads to, each sound, in a fixed order until `visit` says false; a search takes the
// same steps.
void eachNeighbour(const Problem& problem, const Plan& plan, const std::function<bool(Plan)>& visit);

struct ImproveProgress {
    int tried = 0;     // plans evaluated
    int steps = 0;     // edits taken
    Seconds iteration; // of the best plan so far
};

struct Improvement {
    struct Step {
        Plan plan;
        Evaluation evaluation;
    };
    std::vector<Step> steps; // from the first edit to the best plan; empty: no edit helps
    int tried = 0;
    bool stopped = false;   // by the token
    bool exhausted = false; // by the limit
};

inline constexpr int kImproveTries = 20'000;

// How far it may go. Edits reach plans that no search was asked for, and a plan that is better only because
// it leaves the Space says nothing against the search. So schedules of the Space alone are taken, and stages
// of one kind of device, unless the start is such a plan already or `wider` asks for them as it does in a
// search. Likewise of `takes`: every step is a plan that it says yes to, unless it refuses the start already.
struct Reach {
    int tries = kImproveTries;
    WiderSpace wider;
    std::function<bool(const Plan&)> takes = {}; // what a trainer can run, perhaps; null: any plan
};

// Bad input where checkPlan() refuses the start, or it has several pipelines. A plan that does not fit is led
// back into its memory first.
Result<Improvement> improve(const std::shared_ptr<const Problem>& problem, const Plan& start,
                            const Locks& locks, const Reach& reach = {},
                            const std::function<void(const ImproveProgress&)>& report = {},
                            const std::stop_token& stop = {});

} // namespace pw::whatif
