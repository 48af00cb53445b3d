// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/plain_pipelines.h"

#include <cmath>
#include <set>

namespace pw {

std::vector<PlainPipeline> plainPipelines(const Plan& plan) {
    std::vector<PlainPipeline> list;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        const Stage& first = pipeline.stages.front();
        for (std::size_t r = 0; r < first.replicas.size(); ++r)
            for (int c = 0; c < first.cp; ++c) {
                PlainPipeline plain;
                plain.source = p;
                plain.microbatches = pipeline.microbatches;
                plain.microbatchSize =
                    std::llround(first.replicas[r].share * static_cast<double>(pipeline.microbatchSize));
                for (const Stage& stage : pipeline.stages) {
                    const auto begin = stage.replicas[r].devices.begin() + c * stage.tp;
                    plain.stages.push_back({&stage, {begin, begin + stage.tp}});
                }
                list.push_back(std::move(plain));
            }
    }
    return list;
}

LaunchOrder usedNodes(const Problem& problem, const Plan& plan) {
    std::set<DeviceIndex> used; // numbers rise node by node
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                used.insert(replica.devices.begin(), replica.devices.end());
    LaunchOrder order;
    for (const DeviceIndex d : used) {
        const Device& device = problem.topology().devices()[static_cast<std::size_t>(d)];
        if (order.nodes.empty() || order.nodes.back().node != device.node)
            order.nodes.push_back({device.node, {}});
        order.nodes.back().gpus.push_back(device.slot);
    }
    return order;
}

std::map<DeviceIndex, int> ranksOf(const Problem& problem, const LaunchOrder& order) {
    std::map<DeviceIndex, int> ranks;
    for (const RankNode& node : order.nodes)
        for (const int slot : node.gpus) {
            const auto rank = static_cast<int>(ranks.size());
            ranks[problem.topology().firstOfNode(node.node) + slot] = rank;
        }
    return ranks;
}

} // namespace pw
