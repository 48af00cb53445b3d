// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/shared_searches.h"
#include "core/search/exhaustive/sharded.h"
#include "core/search/planners.h"

#include <algorithm>

namespace pw {

const Result<SearchOutcome>& SharedSearches::search(const std::shared_ptr<const Problem>& problem,
                                                    const SearchOptions& options,
                                                    const std::stop_token& stop) {
    ++m_asked;
    const auto known = std::ranges::find_if(m_known, [&](const Known& k) {
        return k.problem == problem->hash() && answers(k, problem->space()) && k.planner == options.planner &&
               k.partitions == options.partitions && k.wider == options.wider &&
               k.without == options.without && (k.proves || !options.proves);
    });
    if (known != m_known.end())
        return known->outcome;
    const Known& made = m_known.emplace_back(
        Known{problem->hash(), problem->space(), options.planner, options.partitions, options.wider,
              options.without, options.proves, pw::search(problem, options, m_observer, stop)});
    if (made.outcome)
        m_observer.ended(*made.outcome);
    return made.outcome;
}

// Where sharding that is not asked for gave no plan, all are those that are found without it.
bool SharedSearches::answers(const Known& known, const Space& asked) {
    if (known.space == asked)
        return true;
    const auto has = [](const std::vector<int>& list, int value) {
        return std::ranges::find(list, value) != list.end();
    };
    Space less = known.space;
    less.sharded = asked.sharded;
    const auto isFound = [&](int zero) { return has(known.space.sharded, zero); };
    const auto shards = [&](const FoundPlan& found) {
        return std::ranges::any_of(found.plan.pipelines.front().stages, [&](const Stage& stage) {
            return stage.zero > 1 && !has(asked.sharded, stage.zero);
        });
    };
    const bool sameRoom = has(asked.sharded, 2) || asked.sharded.empty(); // ZeRO-3 is where 2 has none
    return less == asked && sameRoom && std::ranges::all_of(asked.sharded, isFound) && known.outcome &&
           std::ranges::none_of(known.outcome->plans, shards) &&
           std::ranges::none_of(known.outcome->differing, shards);
}

SearchOutcome SharedSearches::singleStages(const Problem& problem, const SearchOptions& options,
                                           const ExporterRow& target, const std::stop_token& stop) {
    ++m_asked;
    ++m_own;
    const int zero = problem.recipe().zero;
    SearchOutcome outcome = searchSingleStages(
        problem, options,
        zero < 0 ? target.capability.zeroOf(problem.recipe().optimizer) : std::vector<int>{zero},
        [&](const Plan& plan) { return canRun(target, problem, plan); }, m_observer, stop);
    m_observer.ended(outcome);
    return outcome;
}

} // namespace pw
