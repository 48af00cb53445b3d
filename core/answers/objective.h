// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"
#include "core/answers/run_deadline.h"
#include "core/plan/device_names.h"
#include "core/search/search.h"

#include <optional>
#include <string_view>

namespace pw {

// What a plan is to be good at. Searches and bounds know iteration time alone; the others are had by
// searching again under constraints that favour them and keeping what no other plan beats in both:
//
//   money, energy   over sets of nodes: of each group all, half, ..., one or none (node_groups.h); the sets
//                   in which most groups take part whole or not at all come first
//   memory          with 10 %, 20 %, ... of the smallest device kept free besides
//
// With a deadline only plans count that meet it. When half of the searches are made, others go from the best
// plan that meets it, a step to more or fewer nodes of one group, as long as that finds a better one: the
// cheapest plan in time mostly lies between two of those sets, just fast enough.
//
// So the front is of the plans that were found, and no bound covers the other objective.
enum class Objective { Time, Money, Energy, Memory };
struct ObjectiveRow {
    Objective objective;
    const char* name; // command line and files
    const char* help;
    const char* unit; // of objectiveValue()
    const char* best; // what a plan is called that no other beats in it: "the cheapest"
};
const std::vector<ObjectiveRow>& objectiveTable(); // in the order of the enumeration
std::optional<Objective> objectiveFromName(std::string_view name);

// The less the better. Money: prices of the devices used times the iteration, by token. Energy: as money,
// with every device used at its full power (watts of its kind), so an upper end. Memory: the largest share of
// its memory that a device needs.
double objectiveValue(const Problem& problem, const FoundPlan& found, Objective objective);

// Refused: kinds that may be used have no price, or no power, by name.
Status checkObjective(const Problem& problem, Objective objective);

struct ParetoFront {
    Objective objective = Objective::Time;
    Seconds deadline;               // that the plans meet; 0: none
    std::optional<RunDeadline> run; // the same, where it was stated of a whole run
    // Plans that are not beaten in time and objective by another, judged under the problem itself: the best
    // by the objective first, the fastest last. Bound, work and wall time as of all searches. Where none
    // meets the deadline, the fastest alone.
    SearchOutcome outcome;
    std::vector<double> values;
    std::size_t archive = 0;        // plans that were compared
    std::size_t inTime = 0;         // of these
    int searches = 0, variants = 0; // of so many constrained problems

    bool misses() const { return inTime == 0 && !outcome.plans.empty(); } // the deadline
};

// A stop ends it with what was found. `objective` is not Time; checkObjective() has passed. `deadline`: 0 for
// none.
Result<ParetoFront> paretoFront(const std::shared_ptr<const Problem>& problem, Objective objective,
                                const Searcher& searcher, const std::stop_token& stop, Seconds deadline = {});

// Refused: nothing was found, or nothing that meets the deadline, with the numbers.
std::optional<Error> refusalOf(const ParetoFront& front);

// The plan document of the front, with key `pareto`.
Json paretoDocument(const Problem& problem, const ParetoFront& front, DeviceNames names = DeviceNames::Each);

} // namespace pw
