// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/plan/plan.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pw {

// Located, quantified advice about a plan. Each rule looks for one kind of loss, tries the edits that could
// remove it (core/whatif) and says what the best of them brings: no gain is estimated, every one is the
// difference of two evaluations.
struct Finding {
    std::string rule; // name of its row in findingRules()
    Severity severity = Severity::Note;
    int stage = -1;          // where; -1 = the plan as a whole
    std::vector<int> stages; // where it is of several: all of them, `stage` the first; else empty
    std::string link;        // where, for what waits on one: id of the drawing
    std::string text;        // "stage 3 is 18.2 % slower than the mean of the stages"
    // What helps most of what was tried, "move 2 blocks to stage 2"; empty: nothing that was tried does.
    std::string remedy;
    std::optional<Plan> plan;               // with it; none where the remedy changes the question
    std::shared_ptr<const Problem> problem; // the changed question; null where the remedy changes the plan
    Seconds iteration;                      // then
    Seconds gain;                           // now less then; below 0 where the remedy makes the plan fit
    // The way out where no edit is one: a search for plans that fit with this chance; 0: there is none.
    double searchChance = 0.0;
};

struct FindingRule {
    const char* name;
    const char* help; // what it looks for
};
const std::vector<FindingRule>& findingRules();

struct Findings {
    std::vector<Finding> list;        // errors first, then by gain
    std::vector<std::string> lacking; // what could not be checked, and what it lacks
    int tried = 0;                    // edits evaluated
    bool stopped = false;             // more would have been looked at
    int refused = 0;                  // edits to plans that the runner cannot run, which were not tried
};

// What the plan is to be run with. An edit to a plan that it cannot run is no remedy, unless it cannot run
// the plan as it stands either: then every edit is tried, and `lacking` says so.
struct PlanRunner {
    std::string label;                                     // "Megatron-LM core"
    std::function<bool(const Problem&, const Plan&)> runs; // null: anything
};

Result<Findings> findingsOf(const std::shared_ptr<const Problem>& problem, const Plan& plan,
                            const std::stop_token& stop = {}, const PlanRunner& runner = {});

} // namespace pw
