// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/sharded_stages.h"

#include "core/evaluate/evaluation.h"
#include "core/evaluate/stage_terms.h"
#include "core/search/space/coverage.h"

#include <algorithm>
#include <set>

namespace pw {
namespace {

PlanSchedule oneAfterTheOther() {
    PlanSchedule schedule;
    schedule.launch = {1};
    return schedule;
}

// Whether a rank may have room for what it holds at least.
bool hasRoom(const ChainSpace& space, const ChainStage& stage, int zero) {
    const StageOption& option = space.options()[static_cast<std::size_t>(stage.option)];
    return memoryTotal(space.problem(), space.cost(stage, zero), 1.0) <= space.capacity(option);
}

// Whether they are there for room alone, and the ZeRO stage that is to be tried before; `optimiser`: that of
// chains.
bool isForRoom(const Problem& problem, int zero) {
    return problem.recipe().zero < 0 && zero > 2;
}

int lessThan(const Problem& problem, int optimiser) {
    const std::vector<int>& sharded = problem.space().sharded;
    return std::ranges::find(sharded, 2) != sharded.end() ? 2 : optimiser;
}

// The fewest recomputed blocks with which a rank may have room for what it holds at least: a number of those
// that ShardedStage::plan() takes. Nothing if not even all of them make room.
std::optional<int> fewestRecomputed(const ShardedStage& sharded) {
    const ChainSpace& space = *sharded.space;
    const auto fits = [&](int recomputed) {
        ChainStage stage = sharded.stage;
        stage.recomputed = recomputed < sharded.ways() ? recomputed : 0;
        return hasRoom(space, stage, sharded.zero);
    };
    int low = 1, high = sharded.ways();
    if (!fits(high))
        return std::nullopt;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (fits(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

bool areOfOneClass(const Topology& topology, const std::set<int>& nodes) {
    const int first = topology.classOfNode(*nodes.begin());
    return std::ranges::all_of(nodes, [&](int node) { return topology.classOfNode(node) == first; });
}

bool isOfOneClass(const Topology& topology, const GpuPool& pool) {
    std::set<int> nodes;
    for (const std::vector<DeviceIndex>& node : pool.nodes)
        nodes.insert(topology.devices()[static_cast<std::size_t>(node.front())].node);
    return areOfOneClass(topology, nodes);
}

bool isPool(const Problem& problem, const Plan& less) {
    std::set<int> nodes;
    for (const Replica& replica : less.pipelines.front().stages.front().replicas)
        for (const DeviceIndex device : replica.devices)
            nodes.insert(problem.topology().devices()[static_cast<std::size_t>(device)].node);
    return !areOfOneClass(problem.topology(), nodes) && isUniformGrid(problem, less);
}

} // namespace

std::vector<int> furtherSharding(const Problem& problem) {
    const int asked = problem.recipe().zero;
    if (asked >= 0)
        return asked > 1 ? std::vector{asked} : std::vector<int>{};
    return problem.space().sharded;
}

Plan ShardedStage::plan(int recomputed) const {
    Pipeline pipeline;
    pipeline.microbatches = space->microbatches();
    pipeline.microbatchSize = space->microbatchSize();
    pipeline.schedule = oneAfterTheOther();
    pipeline.stages = {space->stage(option(), 0)};
    Stage& only = pipeline.stages.front();
    only.chunks = {layersOfBlocks(0, space->blocks(), space->blocks())};
    only.zero = zero;
    only.recomputeLayers = recomputed < ways() ? recomputed : 0;
    return {{std::move(pipeline)}};
}

std::vector<ShardedStage> shardedStages(const ChainSpaces& spaces, int zero, double below,
                                        const std::function<bool()>& stop) {
    std::vector<ShardedStage> list;
    for (const auto& space : spaces)
        for (std::size_t o = 0; o < space->options().size(); ++o) {
            if (stop())
                return list;
            const StageOption& option = space->options()[o];
            const ConfigCosts& costs = option.plain ? *option.plain : *option.costs;
            const double passes = space->microbatches();
            if (option.copies() < 2 || option.partition ||
                passes * space->blocks() * costs.quickestBlock() >= below)
                continue;
            ShardedStage sharded{space.get(), {static_cast<int>(o), 0, space->blocks(), 0, 0}, zero, 0.0};
            const std::optional<int> recomputed = fewestRecomputed(sharded);
            if (!recomputed)
                continue;
            sharded.stage.recomputed = *recomputed < sharded.ways() ? *recomputed : 0;
            const Problem& problem = space->problem();
            if (isForRoom(problem, zero) && hasRoom(*space, sharded.stage, lessThan(problem, option.zero)))
                continue;
            sharded.least = passes * space->cost(sharded.stage, zero).total();
            if (sharded.least < below)
                list.push_back(sharded);
        }
    std::ranges::stable_sort(list, {}, &ShardedStage::least);
    return list;
}

bool eachShardedPool(const Problem& problem, const CostTable& table, int zero,
                     const std::function<double()>& below, const std::function<void(Plan)>& visit,
                     const GridCounter& counter) {
    if (problem.topology().classes().size() < 2)
        return true;
    const auto hasRoomWithLess = [&](const GpuPool& pool, UniformGrid grid) {
        grid.zero = lessThan(problem, -1);
        const auto judged = evaluate(problem, table, planOf(problem, pool, grid), {.keepOps = false});
        return judged && judged->feasible;
    };
    const GridLimits limits{.interleaved = false, .mostStages = 1, .zero = zero};
    for (const GpuPool& pool : gpuPools(problem)) {
        if (counter.spend(0))
            return false;
        if (isOfOneClass(problem.topology(), pool))
            continue;
        for (const UniformGrid& grid : uniformGrids(problem, table, pool, limits, counter, below())) {
            if (counter.spend(0))
                return false;
            if (grid.least >= below())
                break;
            if (grid.dp > 1 && !(isForRoom(problem, zero) && hasRoomWithLess(pool, grid)))
                visit(planOf(problem, pool, grid));
        }
    }
    return true;
}

std::optional<Plan> withoutFurtherSharding(const Problem& problem, const Plan& plan) {
    if (plan.pipelines.size() != 1 || plan.pipelines.front().stages.size() != 1)
        return std::nullopt;
    const std::vector<int> sharding = furtherSharding(problem);
    Plan less = plan;
    Stage& only = less.pipelines.front().stages.front();
    if (!only.partition.empty() || std::ranges::find(sharding, only.zero) == sharding.end())
        return std::nullopt;
    only.zero = shardingOf(problem, only.dp() * only.cp);
    return less;
}

bool isShardedStage(const Problem& problem, const Plan& plan) {
    std::optional<Plan> less = withoutFurtherSharding(problem, plan);
    if (!less || !(isChain(problem, *less) || isPool(problem, *less)))
        return false;
    if (!isForRoom(problem, plan.pipelines.front().stages.front().zero))
        return true;
    Pipeline& pipeline = less->pipelines.front();
    int& zero = pipeline.stages.front().zero;
    zero = lessThan(problem, zero);
    pipeline.schedule = oneAfterTheOther(); // others hold more, and take as long
    const auto judged = evaluate(problem, *less);
    return judged && !judged->feasible;
}

std::optional<double> leastOfShardedStages(const Problem& problem, const CostTable& table,
                                           const ChainSpaces& spaces, const std::vector<int>& sharding,
                                           double below, const std::function<bool()>& stop) {
    double least = below;
    const GridCounter counter{[&](std::int64_t) { return stop(); }, [](Rejection) {}};
    for (const int zero : sharding) {
        eachShardedPool(
            problem, table, zero, [&] { return least; },
            [&](const Plan& plan) {
                const auto evaluation = evaluate(problem, table, plan, {.keepOps = false, .stop = &stop});
                if (evaluation && evaluation->feasible)
                    least = std::min(least, evaluation->iteration.value);
            },
            counter);
        for (const ShardedStage& sharded : shardedStages(spaces, zero, least, stop)) {
            if (sharded.least >= least)
                break;
            for (int recomputed = sharded.fewest(); recomputed <= sharded.ways() && !stop(); ++recomputed) {
                const auto evaluation =
                    evaluate(problem, table, sharded.plan(recomputed), {.keepOps = false, .stop = &stop});
                if (!evaluation || !evaluation->feasible)
                    continue;
                least = std::min(least, evaluation->iteration.value);
                break; // with more of them it takes longer
            }
        }
    }
    return stop() ? std::nullopt : std::optional(least);
}

} // namespace pw
