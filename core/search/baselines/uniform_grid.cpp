// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/uniform_grid.h"

#include "core/search/baselines/rank_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace pw {
namespace {

// Blocks per stage: equal, or with the difference at the last stage, at the first, or shared by both.
std::vector<std::vector<int>> splits(int blocks, int stages) {
    if (blocks % stages == 0)
        return {std::vector<int>(static_cast<std::size_t>(stages), blocks / stages)};
    std::vector<std::vector<int>> list;
    for (const int each : {blocks / stages + 1, blocks / stages}) {
        const int rest = blocks - each * stages; // missing or left over
        for (const int first : {0, rest / 2, rest}) {
            std::vector<int> split(static_cast<std::size_t>(stages), each);
            split.front() += first;
            split.back() += rest - first;
            if (std::min(split.front(), split.back()) > 0 &&
                std::find(list.begin(), list.end(), split) == list.end())
                list.push_back(std::move(split));
        }
    }
    return list;
}

std::vector<Recompute> modesOf(const Problem& problem, const RankOrder& ranks) {
    std::vector<Recompute> modes;
    for (const DeviceType& type : ranks.types())
        for (const Recompute mode :
             recomputeModes(problem, problem.topology().kinds()[static_cast<std::size_t>(type.place.kind)]))
            if (std::find(modes.begin(), modes.end(), mode) == modes.end())
                modes.push_back(mode);
    return modes;
}

std::vector<std::int64_t> replicaBatches(const Recipe& recipe, int dp) {
    constexpr std::int64_t kLargest = 64;
    std::vector<std::int64_t> sizes;
    if (recipe.gbs % dp != 0)
        return sizes;
    for (std::int64_t m = 1; m <= recipe.gbs / dp; ++m)
        if (recipe.gbs / dp % m == 0 &&
            (recipe.mbs.empty() ? m <= kLargest
                                : std::find(recipe.mbs.begin(), recipe.mbs.end(), m) != recipe.mbs.end()))
            sizes.push_back(m);
    return sizes;
}

// Prices grids of one pool without simulating them.
class Pricer {
public:
    Pricer(SearchRun& run, const GpuPool& pool) : m_run(run), m_ranks(run.problem().topology(), pool.nodes) {}

    const RankOrder& ranks() const { return m_ranks; }

    // Sets the costs of every type for the grids that follow.
    void configure(const UniformGrid& grid) {
        m_costs.clear();
        for (const DeviceType& type : m_ranks.types()) {
            CostConfig config = type.place;
            config.tp = grid.tp;
            config.mbs = static_cast<int>(grid.mbs);
            config.recompute = grid.recompute;
            config.sequenceParallel = usesSequenceParallel(m_run.problem(), grid.tp);
            m_costs.push_back(&m_run.table().costs(config));
        }
        m_stageTypes.clear();
        for (int i = 0; i < grid.pp; ++i)
            m_stageTypes.push_back(m_ranks.typesOf(i * grid.tp * grid.dp, grid.tp * grid.dp));
    }

    bool mixesVendors() const {
        return std::any_of(m_stageTypes.begin(), m_stageTypes.end(),
                           [&](const auto& types) { return m_ranks.mixesVendors(types); });
    }

