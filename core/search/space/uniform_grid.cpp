// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/uniform_grid.h"

#include "core/evaluate/evaluation.h"
#include "core/search/space/chain.h"
#include "core/search/space/rank_order.h"

#include <algorithm>
#include <numeric>

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

std::vector<int> classicLaunches(int stages) {
    std::vector<int> launch(static_cast<std::size_t>(stages));
    std::iota(launch.rbegin(), launch.rend(), 1);
    return launch;
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
    Pricer(const Problem& problem, const CostTable& table, const GpuPool& pool)
        : m_problem(problem), m_table(table), m_ranks(problem.topology(), pool.nodes) {}

    const RankOrder& ranks() const { return m_ranks; }

    // Sets the types of the stages of grids that follow.
    void shape(const UniformGrid& grid) {
        m_stageTypes.clear();
        for (int i = 0; i < grid.pp; ++i)
            m_stageTypes.push_back(m_ranks.typesOf(i * grid.tp * grid.dp, grid.tp * grid.dp));
    }

    // Sets the costs of every type for grids of that shape that follow.
    void configure(const UniformGrid& grid) {
        m_costs.clear();
        for (const DeviceType& type : m_ranks.types()) {
            CostConfig config = type.place;
            config.tp = grid.tp;
            config.mbs = static_cast<int>(grid.mbs);
            config.recompute = grid.recompute;
            config.sequenceParallel = usesSequenceParallel(m_problem, grid.tp);
            m_costs.push_back(&m_table.costs(config));
        }
        m_quickest.clear();
        for (const auto& types : m_stageTypes) {
            double slowest = 0.0;
            for (const std::size_t t : types)
                slowest = std::max(slowest, m_costs[t]->quickestBlock());
            m_quickest.push_back(slowest);
        }
    }

    bool mixesVendors() const {
        return std::any_of(m_stageTypes.begin(), m_stageTypes.end(),
                           [&](const auto& types) { return m_ranks.mixesVendors(types); });
    }

    // s: no simulation of it is shorter, as its blocks alone tell.
    double floorOf(const UniformGrid& grid) const {
        double busiest = 0.0;
        for (std::size_t i = 0; i < m_quickest.size(); ++i) {
            int held = 0;
            for (std::size_t v = i; v < grid.blocks.size(); v += m_quickest.size())
                held += grid.blocks[v];
            busiest = std::max(busiest, held * m_quickest[i]);
        }
        const std::int64_t microbatches = m_problem.recipe().gbs / (grid.mbs * grid.dp);
        return busiest * static_cast<double>(microbatches) * kRounding;
    }

    // Sets grid.least; false if it does not fit.
    bool price(UniformGrid& grid) const {
        const auto pp = static_cast<std::size_t>(grid.pp), chunks = static_cast<std::size_t>(grid.chunks);
        const std::int64_t microbatches = m_problem.recipe().gbs / (grid.mbs * grid.dp);
        const int zero = grid.zero >= 0 ? grid.zero : shardingOf(m_problem, grid.dp);
        std::vector<int> begin(grid.blocks.size() + 1, 0);
        std::partial_sum(grid.blocks.begin(), grid.blocks.end(), begin.begin() + 1);
        double step = 0.0, once = 0.0, before = 0.0, pipeline = 0.0;
        for (std::size_t stage = 0; stage < pp; ++stage) {
            std::vector<double> pass(chunks, 0.0); // there and back, on the slowest type
            for (const std::size_t t : m_stageTypes[stage]) {
                StageCost whole;
                std::vector<double> kept;
                for (std::size_t c = 0; c < chunks; ++c) {
                    const std::size_t v = c * pp + stage;
                    const StageCost cost = m_costs[t]->blocks(begin[v], begin[v + 1], grid.dp, zero);
                    pass[c] = std::max(pass[c], cost.total());
                    kept.push_back(cost.kept);
                    whole = c == 0 ? cost : sumOfStages(whole, cost);
                }
                step = std::max(step, whole.optimizer);
                if (memoryTotal(m_problem, whole, heldBy(grid, stage, kept, whole.kept, microbatches)) >
                    m_ranks.types()[t].capacity.value)
                    return false;
            }
            // Nothing starts before the first pass through the chunks in front, and what ended last still has
            // to pass them back: under 1F1B all of a stage, else its first chunk.
            const double all = std::reduce(pass.begin(), pass.end());
            pipeline = std::max(pipeline, before + all * static_cast<double>(microbatches));
            before += pass.front();
            once += all;
        }
        grid.least = (std::max(once, pipeline) + step) * kRounding; // sums in another order than evaluate()
        return true;
    }

private:
    static constexpr double kRounding = 1.0 - 1e-12;

    // Micro-batches of the stage in flight before its first backward pass, by what its chunks keep of one.
    static double heldBy(const UniformGrid& grid, std::size_t stage, const std::vector<double>& kept,
                         double whole, std::int64_t microbatches) {
        const std::int64_t pp = grid.pp, behind = pp - 1 - static_cast<std::int64_t>(stage);
        if (grid.chunks == 1)
            return static_cast<double>(std::min(microbatches, behind + 1));
        // Groups of pp micro-batches go through chunk after chunk.
        const std::int64_t passes =
            std::min(2 * behind + (grid.chunks - 1) * pp + 1, microbatches * grid.chunks);
        const std::int64_t round = pp * grid.chunks;
        double held = 0.0;
        for (std::size_t c = 0; c < kept.size(); ++c)
            held +=
                kept[c] * static_cast<double>(passes / round * pp +
                                              std::clamp(passes % round - static_cast<std::int64_t>(c) * pp,
                                                         std::int64_t{0}, pp));
        return whole > 0.0 ? held / whole * kRounding : 0.0;
    }

    const Problem& m_problem;
    const CostTable& m_table;
    RankOrder m_ranks;
    std::vector<const ConfigCosts*> m_costs;            // by type
    std::vector<std::vector<std::size_t>> m_stageTypes; // of each stage
    std::vector<double> m_quickest;                     // s, of a block on the slowest type of each stage
};

