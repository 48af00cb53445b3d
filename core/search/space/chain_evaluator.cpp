// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/chain.h"

#include "core/problem/memory_span.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pw {

std::optional<ChainResult> ChainEvaluator::best(const Chain& chain, double cutoff, std::int64_t& simulated,
                                                const std::function<bool()>& stop) {
    const Problem& problem = m_space.problem();
    const int microbatches = m_space.microbatches();
    const std::size_t stages = chain.size();
    m_times.forward.clear();
    m_times.backward.clear();
    m_times.send.clear();
    m_inNode.clear();
    m_costs.clear();
    m_tails.clear();
    m_apart.reset();
    m_trials.clear();
    for (std::size_t i = 0; i < stages; ++i) {
        const ChainStage& stage = chain[stages - 1 - i];
        const StageCost cost = m_space.cost(stage);
        m_times.forward.push_back(cost.forward);
        m_times.backward.push_back(cost.backward);
        if (i + 1 < stages) {
            const ChainSpace::Send& send = m_space.send(stage, chain[stages - 2 - i]);
            m_times.send.push_back(send.time);
            m_inNode.push_back(send.inNode);
            if (!std::isfinite(send.time))
                m_apart = Rejection::NoWayBetweenStages;
        }
        StageTail tail;
        tail.inner = cost.innerSync;
        tail.sync = m_space.sync(stage, cost);
        tail.optimizer = stepTime(m_space.problem(), cost);
        m_tails.push_back(std::move(tail));
        m_costs.push_back(cost);
    }
    if (stages > 1) {
        const double tied = m_space.tied(chain.back(), chain.front());
        m_tails.front().tied = tied;
        m_tails.back().tied = tied;
        if (!std::isfinite(tied) && !m_apart)
            m_apart = Rejection::TiedEndsApart;
    }
    if (m_apart)
        return std::nullopt;
    if (launchCountBound(m_times, microbatches) >= cutoff)
        return std::nullopt;

    std::optional<ChainResult> best;
    int bestHeld = 0;
    std::vector<std::vector<int>> tried;
    m_most.clear();
    for (std::size_t i = 0; i < stages; ++i)
        m_most.push_back(
            mostHeld(problem, m_costs[i],
                     Bytes(m_space.capacity(
                         m_space.options()[static_cast<std::size_t>(chain[stages - 1 - i].option)])),
                     microbatches));
    for (const ScheduleChoice& choice : problem.space().schedules) {
        if (!choice.allows(stages))
            continue;
        const std::vector<int> launch =
            launchCounts(choice.kind, choice.rule, m_times, microbatches, m_inNode, m_most);
        std::vector<int> capped = launch;
        for (int& l : capped)
            l = std::min(l, microbatches);
        if (std::find(tried.begin(), tried.end(), capped) != tried.end())
            continue;
        tried.push_back(capped);
        bool fits = true;
        double fullest = 0.0, room = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < stages && fits; ++i) {
            const StageOption& option =
                m_space.options()[static_cast<std::size_t>(chain[stages - 1 - i].option)];
            const double needed = memoryTotal(problem, m_costs[i], capped[i]);
            fits = needed <= m_space.capacity(option);
            fullest = std::max(fullest, needed / m_space.capacity(option));
            room = std::min(room, roomRatio(Bytes(needed), m_space.memory(option)));
        }
        if (!fits)
            continue;
        simulated += static_cast<std::int64_t>(2 * stages) * microbatches;
        const Status ran = simulate(
            m_times, microbatches, launch,
            {.overlap = overlapsTransfers(problem.recipe().software), .keepOps = false, .stop = &stop},
            m_workspace, m_simulation);
        if (!ran && ran.error().kind == ErrorKind::Stopped)
            break;
        if (!ran)
            continue; // a launch list that cannot progress is no plan
        const double iteration = m_space.syncsApart() ? iterationEndAlone(m_simulation.lastEnd, m_tails)
                                                      : iterationEnd(m_simulation.lastEnd, m_tails);
        // Of schedules that take as long the one that holds the fewest micro-batches.
        const int held = std::accumulate(capped.begin(), capped.end(), 0);
        if (!best || takesLess(iteration, best->iteration) ||
            (!takesLess(best->iteration, iteration) && held < bestHeld)) {
            best = ChainResult{iteration, choice, launch};
            bestHeld = held;
        }
        m_trials.push_back({{iteration, choice, launch}, fullest, room});
    }
    if (best && best->iteration >= cutoff)
        return std::nullopt;
    return best;
}

} // namespace pw
