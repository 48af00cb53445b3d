// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search.h"

#include <algorithm>

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
    return std::find(without.begin(), without.end(), part) == without.end();
}

} // namespace pw
