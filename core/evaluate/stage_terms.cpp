// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/evaluate/stage_terms.h"

#include "core/cost/roofline.h"

#include <algorithm>

namespace pw {

std::vector<double> syncEnds(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails) {
    std::vector<const Traffic*> traffic;
    for (const StageTail& tail : tails)
        traffic.push_back(&tail.sync);
    return finishTogether(lastEnd, traffic);
}

double iterationEnd(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails) {
    const std::vector<double> synced = syncEnds(lastEnd, tails);
    double reduced = 0.0, optimizer = 0.0;
    for (std::size_t i = 0; i < lastEnd.size(); ++i) {
        reduced = std::max(reduced, synced[i] + tails[i].tied);
        optimizer = std::max(optimizer, tails[i].optimizer);
    }
    return reduced + optimizer;
}

Traffic syncTraffic(const Topology& topology, const std::vector<std::vector<DeviceIndex>>& replicas, int zero,
                    const StageCost& cost) {
    if (replicas.size() < 2)
        return {};
    std::vector<std::vector<DeviceIndex>> groups(replicas.front().size());
    for (const auto& replica : replicas)
        for (std::size_t rank = 0; rank < groups.size(); ++rank)
            groups[rank].push_back(replica[rank]);
    if (zero == 0)
        return collectiveTraffic(topology, groups, Collective::AllReduce, Bytes(cost.syncGradients));
    Traffic both = collectiveTraffic(topology, groups, Collective::ReduceScatter, Bytes(cost.syncGradients));
    both.append(collectiveTraffic(topology, groups, Collective::AllGather, Bytes(cost.syncWeights)));
    return both;
}

double tiedTime(const Problem& problem, const std::vector<std::vector<DeviceIndex>>& first,
                const std::vector<std::vector<DeviceIndex>>& last) {
    if (!problem.model().tied)
        return 0.0;
    // After the data-parallel sums one replica of each end exchanges its slices, both ways at once.
    const std::vector<DeviceIndex>& a = first.front();
    const std::vector<DeviceIndex>& b = last.front();
    const Model& m = problem.model();
    const double width = static_cast<double>(m.embedProjection > 0 ? m.embedProjection : m.hidden);
    const Bytes matrix(static_cast<double>(m.vocab) * width * 4.0);
    const RankGroup from{a, 1.0}, to{b, 1.0};
    return boundaryTransfer(problem.topology(), {&from, 1}, {&to, 1}, matrix, false).time.value;
}

MemoryParts memoryParts(const Problem& problem, const StageCost& cost, double held) {
    MemoryParts parts;
    parts.reserve = problem.recipe().reserve;
    parts.weights = Bytes(cost.weights);
    parts.gradients = Bytes(cost.gradients);
    parts.optimizer = Bytes(cost.optimizerStates);
    parts.communication = Bytes(cost.communication);
    parts.transient = Bytes(cost.transient);
    parts.activations = Bytes(cost.kept * held);
    return parts;
}

double memoryTotal(const Problem& problem, const StageCost& cost, double held) {
    return memoryParts(problem, cost, held).total().value;
}

} // namespace pw
