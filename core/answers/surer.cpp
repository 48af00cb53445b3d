// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/surer.h"

#include "core/accuracy/memory_cases.h"
#include "core/problem/memory_span.h"
#include "core/problem/problem.h"
#include "core/search/proof/scope_coverage.h"

#include <algorithm>

namespace pw {
namespace {

constexpr const char* kPhase = "surer to fit";

} // namespace

bool wantsSurer(const Problem& problem, const SearchOutcome& outcome) {
    constexpr double kDear = 1.01; // times the fastest plan: a surer one that takes more is searched for
    if (problem.recipe().fitChance >= kLikelyToFit || outcome.status == SearchStatus::Stopped ||
        outcome.plans.empty())
        return false;
    const double most = kDear * outcome.plans.front().evaluation.iteration.value;
    const auto isSure = [&](const FoundPlan& found) {
        return found.evaluation.iteration.value <= most &&
               chanceToFit(problem, found.evaluation) >= kLikelyToFit;
    };
    return std::ranges::none_of(outcome.plans, isSure) && std::ranges::none_of(outcome.differing, isSure);
}

std::int64_t workForSurer(const SearchOutcome& outcome) {
    constexpr std::int64_t kPart = 6, kLeast = 10'000;
    return std::max(outcome.work / kPart, kLeast);
}

Status addSurer(const std::shared_ptr<const Problem>& problem, const Searcher& search,
                SearchOutcome& outcome) {
    const Result<SearchOutcome> found = search(problem->withFitChance(kLikelyToFit));
    if (!found)
        return found.error();
    outcome.work += found->work;
    outcome.evaluated += found->evaluated;
    outcome.wall += found->wall;
    if (!outcome.phases.empty())
        outcome.phases.push_back(phaseOf(*found, kPhase));
    for (const FoundPlan& plan : found->plans) {
        Result<Evaluation> judged = evaluate(*problem, plan.plan);
        if (!judged)
            return judged.error();
        outcome.differing.push_back({plan.plan, *std::move(judged), kPhase + (" / " + plan.foundBy), {}});
    }
    // A short search may find what the long one did not: that it is surer, too, is no reason to pass it over.
    const auto time = [](const FoundPlan& plan) { return plan.evaluation.iteration; };
    if (const auto fastest = std::ranges::min_element(outcome.differing, {}, time);
        fastest != outcome.differing.end() && time(*fastest) < time(outcome.plans.front())) {
        outcome.plans.insert(outcome.plans.begin(), *fastest);
        outcome.differing.push_back(std::move(outcome.plans.back()));
        outcome.plans.pop_back();
        outcome.optimalInOwnSpace = false;
        if (outcome.status == SearchStatus::Optimal) // by a bound that the plan is outside of
            outcome.status = SearchStatus::Feasible;
        if (!contains(outcome.bound.scope, *problem, outcome.plans.front().plan)) {
            outcome.bound = {};
            outcome.covered = false;
        }
    }
    markDifferences(*problem, outcome.plans, outcome.differing);
    return Ok{};
}

} // namespace pw