    // Sets grid.least; false if it does not fit under 1F1B. Interleaved runs hold more, which their
    // simulation tells.
    bool price(UniformGrid& grid) const {
        const Problem& problem = m_run.problem();
        const std::int64_t microbatches = problem.recipe().gbs / (grid.mbs * grid.dp);
        const int zero = shardingOf(problem, grid.dp);
        StageTimes times;
        double step = 0.0, busiest = 0.0, once = 0.0;
        int block = 0;
        for (std::size_t v = 0; v < grid.blocks.size(); ++v) {
            const std::size_t stage = v % static_cast<std::size_t>(grid.pp);
            double forward = 0.0, backward = 0.0;
            for (const std::size_t t : m_stageTypes[stage]) {
                const StageCost cost = m_costs[t]->blocks(block, block + grid.blocks[v], grid.dp, zero);
                const auto held = std::min<std::int64_t>(microbatches, grid.pp - static_cast<int>(stage));
                if (grid.chunks == 1 &&
                    memoryTotal(problem, cost, static_cast<double>(held)) > m_ranks.types()[t].capacity.value)
                    return false;
                forward = std::max(forward, cost.forward);
                backward = std::max(backward, cost.backward);
                step = std::max(step, cost.optimizer);
            }
            block += grid.blocks[v];
            once += forward + backward;
            if (v < static_cast<std::size_t>(grid.pp)) {
                times.forward.push_back(forward);
                times.backward.push_back(backward);
            } else {
                times.forward[stage] += forward;
                times.backward[stage] += backward;
            }
        }
        times.send.assign(static_cast<std::size_t>(grid.pp - 1), 0.0);
        for (std::size_t i = 0; i < times.forward.size(); ++i)
            busiest = std::max(busiest, times.forward[i] + times.backward[i]);
        const double pipeline = grid.chunks == 1
                                    ? launchCountBound(times, static_cast<int>(microbatches))
                                    : std::max(once, busiest * static_cast<double>(microbatches));
        grid.least = (pipeline + step) * (1.0 - 1e-12); // sums in another order than the simulation's
        return true;
    }

private:
    SearchRun& m_run;
    RankOrder m_ranks;
    std::vector<const ConfigCosts*> m_costs;            // by type
    std::vector<std::vector<std::size_t>> m_stageTypes; // of each stage
};

// Divisions of the pool into stages, replicas and tensor-parallel groups that stay inside their nodes.
std::vector<UniformGrid> shapes(const Problem& problem, const GpuPool& pool, const GridLimits& limits) {
    std::vector<UniformGrid> list;
    const int gpus = pool.gpus();
    const auto blocks = static_cast<int>(problem.model().blocks);
    for (int tp = 1; tp <= std::min({gpus, problem.space().maxTp, limits.mostTp}); tp *= 2) {
        const bool inNodes = std::all_of(pool.nodes.begin(), pool.nodes.end(), [&](const auto& node) {
            return node.size() % static_cast<std::size_t>(tp) == 0;
        });
        if (!inNodes || !divides(problem.model(), tp))
            continue;
        for (int pp = limits.leastStages;
             pp <= std::min({gpus / tp, blocks, problem.space().maxStages, limits.mostStages}); ++pp)
            if (gpus % (pp * tp) == 0) {
                UniformGrid grid;
                grid.pp = pp;
                grid.tp = tp;
                grid.dp = gpus / (pp * tp);
                list.push_back(grid);
            }
    }
    return list;
}

} // namespace

int GpuPool::gpus() const {
    int count = 0;
    for (const auto& node : nodes)
        count += static_cast<int>(node.size());
    return count;
}

std::vector<GpuPool> gpuPools(const Problem& problem) {
    const Topology& topology = problem.topology();
    const std::vector<std::vector<DeviceIndex>> nodes = allowedNodes(problem);
    std::vector<int> kinds; // in use, in the order of the file
    for (const std::vector<DeviceIndex>& gpus : nodes) {
        const int kind = topology.devices()[static_cast<std::size_t>(gpus.front())].kind;
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            kinds.push_back(kind);
    }
    constexpr std::size_t kMostKinds = 10; // beyond that, whole sets only of the first ones
    const std::size_t counted = std::min(kinds.size(), kMostKinds);
    std::vector<std::set<int>> sets;
    for (std::size_t mask = 1; mask + 1 < (std::size_t{1} << counted); ++mask) {
        std::set<int> set;
        for (std::size_t k = 0; k < counted; ++k)
            if ((mask >> k & 1U) != 0)
                set.insert(kinds[k]);
        sets.push_back(std::move(set));
    }
    sets.emplace_back(kinds.begin(), kinds.end());
    std::stable_sort(sets.begin(), sets.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });

    std::vector<GpuPool> pools;
    for (const std::set<int>& set : sets) {
        GpuPool pool;
        std::vector<std::string> names;
        for (const int kind : kinds)
            if (set.count(kind) > 0)
                names.push_back(topology.kinds()[static_cast<std::size_t>(kind)].shortName);
        pool.name = fmt::format("{}", fmt::join(names, " and "));
        pool.all = set.size() == kinds.size();
        const auto device = [&](const std::vector<DeviceIndex>& node) -> const Device& {
            return topology.devices()[static_cast<std::size_t>(node.front())];
        };
        for (const auto& node : nodes)
            if (set.count(device(node).kind) > 0)
                pool.nodes.push_back(node);
        GpuPool roomiest = pool;
        std::stable_sort(roomiest.nodes.begin(), roomiest.nodes.end(), [&](const auto& a, const auto& b) {
            return device(a).capacity > device(b).capacity;
        });
        const bool another = roomiest.nodes != pool.nodes;
        pools.push_back(std::move(pool));
        if (another)
            pools.push_back(std::move(roomiest));
    }
    return pools;
}

