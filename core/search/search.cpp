// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pw {

const char* name(SearchStatus s) {
    switch (s) {
    case SearchStatus::Optimal:
        return "optimal";
    case SearchStatus::Feasible:
        return "feasible";
    case SearchStatus::Stopped:
        return "stopped";
    case SearchStatus::Budget:
        return "budget";
    case SearchStatus::Infeasible:
        return "infeasible";
    }
    return "";
}

std::optional<SearchStatus> statusFromName(std::string_view text) {
    for (const SearchStatus status : {SearchStatus::Optimal, SearchStatus::Feasible, SearchStatus::Stopped,
                                      SearchStatus::Budget, SearchStatus::Infeasible})
        if (text == name(status))
            return status;
    return std::nullopt;
}

void markDifferences(const Problem& problem, std::vector<FoundPlan>& plans,
                     std::vector<FoundPlan>& differing) {
    std::vector<FoundPlan> others;
    others.swap(differing);
    if (plans.empty())
        return;
    std::set<std::string> known;
    std::vector<PlanTraits> traits;
    for (const FoundPlan& found : plans) {
        if (!others.empty())
            known.insert(canonicalKey(found.plan));
        traits.push_back(traitsOf(problem, found.plan, found.evaluation));
    }
    std::map<std::pair<double, std::string>, FoundPlan> byTime;
    for (FoundPlan& found : others)
        if (std::string key = canonicalKey(found.plan); known.insert(key).second)
            byTime.emplace(std::pair(found.evaluation.iteration.value, std::move(key)), std::move(found));
    for (const auto& [key, found] : byTime)
        traits.push_back(traitsOf(problem, found.plan, found.evaluation));
    std::vector<std::vector<Difference>> marks = differencesFromFirst(traits);
    auto mark = marks.begin();
    for (FoundPlan& found : plans)
        found.differs = std::move(*mark++);
    for (auto& [key, found] : byTime) {
        found.differs = std::move(*mark++);
        if (!found.differs.empty())
            differing.push_back(std::move(found));
    }
}

Phase phaseOf(const SearchOutcome& outcome, std::string name) {
    return {std::move(name),
            outcome.work,
            outcome.wall,
            {},
            outcome.plans.empty() ? Seconds() : outcome.plans.front().evaluation.iteration,
            outcome.phases};
}

std::string endText(const SearchOutcome& outcome) {
    return outcome.status == SearchStatus::Budget && outcome.timeLimit ? "time limit" : name(outcome.status);
}

bool SearchOptions::uses(std::string_view part) const {
    return (proves || part != "bound") && std::find(without.begin(), without.end(), part) == without.end();
}

} // namespace pw
