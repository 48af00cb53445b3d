// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/plan/device_names.h"

namespace pw {

class Problem;
struct Evaluation;
struct Plan;
struct SearchOutcome;
struct Tournament;

// The plan document ("pipewright-plan-1"): what a search or an evaluation says of a problem, with the problem
// itself, so that the plans can be judged elsewhere. `names`: how it names devices.
inline constexpr const char* kPlanSchema = "pipewright-plan-1";

Json planDocument(const Problem& problem, const SearchOutcome& outcome,
                  DeviceNames names = DeviceNames::Each);
// One of its plans.
Json planEntry(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
               DeviceNames names = DeviceNames::Each);
// The same as the compact text that projects keep (KeptPlan::entry), with devices as usualNames() has it.
std::string keptEntry(const Problem& problem, const Plan& plan, const Evaluation& evaluation);
// The plan document with the best plan of every planner, fastest first, each with its `planner`, and under
// `tournament` a row a planner.
Json tournamentDocument(const Problem& problem, const Tournament& tournament,
                        DeviceNames names = DeviceNames::Each);

// The document as a file has it: printJson(), and with ranges printDense().
std::string printPlanDocument(const Json& document, DeviceNames names);

// Takes the times of the run out of a document, and what the number of threads changes of its counters: two
// runs of one search with one program give the same bytes then. What is predicted stays.
void leaveOutRunTimes(Json& document);

} // namespace pw
