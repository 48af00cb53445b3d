// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has come to when it ends.

#include "core/search/run.h"

#include "core/base/quantity.h"
#include "core/evaluate/launch_stated.h"
#include "core/evaluate/utilisation.h"
#include "core/search/proof/scope_coverage.h"
#include "core/search/space/least_memory.h"
#include "core/search/space/sharded_stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pw {

namespace {

constexpr double kPatience = 0.02; // s

// Why no allowed micro-batch divides the global batch, with the numbers; empty if one does or any is allowed.
std::optional<Wording> sizesThatDivideNothing(const Recipe& recipe) {
    std::vector<std::int64_t> sizes = recipe.mbs;
    if (sizes.empty() ||
        std::any_of(sizes.begin(), sizes.end(), [&](std::int64_t m) { return recipe.gbs % m == 0; }))
        return std::nullopt;
    std::sort(sizes.begin(), sizes.end());
    return Wording("no micro-batch of {sizes} sequences a replica divides the global batch of {gbs}",
                   {{"sizes", fmt::format("{}", fmt::join(sizes, " or "))}, {"gbs", recipe.gbs}});
}

// Best first; of those that take as long the one that needs less memory.
void sortPlans(std::vector<FoundPlan>& plans) {
    const auto time = [](const FoundPlan& found) { return found.evaluation.iteration.value; };
    std::ranges::stable_sort(plans, {}, time);
    for (auto first = plans.begin(), last = first; first != plans.end(); first = last) {
        last = std::find_if(first, plans.end(),
                            [&](const FoundPlan& found) { return takesLess(time(*first), time(found)); });
        std::stable_sort(first, last, [](const FoundPlan& a, const FoundPlan& b) {
            const double fill[] = {fullestShare(a.evaluation), fullestShare(b.evaluation)};
            return fill[0] != fill[1] ? fill[0] < fill[1] : canonicalKey(a.plan) < canonicalKey(b.plan);
        });
    }
}

// Launch counts that a plan left to its evaluation are stated; what is the same then is one plan, the first.
void stateLaunchCounts(std::vector<FoundPlan>& plans) {
    constexpr double kAlike = 1e-9; // the same plan is judged in two ways
    std::vector<FoundPlan> apart;
    for (FoundPlan& found : plans) {
        found.plan = withLaunchCounts(std::move(found.plan), found.evaluation);
        const double time = found.evaluation.iteration.value;
        const bool known = std::ranges::any_of(apart, [&](const FoundPlan& before) {
            return std::abs(before.evaluation.iteration.value - time) <= kAlike * time &&
                   canonicalKey(before.plan) == canonicalKey(found.plan);
        });
        if (!known)
            apart.push_back(std::move(found));
    }
    plans = std::move(apart);
}

} // namespace

