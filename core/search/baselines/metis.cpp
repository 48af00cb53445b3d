// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/metis.h"

#include "core/search/baselines/device_groups.h"
#include "core/search/baselines/metis_balance.h"
#include "core/search/run.h"
#include "core/search/space/least_memory.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pw {
namespace {

constexpr std::size_t kJudged = 16;
constexpr std::size_t kMostOrders = 24; // of device kinds: all of up to four

struct Candidate {
    double cost = 0.0; // s
    std::size_t order = 0;
    std::int64_t microbatchSize = 1;
    std::vector<MetisStage> stages;
    std::vector<int> ends; // blocks
};

std::vector<std::vector<std::vector<DeviceIndex>>> ordersOfKinds(const Problem& problem) {
    std::map<int, std::vector<std::vector<DeviceIndex>>> byKind;
    for (auto& node : allowedNodes(problem))
        byKind[problem.topology().devices()[static_cast<std::size_t>(node.front())].kind].push_back(
            std::move(node));
    std::vector<int> kinds;
    for (const auto& [kind, nodes] : byKind)
        kinds.push_back(kind);
    std::vector<std::vector<std::vector<DeviceIndex>>> orders;
    do {
        std::vector<std::vector<DeviceIndex>> order;
        for (const int kind : kinds)
            order.insert(order.end(), byKind[kind].begin(), byKind[kind].end());
        orders.push_back(std::move(order));
    } while (orders.size() < kMostOrders && std::next_permutation(kinds.begin(), kinds.end()));
    return orders;
}

class Metis {
public:
    explicit Metis(SearchRun& run) : m_run(run), m_problem(run.problem()) {}

    void plan() {
        const auto phase = m_run.phase("groups");
        for (const auto& nodes : ordersOfKinds(m_problem))
            m_orders.emplace_back(m_problem.topology(), nodes);
        std::vector<Recompute> modes = m_problem.recipe().recompute;
        if (modes.empty())
            modes = {Recompute::None, Recompute::Full};
        for (std::size_t n = 0; n < modes.size(); ++n) {
            const Recompute mode = modes[n];
            // So that a mode in which nothing fits leaves work for the next.
            const auto share = m_run.workLimit() / static_cast<std::int64_t>(modes.size()) *
                               static_cast<std::int64_t>(n + 1);
            search(mode, share);
            for (const Candidate& candidate : m_best)
                if (!m_run.over())
                    m_run.consider(planOf(candidate, mode));
            if (m_run.over() || m_run.best() < std::numeric_limits<double>::infinity())
                return;
            m_best.clear();
        }
    }

private:
    void search(Recompute mode, std::int64_t limit) {
        const int stagesAtMost = mostStages(m_problem);
        for (std::size_t order = 0; order < m_orders.size(); ++order) {
            const int gpus = m_orders[order].size();
            const int most = std::min(gpus, stagesAtMost);
            for (const std::int64_t size : ChainSpace::microbatchSizes(m_problem)) {
                MetisStages stages(m_problem, m_run.table(), m_orders[order], size, mode);
                for (int count = 1; count <= most; ++count)
                    for (const std::vector<int>& groups : deviceGroups(gpus, count)) {
                        strategies(stages, order, size, groups);
                        if (m_run.over() || (m_best.empty() && m_run.work() >= limit))
                            return;
                    }
            }
        }
    }

    // The ways to divide the groups into replicas, one after the other.
    void strategies(MetisStages& priced, std::size_t order, std::int64_t size,
                    const std::vector<int>& groups) {
        const int maxTp = m_problem.space().maxTp;
        std::vector<const MetisStage*> stages;
        int first = 0;
        for (const int group : groups) {
            const MetisStage* stage = nullptr;
            for (int tp = 1; stage == nullptr && tp <= std::min(maxTp, group); tp *= 2)
                stage = priced.stage(first, group, tp);
            if (stage == nullptr) {
                m_run.reject(Rejection::BatchNotDivisible);
                m_run.spend(1);
                return;
            }
            stages.push_back(stage);
            first += group;
        }
        const auto microbatches = static_cast<int>(m_problem.recipe().gbs / size);
        while (true) {
            if (m_run.spend(static_cast<std::int64_t>(stages.size()),
                            8 * static_cast<std::int64_t>(stages.size())))
                return;
            const LayerSplit split = balanceLayers(m_problem, stages, microbatches);
            if (split.full)
                m_run.reject(Rejection::OutOfMemory);
            else
                keep(priced, stages, split.end, order, size, microbatches);
            // The next strategy.
            std::size_t change = stages.size();
            const MetisStage* next = nullptr;
            const auto doubled = [&](std::size_t i) {
                const int group = stages[i]->dp * stages[i]->tp;
                return stages[i]->tp * 2 <= std::min(maxTp, group)
                           ? priced.stage(stages[i]->first, group, stages[i]->tp * 2)
                           : nullptr;
            };
            if (split.full) {
                change = *split.full;
                next = doubled(change);
            } else
                for (std::size_t i = 0; i < stages.size(); ++i)
                    if (next == nullptr || stages[i]->dp > stages[change]->dp)
                        if (const MetisStage* other = doubled(i)) {
                            change = i;
                            next = other;
                        }
            if (next == nullptr)
                return;
            stages[change] = next;
        }
    }

