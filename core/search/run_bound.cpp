// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's bound speaks of.

#include "core/search/run.h"

#include "core/search/proof/capacity_bound.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/proof/scope_coverage.h"
#include "core/search/space/sharded_stages.h"
#include "core/search/space/uniform_grid.h"
#include "core/search/space/wider_space.h"

#include <algorithm>
#include <limits>

namespace pw {

Bound SearchRun::boundOfAnyShape(const std::vector<FoundPlan>& plans) const {
    if (plans.empty())
        return m_bound;
    if (!m_options.uses("bound"))
        return {};
    const FoundPlan& best = plans.front();
    const CapacityBound any(m_problem, m_interrupted);
    const Bound ofAny = any.covers(best.plan) ? any.compute() : Bound{};
    if (m_problem.space().wider.any() || !isChain(best.plan, ChainOrder::Any))
        return ofAny;
    const Bound ofChains =
        LaunchCountBound(pointersTo(m_spaces), m_interrupted, m_options.threads, ChainOrder::Any)
            .compute(best.evaluation.iteration.value);
    return ofChains.value > ofAny.value ? ofChains : ofAny;
}

void SearchRun::setLevelBound(std::shared_ptr<const Problem> level, const Bound& bound) {
    m_level = std::move(level);
    m_levelBound = bound;
}

// Whoever asks for the Space's bound gets none that a chain of this Space might beat.
Bound SearchRun::boundOfLevel(const Plan& plan) const {
    if (!m_level || m_bound.value.value <= 0.0 || !contains(m_levelBound.scope, *m_level, plan))
        return {};
    Bound bound = m_levelBound;
    bound.value = std::min(bound.value, m_bound.value);
    bound.scope.levelled = true;
    return bound;
}

Bound SearchRun::boundWithGrids(const std::vector<FoundPlan>& plans) {
    Bound bound = m_bound;
    if (bound.value.value <= 0.0)
        return bound;
    double least =
        plans.empty() ? std::numeric_limits<double>::infinity() : plans.front().evaluation.iteration.value;
    if (!m_gridsSettled) {
        // Of a stopped search the bound holds for chains alone, and says so.
        const std::optional<double> grids =
            leastOfGrids(m_problem, m_table, bound.value.value, m_interrupted);
        if (!grids) {
            if (!plans.empty() && !isChain(plans.front().plan))
                return boundOfAnyShape(plans);
            return bound;
        }
        least = std::min(least, *grids);
    }
    if (!m_shardedSettled && m_sharings == sharings(m_problem)) // else it has not all that they may be
        if (const auto sharded =
                leastOfShardedStages(m_problem, m_table, m_spaces, furtherSharding(m_problem),
                                     std::min(bound.value.value, least), m_interrupted)) {
            least = std::min(least, *sharded);
            m_shardedSettled = true;
        }
    bound.value = std::min(bound.value, Seconds(least));
    bound.scope.family = ProofScope::Family::ChainsAndGrids;
    return bound;
}

bool SearchRun::isChain(const Plan& plan, ChainOrder order) const {
    return std::any_of(m_spaces.begin(), m_spaces.end(),
                       [&](const auto& space) { return coveredByBound(*space, plan, order); });
}

void SearchRun::settleSharded() {
    m_shardedSettled = true;
    if (const auto best = bestPlan(); best && !m_bestCovered)
        m_bestCovered = covered(best->plan);
}

bool SearchRun::covered(const Plan& plan) const {
    if (m_shardedSettled)
        if (const std::optional<Plan> less = withoutFurtherSharding(m_problem, plan))
            return isShardedStage(m_problem, plan);
    return (m_problem.space().wider.any() ? inSpace(m_problem, m_table, pointersTo(m_spaces), plan)
                                          : isChain(plan)) ||
           isUniformGrid(m_problem, plan);
}

} // namespace pw