SearchOutcome SearchRun::finish(Settled settled) {
    const InPhase finishing = phase("finish");
    SearchOutcome outcome;
    // Who stopped the search waits for it: what cannot be evaluated soon is left out.
    const double begin = elapsed();
    const std::function<bool()> late = [&] { return stopped() && elapsed() - begin > kPatience; };
    const auto soon = [&] { return !stopped() || elapsed() - begin + m_judging < kPatience; };
    for (const Kept& kept : m_kept)
        if (const auto plan = kept.plan ? kept.plan : soon() ? found(kept, late) : nullptr)
            outcome.plans.push_back(*plan);
    sortPlans(outcome.plans);
    if (!outcome.plans.empty())
        outcome.differing = differingFrom(outcome.plans.front(), soon, late);
    stateLaunchCounts(outcome.plans);
    stateLaunchCounts(outcome.differing);
    markDifferences(m_problem, outcome.plans, outcome.differing);
    const bool own = outcome.plans.empty() || covered(outcome.plans.front().plan);
    {
        const InPhase bounding = phase("bound");
        outcome.bound = own && !m_problem.space().wider.any() ? boundWithGrids(outcome.plans)
                                                              : boundOfAnyShape(outcome.plans);
    }
    const std::vector<int> sharded = m_shardedSettled ? furtherSharding(m_problem) : std::vector<int>{};
    outcome.bound.scope = scopeOf(m_problem, outcome.bound.scope.family);
    if (outcome.bound.scope.takesSharded())
        outcome.bound.scope.sharded = sharded;
    outcome.covered = own || outcome.bound.scope.family == ProofScope::Family::AnyShape ||
                      outcome.bound.scope.family == ProofScope::Family::AnyOrder;
    if (const Bound level = own ? Bound{} : boundOfLevel(outcome.plans.front().plan);
        level.value > outcome.bound.value) {
        outcome.bound = level;
        outcome.covered = true;
    }
    ProofScope tried = scopeOf(m_problem, ProofScope::Family::ChainsAndGrids); // where all of it is settled
    tried.wider = m_problem.space().wider;
    tried.sharded = sharded;
    tried.ruledLaunches = !outcome.meetsBound();
    const auto isOfTried = [&](const Plan& best) {
        return own ? !tried.ruledLaunches || hasRuledLaunches(m_problem, best)
                   : contains(tried, m_problem, best);
    };
    outcome.work = m_work;
    outcome.evaluated = m_evaluated;
    outcome.cacheLookups = m_table.lookups() + m_cacheLookups;
    outcome.cacheHits = m_table.hits() + m_cacheHits;
    outcome.operatorEvaluations = m_table.operators() + m_operators;
    outcome.rejected = m_rejected;
    outcome.planner = m_options.planner;
    outcome.seed = m_options.seed;
    outcome.notes = m_notes;
    outcome.optimalInOwnSpace = settled == Settled::OwnSpace || settled == Settled::Space;
    outcome.timeLimit = m_timeUp && settled == Settled::Nothing;
    if (m_stop.stop_requested() && settled == Settled::Nothing)
        outcome.status = SearchStatus::Stopped;
    else if (settled != Settled::Nothing)
        outcome.status = outcome.plans.empty() ? SearchStatus::Infeasible
                         : settled == Settled::Space && isOfTried(outcome.plans.front().plan)
                             ? SearchStatus::Optimal
                             : SearchStatus::Feasible; // the best is none of those that were tried
    else
        outcome.status = SearchStatus::Budget;
    // A finished enumeration is itself a proof: nothing in the Space is faster.
    if (outcome.status == SearchStatus::Optimal) {
        if (tried.ruledLaunches)
            outcome.bound.provenBefore = outcome.bound.value;
        outcome.bound.value = outcome.plans.front().evaluation.iteration;
        outcome.bound.kind = "enumeration";
        outcome.bound.scope = tried;
        outcome.bound.certificate = nullptr;
        outcome.covered = true;
    }
    if (outcome.bound.value.value > 0.0) // of what it speaks at last
        trace(outcome.bound);
    // So is a bound that the best plan meets, where it speaks of the whole Space.
    const bool ofAll = outcome.bound.scope.family == ProofScope::Family::AnyShape ||
                       (outcome.bound.scope.sharded == furtherSharding(m_problem) &&
                        !outcome.bound.scope.levelled); // another Space
    if (ofAll && (outcome.status == SearchStatus::Feasible || outcome.status == SearchStatus::Budget) &&
        outcome.meetsBound())
        outcome.status = SearchStatus::Optimal;
    if (outcome.plans.empty()) {
        if (const auto states = statesThatCannotFit(m_problem)) {
            outcome.status = SearchStatus::Infeasible;
            outcome.reasons.push_back(*states);
        }
        if (const auto undivided = sizesThatDivideNothing(m_problem.recipe()))
            outcome.reasons.push_back(*undivided);
        else
            for (const auto& [reason, count] : m_rejected)
                outcome.reasons.push_back(
                    {"{reason}: {count} candidates", {{"reason", words(reason)}, {"count", count}}});
    }
    outcome.wall = elapsed();
    return outcome;
}

} // namespace pw
