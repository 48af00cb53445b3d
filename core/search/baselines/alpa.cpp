// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/alpa.h"

#include "core/base/quantity.h"
#include "core/search/baselines/alpa_programme.h"
#include "core/search/run.h"
#include "core/search/space/least_memory.h"
#include "core/search/space/rank_order.h"

#include <algorithm>
#include <numeric>

namespace pw {
namespace {

// GPUs that the programme takes for equal, on hosts of equal size.
struct Pool {
    RankOrder ranks;
    int host = 1; // GPUs
};

std::vector<Pool> pools(const Problem& problem) {
    const Topology& topology = problem.topology();
    std::vector<Pool> list;
    const std::vector<ChainClass> classes = ChainSpace::classes(problem);
    for (const ChainClass& cls : classes)
        list.push_back({RankOrder(topology, cls.nodes), cls.gpusPerNode});
    if (classes.size() > 1) {
        const auto nodes = allowedNodes(problem);
        int host = 0;
        for (const auto& node : nodes)
            host = std::gcd(host, static_cast<int>(node.size()));
        list.push_back({RankOrder(topology, nodes), host});
    }
    return list;
}

// How a stage uses its submesh.
struct Form {
    int tp = 1;
    Recompute recompute = Recompute::None;
    std::vector<const ConfigCosts*> costs; // per type of the pool
};

class Alpa {
public:
    explicit Alpa(SearchRun& run) : m_run(run), m_problem(run.problem()) {}

    void plan() {
        const auto phase = m_run.phase("programme");
        for (const Pool& pool : pools(m_problem)) {
            double best = kNever; // of this pool, by the programme's own objective
            for (const std::int64_t size : ChainSpace::microbatchSizes(m_problem)) {
                if (m_run.over())
                    return;
                solve(pool, size, best);
            }
        }
    }

private:
    // Sizes in units of the smallest.
    std::vector<int> submeshes(const Pool& pool, int& unit) const {
        constexpr int kMostUnits = 64;
        const int gpus = pool.ranks.size();
        std::vector<int> sizes;
        for (int size = 1; size < pool.host; size *= 2)
            sizes.push_back(size);
        const bool large = gpus > kMostUnits;
        for (int hosts = 1; hosts * pool.host <= gpus; hosts = large ? 2 * hosts : hosts + 1)
            sizes.push_back(hosts * pool.host);
        std::erase_if(sizes, [&](int size) { return size * kMostUnits < gpus; });
        unit = gpus;
        for (const int size : sizes)
            unit = std::gcd(unit, size);
        return sizes;
    }

    std::vector<Form> forms(const Pool& pool, int size, std::int64_t microbatch) const {
        std::vector<Form> list;
        std::vector<Recompute> modes;
        for (const DeviceType& type : pool.ranks.types())
            for (const Recompute mode : recomputeModes(
                     m_problem, m_problem.topology().kinds()[static_cast<std::size_t>(type.place.kind)]))
                if (std::find(modes.begin(), modes.end(), mode) == modes.end())
                    modes.push_back(mode);
        const std::vector<std::int64_t>& allowed = m_problem.recipe().mbs;
        for (int tp = 1; tp <= std::min({size, pool.host, m_problem.space().maxTp}); tp *= 2) {
            const int dp = size / tp;
            if (size % tp != 0 || pool.host % std::min(tp, pool.host) != 0 || microbatch % dp != 0 ||
                !divides(m_problem.model(), tp) ||
                (!allowed.empty() &&
                 std::find(allowed.begin(), allowed.end(), microbatch / dp) == allowed.end()))
                continue;
            for (const Recompute mode : modes) {
                Form form{tp, mode, {}};
                for (const DeviceType& type : pool.ranks.types()) {
                    CostConfig config = type.place;
                    config.tp = tp;
                    config.mbs = static_cast<int>(microbatch / dp);
                    config.recompute = mode;
                    config.sequenceParallel = usesSequenceParallel(m_problem, tp);
                    form.costs.push_back(&m_run.table().costs(config));
                }
                list.push_back(std::move(form));
            }
        }
        return list;
    }