    void keep(MetisStages& priced, const std::vector<const MetisStage*>& stages, const std::vector<int>& ends,
              std::size_t order, std::int64_t size, int microbatches) {
        double sum = 0.0, slowest = 0.0, step = 0.0, sync = 0.0;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            const int first = i == 0 ? 0 : ends[i - 1];
            const double time = stages[i]->time(first, ends[i]);
            sum += time;
            slowest = std::max(slowest, time);
            for (const MetisStage::Part& part : stages[i]->parts) {
                const StageCost cost = part.costs->blocks(first, ends[i], stages[i]->dp, stages[i]->zero);
                step = std::max(step, cost.optimizer);
                sync = std::max(sync, cost.syncGradients * stages[i]->syncPerByte);
            }
            if (i > 0)
                sum += priced.send(*stages[i - 1], *stages[i]);
        }
        const double cost = sum + (microbatches - 1) * slowest + step + sync;
        const auto at = std::upper_bound(m_best.begin(), m_best.end(), cost,
                                         [](double c, const Candidate& k) { return c < k.cost; });
        if (m_best.size() == kJudged && at == m_best.end()) {
            m_run.reject(Rejection::SlowerThanTheBest);
            return;
        }
        Candidate candidate{cost, order, size, {}, ends};
        for (const MetisStage* stage : stages)
            candidate.stages.push_back(*stage);
        m_best.insert(at, std::move(candidate));
        if (m_best.size() > kJudged)
            m_best.pop_back();
    }

    Plan planOf(const Candidate& candidate, Recompute mode) const {
        const auto blocks = static_cast<int>(m_problem.model().blocks);
        Pipeline pipeline;
        pipeline.microbatchSize = candidate.microbatchSize;
        pipeline.microbatches = m_problem.recipe().gbs / candidate.microbatchSize;
        pipeline.schedule.kind = ScheduleKind::OneFOneB;
        for (std::size_t i = 0; i < candidate.stages.size(); ++i) {
            const MetisStage& from = candidate.stages[i];
            Stage stage;
            stage.chunks = {layersOfBlocks(i == 0 ? 0 : candidate.ends[i - 1], candidate.ends[i], blocks)};
            for (int r = 0; r < from.dp; ++r)
                stage.replicas.push_back(
                    {m_orders[candidate.order].devices(from.first + r * from.tp, from.tp),
                     static_cast<double>(from.sequences[static_cast<std::size_t>(r)]) /
                         static_cast<double>(candidate.microbatchSize)});
            stage.tp = from.tp;
            stage.sequenceParallel = usesSequenceParallel(m_problem, from.tp);
            stage.zero = from.zero;
            stage.recompute = mode;
            pipeline.stages.push_back(std::move(stage));
        }
        return Plan{{std::move(pipeline)}};
    }

    SearchRun& m_run;
    const Problem& m_problem;
    std::vector<RankOrder> m_orders;
    std::vector<Candidate> m_best; // cheapest first
};

} // namespace

std::int64_t metisWork(const Problem&) {
    return 2'000'000;
}

SearchOutcome runMetis(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop) {
    SearchRun run(problem, options, metisWork(problem), observer, stop);
    if (!problem.space().allows(ScheduleKind::OneFOneB))
        run.reject(Rejection::ScheduleNotAllowed);
    else if (!statesThatCannotFit(problem)) {
        run.proveBound();
        Metis(run).plan();
        run.proveBound();
    }
    return run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
}

} // namespace pw
