// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/grid_pools.h"

#include "core/search/space/rank_order.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pw {

int GpuPool::gpus() const {
    int count = 0;
    for (const auto& node : nodes)
        count += static_cast<int>(node.size());
    return count;
}

namespace {

// 1, 2, 4, ... and all of the nodes that hang on one switch. Of switches with alike nodes the first stands
// for the others.
std::vector<GpuPool> poolsOfFewNodes(const Topology& topology,
                                     const std::vector<std::vector<DeviceIndex>>& nodes) {
    std::map<int, std::vector<std::vector<DeviceIndex>>> byClass;
    const auto nodeOf = [&](const std::vector<DeviceIndex>& gpus) {
        return topology.devices()[static_cast<std::size_t>(gpus.front())].node;
    };
    for (const std::vector<DeviceIndex>& gpus : nodes)
        byClass[topology.classOfNode(nodeOf(gpus))].push_back(gpus);
    std::vector<GpuPool> pools;
    std::set<std::tuple<int, std::size_t, double, std::size_t>> seen; // kind, GPUs, way out, nodes
    for (const auto& [cls, list] : byClass)
        for (std::size_t count = 1; count <= list.size();
             count = count < list.size() ? std::min(2 * count, list.size()) : count + 1) {
            const Device& device = topology.devices()[static_cast<std::size_t>(list.front().front())];
            const double out = topology.uplink(device.node).value;
            if (!seen.emplace(device.kind, list.front().size(), out, count).second)
                continue;
            GpuPool pool;
            pool.name =
                fmt::format("{} of {}", count, topology.classes()[static_cast<std::size_t>(cls)].name);
            pool.nodes.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
            pools.push_back(std::move(pool));
        }
    return pools;
}

} // namespace

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
    const std::vector<GpuPool> few = poolsOfFewNodes(topology, nodes);
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
    for (const GpuPool& pool : few)
        if (std::ranges::none_of(pools, [&](const GpuPool& other) { return other.nodes == pool.nodes; }))
            pools.push_back(pool);
    return pools;
}

} // namespace pw