    void solve(const Pool& pool, std::int64_t microbatch, double& best) {
        int unit = 1;
        const std::vector<int> sizes = submeshes(pool, unit);
        AlpaInput input;
        input.layers = static_cast<int>(m_problem.model().blocks);
        input.devices = pool.ranks.size() / unit;
        input.stages = std::min(mostStages(m_problem), input.devices);
        input.microbatches = m_problem.recipe().gbs / microbatch;
        for (const int size : sizes)
            input.submeshes.push_back(size / unit);
        input.resize();
        std::vector<std::vector<Form>> formsOf;
        std::vector<std::uint16_t> chosen(input.times.size());
        for (std::size_t m = 0; m < sizes.size(); ++m) {
            formsOf.push_back(forms(pool, sizes[m], microbatch));
            for (std::size_t f = 0; f < formsOf[m].size(); ++f)
                if (!price(pool, formsOf[m][f], sizes[m], m, f, input, chosen))
                    return;
        }
        constexpr std::int64_t kStepsACandidate = 16;
        const std::function<bool(std::int64_t)> spend = [&](std::int64_t steps) {
            return m_run.spend(steps / kStepsACandidate + 1);
        };
        const std::optional<AlpaPlan> found = alpaProgramme(input, best, spend);
        if (!found) {
            m_run.reject(best < kNever ? Rejection::SlowerThanTheBest : Rejection::OutOfMemory);
            return;
        }
        best = found->total;
        const Plan plan = planOf(pool, microbatch, input, *found, sizes, formsOf, chosen);
        if (plan.pipelines.empty())
            m_run.reject(Rejection::TensorParallelAcrossNodes);
        else
            m_run.consider(plan);
    }

    // Enters the times of a form wherever it is the fastest that fits. False if the search is over.
    bool price(const Pool& pool, const Form& form, int size, std::size_t submesh, std::size_t index,
               AlpaInput& input, std::vector<std::uint16_t>& chosen) {
        const int dp = size / form.tp, zero = shardingOf(m_problem, dp);
        for (int first = 0; first < input.layers; ++first) {
            for (int end = first + 1; end <= input.layers; ++end) {
                double time = 0.0, held = kNever; // micro-batches that fit
                for (std::size_t t = 0; t < form.costs.size(); ++t) {
                    const StageCost cost = form.costs[t]->blocks(first, end, dp, zero);
                    time = std::max(time, cost.total());
                    const double room =
                        pool.ranks.types()[t].capacity.value - memoryTotal(m_problem, cost, 0.0);
                    held = std::min(held, room / cost.kept);
                }
                for (int s = 1; s <= input.stages; ++s) {
                    if (static_cast<double>(std::min<std::int64_t>(s, input.microbatches)) > held)
                        break;
                    const std::size_t at = input.at(first, end, submesh, s);
                    if (time < input.times[at]) {
                        input.times[at] = time;
                        chosen[at] = static_cast<std::uint16_t>(index);
                    }
                }
            }
            if (m_run.spend(input.layers - first))
                return false;
        }
        return true;
    }

    // No pipeline if hosts of an odd size leave a tensor-parallel group on two of them.
    Plan planOf(const Pool& pool, std::int64_t microbatch, const AlpaInput& input, const AlpaPlan& found,
                const std::vector<int>& sizes, const std::vector<std::vector<Form>>& formsOf,
                const std::vector<std::uint16_t>& chosen) const {
        // Largest submeshes first, so that each starts at a multiple of its size or of a host.
        std::vector<std::size_t> order(found.stages.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return sizes[found.stages[a].submesh] > sizes[found.stages[b].submesh];
        });
        std::vector<int> start(found.stages.size());
        int next = 0;
        for (const std::size_t i : order) {
            start[i] = next;
            next += sizes[found.stages[i].submesh];
        }
        Pipeline pipeline;
        pipeline.microbatchSize = microbatch;
        pipeline.microbatches = input.microbatches;
        pipeline.schedule.kind = ScheduleKind::OneFOneB;
        for (std::size_t i = 0; i < found.stages.size(); ++i) {
            const AlpaPlan::Stage& from = found.stages[i];
            const int fromEnd = static_cast<int>(found.stages.size() - i);
            const Form& form =
                formsOf[from.submesh][chosen[input.at(from.first, from.end, from.submesh, fromEnd)]];
            const int dp = sizes[from.submesh] / form.tp;
            if (!pool.ranks.staysInNodes(start[i], dp * form.tp, form.tp))
                return {};
            Stage stage;
            stage.chunks = {layersOfBlocks(from.first, from.end, input.layers)};
            for (int r = 0; r < dp; ++r)
                stage.replicas.push_back({pool.ranks.devices(start[i] + r * form.tp, form.tp), 1.0 / dp});
            stage.tp = form.tp;
            stage.sequenceParallel = usesSequenceParallel(m_problem, form.tp);
            stage.zero = shardingOf(m_problem, dp);
            stage.recompute = form.recompute;
            pipeline.stages.push_back(std::move(stage));
        }
        return Plan{{std::move(pipeline)}};
    }

    SearchRun& m_run;
    const Problem& m_problem;
};

} // namespace

std::int64_t alpaWork(const Problem&) {
    return 40'000'000;
}

SearchOutcome runAlpa(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop) {
    SearchRun run(problem, options, alpaWork(problem), observer, stop);
    if (!problem.space().allows(ScheduleKind::OneFOneB))
        run.reject(Rejection::ScheduleNotAllowed);
    else if (!statesThatCannotFit(problem)) {
        run.proveBound();
        Alpa(run).plan();
        run.proveBound();
    }
    return run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
}

} // namespace pw