std::vector<UniformGrid> uniformGrids(SearchRun& run, const GpuPool& pool, const GridLimits& limits) {
    const Problem& problem = run.problem();
    const bool plain = problem.space().allows(ScheduleKind::OneFOneB);
    Pricer pricer(run, pool);
    const std::vector<Recompute> modes = modesOf(problem, pricer.ranks());
    const auto blocks = static_cast<int>(problem.model().blocks);
    std::vector<UniformGrid> list;
    const auto add = [&](UniformGrid grid) {
        if (pricer.price(grid))
            list.push_back(std::move(grid));
        else
            run.reject("out of memory");
        return run.spend(grid.pp);
    };
    for (const UniformGrid& shape : shapes(problem, pool, limits)) {
        const std::vector<std::int64_t> sizes = replicaBatches(problem.recipe(), shape.dp);
        if (sizes.empty())
            run.reject("batch not divisible");
        for (const std::int64_t mbs : sizes)
            for (const Recompute mode : modes) {
                UniformGrid grid = shape;
                grid.mbs = mbs;
                grid.recompute = mode;
                pricer.configure(grid);
                if (pricer.mixesVendors()) {
                    run.reject("replicas of two vendors");
                    continue;
                }
                if (plain)
                    for (std::vector<int>& split : splits(blocks, grid.pp)) {
                        grid.blocks = std::move(split);
                        if (add(grid))
                            return list;
                    }
                const std::int64_t microbatches = problem.recipe().gbs / (mbs * grid.dp);
                if (!problem.space().interleaved || !limits.interleaved || grid.pp < 2 ||
                    microbatches % grid.pp != 0)
                    continue;
                for (grid.chunks = 2; grid.chunks * grid.pp <= blocks; ++grid.chunks) {
                    if (blocks % (grid.chunks * grid.pp) != 0)
                        continue;
                    grid.blocks.assign(static_cast<std::size_t>(grid.chunks * grid.pp),
                                       blocks / (grid.chunks * grid.pp));
                    if (add(grid))
                        return list;
                }
            }
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const UniformGrid& a, const UniformGrid& b) { return a.least < b.least; });
    return list;
}

Plan planOf(const Problem& problem, const GpuPool& pool, const UniformGrid& grid) {
    std::vector<DeviceIndex> ranks;
    for (const auto& node : pool.nodes)
        ranks.insert(ranks.end(), node.begin(), node.end());
    const auto blocks = static_cast<int>(problem.model().blocks);
    Pipeline pipeline;
    pipeline.microbatchSize = grid.mbs * grid.dp;
    pipeline.microbatches = problem.recipe().gbs / pipeline.microbatchSize;
    pipeline.schedule.kind = grid.chunks > 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB;
    pipeline.schedule.chunks = grid.chunks;
    auto next = ranks.begin();
    for (int i = 0; i < grid.pp; ++i) {
        Stage stage;
        for (int r = 0; r < grid.dp; ++r, next += grid.tp)
            stage.replicas.push_back({{next, next + grid.tp}, 1.0 / grid.dp});
        stage.tp = grid.tp;
        stage.sequenceParallel = usesSequenceParallel(problem, grid.tp);
        stage.zero = shardingOf(problem, grid.dp);
        stage.recompute = grid.recompute;
        pipeline.stages.push_back(std::move(stage));
    }
    int block = 0;
    for (std::size_t v = 0; v < grid.blocks.size(); ++v) {
        const int end = block + grid.blocks[v];
        pipeline.stages[v % static_cast<std::size_t>(grid.pp)].chunks.push_back(
            layersOfBlocks(block, end, blocks));
        block = end;
    }
    return Plan{{std::move(pipeline)}};
}

void considerGrids(SearchRun& run, const GpuPool& pool, const std::vector<UniformGrid>& grids) {
    for (const UniformGrid& grid : grids) {
        if (run.over())
            return;
        if (grid.least >= run.cutoff())
            run.reject("slower than the best");
        else
            run.consider(planOf(run.problem(), pool, grid));
    }
}

} // namespace pw
