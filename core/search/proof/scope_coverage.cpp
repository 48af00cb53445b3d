// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/scope_coverage.h"

#include "core/evaluate/evaluation.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/space/coverage.h"
#include "core/search/space/levelled.h"
#include "core/search/space/sharded_stages.h"
#include "core/search/space/uniform_grid.h"
#include "core/search/space/wider_space.h"

#include <algorithm>

namespace pw {

namespace {

bool has(const std::vector<int>& sharded, const Plan& plan) {
    const int zero = plan.pipelines.front().stages.front().zero;
    return std::find(sharded.begin(), sharded.end(), zero) != sharded.end();
}

std::vector<int> capped(std::vector<int> launch, std::int64_t microbatches) {
    for (int& count : launch)
        count = static_cast<int>(std::min<std::int64_t>(count, microbatches));
    return launch;
}

} // namespace

bool hasRuledLaunches(const Problem& problem, const Plan& plan) {
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        const std::vector<int>& launch = pipeline.schedule.launch;
        if (launch.empty())
            continue;
        const bool ruled = std::ranges::any_of(problem.space().schedules, [&](const ScheduleChoice& choice) {
            if (!usesLaunchCounts(choice.kind) || !choice.allows(pipeline.stages.size()))
                return false;
            Plan left = plan;
            left.pipelines[p].schedule = {choice.kind, choice.rule, pipeline.schedule.chunks, {}};
            const Result<Evaluation> judged = evaluate(problem, left, {.keepOps = false});
            return judged && capped(judged->pipelines[p].launch, pipeline.microbatches) ==
                                 capped(launch, pipeline.microbatches);
        });
        if (!ruled)
            return false;
    }
    return true;
}

ProofScope scopeOf(const Problem& problem, ProofScope::Family family) {
    const Sharing most = sharings(problem).back();
    ProofScope scope;
    scope.family = family;
    scope.partitions = problem.space().partitions && family != ProofScope::Family::AnyShape;
    scope.cp = most.cp;
    scope.ep = most.ep;
    scope.foldExperts = most.ep > 1 && problem.space().foldExperts;
    return scope;
}

bool contains(const ProofScope& scope, const Problem& problem, const Plan& plan) {
    if (scope.levelled) {
        const std::optional<Levelled> level = levelled(problem);
        ProofScope there = scope;
        there.levelled = false;
        return level && level->wider && contains(there, *level->problem, plan);
    }
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            if (stage.cp > scope.cp || stage.ep > scope.ep || (!scope.partitions && !stage.partition.empty()))
                return false;
    if (scope.ruledLaunches && !hasRuledLaunches(problem, plan))
        return false;
    Space space = problem.space();
    space.partitions = scope.partitions;
    space.foldExperts = scope.foldExperts;
    space.sharded = scope.sharded;
    space.wider = scope.wider;
    const std::shared_ptr<const Problem> own = problem.withSpace(std::move(space));
    if (scope.family == ProofScope::Family::AnyShape)
        return CapacityBound(*own).covers(plan);
    if (withoutFurtherSharding(*own, plan))
        return scope.takesSharded() && has(scope.sharded, plan) && isShardedStage(*own, plan);
    if (scope.family == ProofScope::Family::AnyOrder)
        return isChain(*own, plan, ChainOrder::Any);
    if (scope.family == ProofScope::Family::ChainsAndGrids && isUniformGrid(*own, plan))
        return true;
    if (!scope.wider.any())
        return isChain(*own, plan);
    const CostTable table(*own);
    const auto spaces = chainSpaces(*own, table, sharings(*own), [] { return false; });
    return !spaces.empty() && inSpace(*own, table, pointersTo(spaces), plan);
}

} // namespace pw
