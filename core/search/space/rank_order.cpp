// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/rank_order.h"

#include <algorithm>
#include <set>

namespace pw {

RankOrder::RankOrder(const Topology& topology, const std::vector<std::vector<DeviceIndex>>& nodes) {
    for (const std::vector<DeviceIndex>& node : nodes) {
        DeviceType type;
        placeOn(type.place, topology, node.front());
        type.capacity = topology.devices()[static_cast<std::size_t>(node.front())].capacity;
        type.vendor = topology.kindOf(node.front()).vendor;
        auto at = std::find_if(m_types.begin(), m_types.end(), [&](const DeviceType& t) {
            return t.place == type.place && t.capacity == type.capacity && t.vendor == type.vendor;
        });
        if (at == m_types.end())
            at = m_types.insert(m_types.end(), type);
        m_typeOfNode.push_back(static_cast<std::size_t>(at - m_types.begin()));
        m_devices.insert(m_devices.end(), node.begin(), node.end());
        m_end.push_back(size());
    }
}

std::size_t RankOrder::nodeOf(int rank) const {
    return static_cast<std::size_t>(std::upper_bound(m_end.begin(), m_end.end(), rank) - m_end.begin());
}

std::vector<std::size_t> RankOrder::typesOf(int first, int count) const {
    std::set<std::size_t> found;
    for (std::size_t node = nodeOf(first);
         node < m_end.size() && (node == 0 || m_end[node - 1] < first + count); ++node)
        found.insert(m_typeOfNode[node]);
    return {found.begin(), found.end()};
}

bool RankOrder::mixesVendors(const std::vector<std::size_t>& types) const {
    return std::any_of(types.begin(), types.end(),
                       [&](std::size_t t) { return m_types[t].vendor != m_types[types.front()].vendor; });
}

bool RankOrder::staysInNodes(int first, int count, int tp) const {
    for (int rank = first; rank < first + count; rank += tp)
        if (nodeOf(rank) != nodeOf(rank + tp - 1))
            return false;
    return true;
}

std::vector<DeviceIndex> RankOrder::devices(int first, int count) const {
    return {m_devices.begin() + first, m_devices.begin() + first + count};
}

std::vector<std::vector<DeviceIndex>> allowedNodes(const Problem& problem) {
    const Topology& topology = problem.topology();
    std::vector<std::vector<DeviceIndex>> nodes;
    for (const Domain& domain : topology.domains()) {
        std::vector<DeviceIndex> gpus;
        for (const int node : domain.nodes)
            for (int g = 0; g < topology.cluster().nodes[static_cast<std::size_t>(node)].gpus; ++g)
                if (const DeviceIndex d = topology.firstOfNode(node) + g;
                    problem.allowed()[static_cast<std::size_t>(d)])
                    gpus.push_back(d);
        if (!gpus.empty())
            nodes.push_back(std::move(gpus));
    }
    return nodes;
}

} // namespace pw
