// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/tournament.h"

#include "core/base/one_line.h"
#include "core/search/options.h"
#include "core/search/planners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

namespace pw {
namespace {

bool contains(const std::vector<std::string>& parts, std::string_view part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
}

} // namespace

std::string Entrant::label() const {
    return without.empty() ? std::string(planner->label)
                           : fmt::format("{} without {}", planner->label, fmt::join(without, " and "));
}

std::vector<Entrant> allPlanners() {
    std::vector<Entrant> list;
    for (const PlannerRow& planner : plannerTable())
        list.push_back({&planner, {}});
    return list;
}

std::vector<Entrant> allAblations() {
    std::vector<Entrant> list;
    for (const PlannerRow& planner : plannerTable())
        for (const char* part : planner.parts)
            list.push_back({&planner, {part}});
    return list;
}

std::vector<Entrant> allPlannersWith(const std::vector<Entrant>& ablations, const Problem& problem,
                                     const SearchOptions& options) {
    const bool partitions = options.partitions || problem.space().partitions;
    std::vector<Entrant> list;
    for (const Entrant& whole : allPlanners()) {
        list.push_back(whole);
        for (const Entrant& ablation : ablations)
            if (ablation.planner == whole.planner && (partitions || !contains(ablation.without, "partition")))
                list.push_back(ablation);
    }
    return list;
}

// A bound over the Space without partitions says nothing of plans with them; one over both holds for both.
void Tournament::add(TournamentRow row) {
    if (!contains(row.without, "partition") && !row.outcome.bound.scope.levelled &&
        (row.outcome.bound.scope.family == ProofScope::Family::Chains ||
         row.outcome.bound.scope.family == ProofScope::Family::ChainsAndGrids) &&
        row.outcome.bound.ofAnyLaunches() > bound.value)
        bound = ofAnyLaunches(row.outcome.bound); // other planners' plans have other launch counts
    rows.push_back(std::move(row));
}

std::vector<const TournamentRow*> Tournament::ranked() const {
    std::vector<const TournamentRow*> list;
    for (const TournamentRow& row : rows)
        if (!row.outcome.plans.empty())
            list.push_back(&row);
    std::stable_sort(list.begin(), list.end(), [](const TournamentRow* a, const TournamentRow* b) {
        return a->outcome.plans.front().evaluation.iteration < b->outcome.plans.front().evaluation.iteration;
    });
    return list;
}

// A bound that another row's plan beats speaks of less than all rows searched: then that plan's bound counts.
const Bound& Tournament::boundOf(const TournamentRow& row) const {
    const auto best = std::ranges::min_element(rows, {}, [](const TournamentRow& other) {
        return other.outcome.plans.empty() ? std::numeric_limits<double>::infinity()
                                           : other.outcome.plans.front().evaluation.iteration.value;
    });
    const Bound& own = row.outcome.bound;
    const Bound& of = own.value.value > 0.0 && own.scope != bound.scope ? own : bound;
    constexpr double kRounding = 1.0 + 1e-9;
    return best != rows.end() && !best->outcome.plans.empty() &&
                   of.value.value > best->outcome.plans.front().evaluation.iteration.value * kRounding
               ? best->outcome.bound
               : of;
}

std::optional<double> Tournament::gap(const TournamentRow& row) const {
    const Bound& of = boundOf(row);
    if (row.outcome.plans.empty() || !row.outcome.covered || of.value.value <= 0.0)
        return std::nullopt;
    return row.outcome.plans.front().evaluation.iteration / of.value - 1.0;
}

SearchOutcome Tournament::overall() const {
    SearchOutcome all;
    all.planner = "all";
    bool stopped = false, budget = false;
    std::set<std::string> leftOut;
    for (const TournamentRow& row : rows) {
        const SearchOutcome& o = row.outcome;
        if (!row.leftOut)
            all.seed = o.seed;
        all.work += o.work;
        all.evaluated += o.evaluated;
        all.cacheLookups += o.cacheLookups;
        all.cacheHits += o.cacheHits;
        all.operatorEvaluations += o.operatorEvaluations;
        all.wall += o.wall;
        if (!o.phases.empty())
            all.phases.push_back(phaseOf(o, row.label()));
        all.timeLimit = all.timeLimit || o.timeLimit;
        leftOut.insert(o.without.begin(), o.without.end());
        for (const auto& [reason, count] : o.rejected)
            all.rejected[reason] += count;
        for (const Diagnostic& note : o.notes) {
            Params params = {{"search", row.label()}, {"says", note}};
            params.insert(params.end(), note.params.begin(), note.params.end());
            all.notes.push_back(
                {note.severity, note.code, note.where, {"{search}: {says}", std::move(params)}});
        }
        stopped = stopped || o.status == SearchStatus::Stopped;
        budget = budget || o.status == SearchStatus::Budget;
        if (o.plans.empty())
            all.reasons.push_back(
                {"{search}: {refusal}",
                 {{"search", row.label()}, {"refusal", row.refusal ? oneLine(*row.refusal) : Wording("")}}});
    }
    for (const SearchPart& part : searchPartTable())
        if (leftOut.count(part.name) > 0)
            all.without.emplace_back(part.name);
    const std::vector<const TournamentRow*> order = ranked();
    for (const TournamentRow* row : order)
        all.plans.push_back(row->outcome.plans.front());
    if (!order.empty()) {
        all.status = order.front()->outcome.status;
        all.covered = order.front()->outcome.covered;
        if (all.covered)
            all.bound = boundOf(*order.front());
    } else {
        all.status = stopped  ? SearchStatus::Stopped
                     : budget ? SearchStatus::Budget
                              : SearchStatus::Infeasible;
    }
    return all;
}

Result<Tournament> searchEach(const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                              const std::vector<Entrant>& entrants, TournamentObserver& observer,
                              std::stop_token stop, const KeepPlans& filter) {
    Tournament tournament;
    for (std::size_t i = 0; i < entrants.size(); ++i) {
        const PlannerRow& planner = *entrants[i].planner;
        TournamentRow row;
        row.planner = &planner;
        row.without = entrants[i].without;
        if (stop.stop_requested())
            row.refusal = stopped("search.stopped", "stopped before its turn");
        else if (planner.hopeless)
            row.refusal = planner.hopeless(*problem);
        row.leftOut = row.refusal.has_value();
        if (!row.leftOut) {
            SearchOptions own = options;
            own.planner = planner.name;
            own.without.clear();
            for (const SearchPart& part : searchPartTable())
                if (!options.uses(part.name) || contains(row.without, part.name))
                    own.without.emplace_back(part.name);
            observer.entered(i);
            Result<SearchOutcome> outcome = search(problem, own, observer, stop);
            if (!outcome)
                return outcome.error();
            row.outcome = *std::move(outcome);
            row.refusal = filter ? filter(row.outcome) : std::nullopt;
            if (!row.refusal)
                row.refusal = refusalOf(row.outcome);
        }
        observer.left(row);
        tournament.add(std::move(row));
    }
    return tournament;
}

} // namespace pw
