// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/launch_order.h"

#include <algorithm>

namespace pw {

namespace {

class LaunchOrderBuilder {
public:
    LaunchOrderBuilder(const Problem& problem, RankNesting nesting) : m_problem(problem) {
        m_order.nesting = nesting;
    }

    void add(std::size_t stage, const Replica& replica) {
        for (const DeviceIndex index : replica.devices) {
            const Device& device = m_problem.topology().devices()[static_cast<std::size_t>(index)];
            std::vector<RankNode>& nodes = m_order.nodes;
            if (nodes.empty() || nodes.back().node != device.node) {
                const bool seen = std::any_of(nodes.begin(), nodes.end(),
                                              [&](const RankNode& n) { return n.node == device.node; });
                if (seen)
                    m_order.faults.push_back({stage, device.node, nodes.back().node});
                nodes.push_back({device.node, {}});
            }
            nodes.back().gpus.push_back(device.slot);
        }
    }
    LaunchOrder take() { return std::move(m_order); }

private:
    const Problem& m_problem;
    LaunchOrder m_order;
};

} // namespace

int LaunchOrder::world() const {
    std::size_t ranks = 0;
    for (const RankNode& n : nodes)
        ranks += n.gpus.size();
    return static_cast<int>(ranks);
}

LaunchOrder launchOrder(const Problem& problem, const Pipeline& pipeline, RankNesting nesting) {
    LaunchOrderBuilder builder(problem, nesting);
    if (nesting == RankNesting::StagesOutside) {
        for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
            for (const Replica& replica : pipeline.stages[i].replicas)
                builder.add(i, replica);
        return builder.take();
    }
    std::size_t most = 0;
    for (const Stage& stage : pipeline.stages)
        most = std::max(most, stage.replicas.size());
    for (std::size_t r = 0; r < most; ++r)
        for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
            if (r < pipeline.stages[i].replicas.size())
                builder.add(i, pipeline.stages[i].replicas[r]);
    return builder.take();
}

LaunchOrder bestLaunchOrder(const Problem& problem, const Pipeline& pipeline) {
    LaunchOrder order = launchOrder(problem, pipeline, RankNesting::StagesOutside);
    if (order.faults.empty())
        return order;
    LaunchOrder other = launchOrder(problem, pipeline, RankNesting::ReplicasOutside);
    return other.faults.empty() ? other : order;
}

} // namespace pw
