// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/target.h"

#include <fmt/format.h>

namespace pw::cli {

std::optional<Error> keepRunnable(const Problem& problem, const ExporterRow& target, std::size_t top,
                                  SearchOutcome& outcome) {
    std::vector<Refusal> refusals; // of the best plan that is refused
    std::vector<FoundPlan> kept;
    const std::size_t all = outcome.plans.size();
    bool bestRefused = false;
    for (std::size_t i = 0; i < all && kept.size() < top; ++i) {
        FoundPlan& found = outcome.plans[i];
        std::vector<Refusal> own = exportRefusals(target, problem, found.plan);
        if (own.empty())
            kept.push_back(std::move(found));
        else if (refusals.empty())
            refusals = std::move(own);
        bestRefused = bestRefused || (i == 0 && kept.empty());
    }
    outcome.plans = std::move(kept);
    if (bestRefused && outcome.status == SearchStatus::Optimal) {
        outcome.status = outcome.plans.empty() ? SearchStatus::Infeasible : SearchStatus::Feasible;
        outcome.bound = {};
    }
    if (all == 0 || !outcome.plans.empty())
        return std::nullopt;
    Error error{
        ErrorKind::Infeasible,
        "search.target",
        target.format,
        fmt::format("none of the {} plans found can run on {}; the best was refused", all, target.label),
        {}};
    for (const Refusal& r : refusals)
        error.reasons.push_back(r.code + " " + text(r));
    return error;
}

} // namespace pw::cli