// Divisions of the pool into stages, replicas and tensor-parallel groups that stay inside their nodes.
std::vector<UniformGrid> shapes(const Problem& problem, const GpuPool& pool, const GridLimits& limits) {
    std::vector<UniformGrid> list;
    const int gpus = pool.gpus();
    const int stages = std::min(mostStages(problem), limits.mostStages);
    for (int tp = 1; tp <= std::min({gpus, problem.space().maxTp, limits.mostTp}); tp *= 2) {
        const bool inNodes = std::all_of(pool.nodes.begin(), pool.nodes.end(), [&](const auto& node) {
            return node.size() % static_cast<std::size_t>(tp) == 0;
        });
        if (!inNodes || !divides(problem.model(), tp))
            continue;
        for (int pp = limits.leastStages; pp <= std::min(gpus / tp, stages); ++pp)
            if (gpus % (pp * tp) == 0) {
                UniformGrid grid;
                grid.pp = pp;
                grid.tp = tp;
                grid.dp = gpus / (pp * tp);
                grid.zero = limits.zero;
                list.push_back(grid);
            }
    }
    return list;
}

} // namespace

std::vector<UniformGrid> uniformGrids(const Problem& problem, const CostTable& table, const GpuPool& pool,
                                      const GridLimits& limits, const GridCounter& counter, double below) {
    Pricer pricer(problem, table, pool);
    const std::vector<Recompute> modes = modesOf(problem, pricer.ranks());
    const auto blocks = static_cast<int>(problem.model().blocks);
    std::vector<UniformGrid> list;
    const auto add = [&](UniformGrid grid) {
        if (pricer.floorOf(grid) >= below) {
            counter.reject(Rejection::SlowerThanTheBest);
            return counter.spend(1);
        }
        if (pricer.price(grid))
            list.push_back(std::move(grid));
        else
            counter.reject(Rejection::OutOfMemory);
        return counter.spend(grid.pp);
    };
    for (const UniformGrid& shape : shapes(problem, pool, limits)) {
        const std::vector<std::int64_t> sizes = replicaBatches(problem.recipe(), shape.dp);
        pricer.shape(shape);
        const bool plain = problem.space().allows(ScheduleKind::OneFOneB, static_cast<std::size_t>(shape.pp));
        if (sizes.empty())
            counter.reject(Rejection::BatchNotDivisible);
        for (const std::int64_t mbs : sizes)
            for (const Recompute mode : modes) {
                UniformGrid grid = shape;
                grid.mbs = mbs;
                grid.recompute = mode;
                if (pricer.mixesVendors()) {
                    counter.reject(Rejection::ReplicasOfTwoVendors);
                    continue;
                }
                pricer.configure(grid);
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
    if (grid.chunks == 1)
        pipeline.schedule.launch = classicLaunches(grid.pp);
    auto next = ranks.begin();
    for (int i = 0; i < grid.pp; ++i) {
        Stage stage;
        for (int r = 0; r < grid.dp; ++r, next += grid.tp)
            stage.replicas.push_back({{next, next + grid.tp}, 1.0 / grid.dp});
        stage.tp = grid.tp;
        stage.sequenceParallel = usesSequenceParallel(problem, grid.tp);
        stage.zero = grid.zero >= 0 ? grid.zero : shardingOf(problem, grid.dp);
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

bool isUniformGrid(const Problem& problem, const Plan& plan) {
    if (plan.pipelines.size() != 1)
        return false;
    const Pipeline& pipeline = plan.pipelines.front();
    const Stage& first = pipeline.stages.front();
    UniformGrid grid;
    grid.pp = static_cast<int>(pipeline.stages.size());
    grid.tp = first.tp;
    grid.dp = first.dp();
    grid.recompute = first.recompute;
    grid.chunks = static_cast<int>(first.chunks.size());
    const Space& space = problem.space();
    if (grid.chunks > 1 ? !space.interleaved || grid.pp < 2 || pipeline.microbatches % grid.pp != 0
                        : !space.allows(ScheduleKind::OneFOneB, pipeline.stages.size()))
        return false;
    const std::vector<std::int64_t> sizes = replicaBatches(problem.recipe(), grid.dp);
    grid.mbs = pipeline.microbatchSize / grid.dp;
    if (pipeline.microbatchSize % grid.dp != 0 || std::ranges::find(sizes, grid.mbs) == sizes.end())
        return false;
    const auto blocks = static_cast<int>(problem.model().blocks);
    for (int chunk = 0; chunk < grid.chunks; ++chunk)
        for (const Stage& stage : pipeline.stages) {
            if (static_cast<int>(stage.chunks.size()) != grid.chunks)
                return false;
            const LayerRange& range = stage.chunks[static_cast<std::size_t>(chunk)];
            grid.blocks.push_back(std::min(range.last / 2, blocks) - range.first / 2);
        }
    const bool allowed = grid.chunks > 1 ? std::ranges::count(grid.blocks, grid.blocks.front()) ==
                                               static_cast<std::ptrdiff_t>(grid.blocks.size())
                                         : std::ranges::count(splits(blocks, grid.pp), grid.blocks) > 0;
    if (!allowed || std::reduce(grid.blocks.begin(), grid.blocks.end()) != blocks)
        return false;
    Plan own = plan; // launch counts may be left to the kind
    if (grid.chunks == 1 && pipeline.schedule.launch.empty())
        own.pipelines.front().schedule.launch = classicLaunches(grid.pp);
    return std::ranges::any_of(gpuPools(problem), [&](const GpuPool& pool) {
        const std::vector<UniformGrid> list = shapes(problem, pool, {});
        const RankOrder ranks(problem.topology(), pool.nodes);
        const std::vector<Recompute> modes = modesOf(problem, ranks);
        return std::ranges::find(modes, grid.recompute) != modes.end() &&
               std::ranges::any_of(list,
                                   [&](const UniformGrid& shape) {
                                       return shape.pp == grid.pp && shape.tp == grid.tp &&
                                              shape.dp == grid.dp;
                                   }) &&
               planOf(problem, pool, grid) == own;
    });
}

bool eachGridBelow(const Problem& problem, const CostTable& table, const std::function<double()>& below,
                   const std::function<void(Plan)>& visit, const GridCounter& counter) {
    for (const GpuPool& pool : gpuPools(problem)) {
        const std::vector<UniformGrid> grids = uniformGrids(problem, table, pool, {}, counter, below());
        if (counter.spend(0))
            return false;
        for (const UniformGrid& grid : grids) {
            if (grid.least >= below())
                break; // the least first
            visit(planOf(problem, pool, grid));
            if (counter.spend(0))
                return false;
        }
    }
    return true;
}

std::optional<double> leastOfGrids(const Problem& problem, const CostTable& table, double below,
                                   const std::function<bool()>& stop) {
    double least = below;
    const bool whole = !stop() && eachGridBelow(
                                      problem, table, [&] { return least; },
                                      [&](Plan plan) {
                                          const auto evaluation = evaluate(problem, table, plan,
                                                                           {.keepOps = false, .stop = &stop});
                                          if (evaluation && evaluation->feasible)
                                              least = std::min(least, evaluation->iteration.value);
                                      },
                                      {[&](std::int64_t) { return stop(); }, [](Rejection) {}});
    return whole ? std::optional(least) : std::nullopt;
}

} // namespace pw
