// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/planners.h"
#include "core/search/search.h"

#include <functional>
#include <optional>

namespace pw {

// All planners on one problem: same costs, same evaluation, each with its own default budget unless the
// options give one for all.

// One search of a tournament: a planner, whole or without parts that it names.
struct Entrant {
    const PlannerRow* planner = nullptr;
    std::vector<std::string> without; // beside those of the options
    std::string label() const;        // "AutoHAAP-style without cache"
    bool operator==(const Entrant&) const = default;
};
std::vector<Entrant> allPlanners();  // each whole, in the order of plannerTable()
std::vector<Entrant> allAblations(); // each planner without one part, for each that it names
// All planners, each with those of the ablations behind it that are its own. Where neither problem nor
// options have partitions those of them are left out, which would search the same again.
std::vector<Entrant> allPlannersWith(const std::vector<Entrant>& ablations, const Problem& problem,
                                     const SearchOptions& options);

struct TournamentRow {
    const PlannerRow* planner = nullptr;
    std::vector<std::string> without = {}; // as its entrant has it
    SearchOutcome outcome;                 // default-made for a planner that was left out
    bool leftOut = false;                  // never started
    std::optional<Error> refusal;          // why there is no plan; nothing if there is one
    std::string label() const { return Entrant{planner, without}.label(); }
};

struct Tournament {
    std::vector<TournamentRow> rows;                      // in the order of the entrants
    Bound bound;                                          // the highest that any of them proved for the Space
    const Bound& boundOf(const TournamentRow& row) const; // that, or of plans outside the row's own
    void add(TournamentRow row);                          // behind the others
    std::vector<const TournamentRow*> ranked() const;     // those with a plan, fastest first
    // (iteration - bound) / bound of a row's best plan; nothing where no bound speaks of it.
    std::optional<double> gap(const TournamentRow& row) const;
    // As the outcome of one search "all": the best plan of each, fastest first; work, counts and times
    // summed.
    SearchOutcome overall() const;
};

// Is told what each search tells, too; from the thread of the tournament.
class TournamentObserver : public SearchObserver {
public:
    virtual void entered(std::size_t /*entrant*/) {} // its search begins
    virtual void left(const TournamentRow&) {}       // in the order of the entrants, those left out included
};

// Takes plans out of what a search found, and says why if none is left.
using KeepPlans = std::function<std::optional<Error>(SearchOutcome&)>;

// `options.planner` is not read. A stop ends the search that runs and leaves out those behind it. `filter`:
// of each outcome before it becomes a row; none keeps all. Bad input as search() has it.
Result<Tournament> searchEach(const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                              const std::vector<Entrant>& entrants, TournamentObserver& observer,
                              std::stop_token stop, const KeepPlans& filter = {});

} // namespace pw
