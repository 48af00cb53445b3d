// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes that stages may be made of alike: the classes of a chain.

#include "core/search/space/chain.h"

#include "core/comm/comm.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace pw {

bool ChainClass::inOneRack(int first, int count) const {
    int behind = 0;
    for (const int nodesHere : racks) {
        behind += nodesHere;
        if (first < behind)
            return first + count <= behind;
    }
    return false;
}

namespace {

int nodeOf(const Topology& topology, const ChainClass& cls) {
    return topology.devices()[static_cast<std::size_t>(cls.nodes.front().front())].node;
}

// The nodes' own cables, wherever they lead.
using Cables = std::vector<std::tuple<double, double, double>>; // bytes/s, s, bytes/s of one flow
Cables cablesOf(const Topology& topology, int node) {
    Cables cables;
    for (const int link : topology.cables(node)) {
        const Link& l = topology.cluster().links[static_cast<std::size_t>(link)];
        cables.emplace_back(l.usable().value, l.latency.value, l.flowBandwidth.value);
    }
    std::sort(cables.begin(), cables.end());
    return cables;
}

// Whether a flow between nodes of these feels no more than it does on one switch.
bool feelAlike(const Topology& topology, const ChainClass& a, const ChainClass& b) {
    constexpr double kFar = 5e-5; // s, of a round through further switches
    const int x = nodeOf(topology, a), y = nodeOf(topology, b);
    const Domain &one = topology.domainOfNode(x), &two = topology.domainOfNode(y);
    if (a.kind != b.kind || a.gpusPerNode != b.gpusPerNode || a.speed != b.speed ||
        a.capacity != b.capacity || a.shared || b.shared || one.nodes.size() != two.nodes.size() ||
        one.bandwidth != two.bandwidth || one.latency != two.latency)
        return false;
    const Cables cables = cablesOf(topology, x);
    if (cables.empty() || cables != cablesOf(topology, y))
        return false;
    double rate = 0.0, longest = 0.0;
    for (const auto& [usable, latency, flow] : cables) {
        rate += usable;
        longest = std::max(longest, latency);
    }
    const Path path = topology.path(x, y);
    return path.reachable && path.hops > 1 && asWide(path.bandwidth.value, rate) &&
           path.latency.value - 2.0 * longest <= kFar;
}

std::vector<ChainClass> joined(const Problem& problem, std::vector<ChainClass> pieces) {
    if (problem.recipe().software.shardRanks != 0)
        return pieces; // priced by their places, one by one
    std::vector<std::vector<ChainClass>> alike;
    for (ChainClass& piece : pieces) {
        const auto with = std::find_if(alike.begin(), alike.end(), [&](const std::vector<ChainClass>& list) {
            return feelAlike(problem.topology(), list.front(), piece);
        });
        (with == alike.end() ? alike.emplace_back() : *with).push_back(std::move(piece));
    }
    std::vector<ChainClass> list;
    for (std::vector<ChainClass>& racks : alike) {
        std::stable_sort(racks.begin(), racks.end(), [](const ChainClass& a, const ChainClass& b) {
            return a.nodes.size() > b.nodes.size();
        });
        ChainClass whole = racks.front();
        for (std::size_t r = 1; r < racks.size(); ++r) {
            whole.racks.push_back(racks[r].racks.front());
            whole.nodes.insert(whole.nodes.end(), racks[r].nodes.begin(), racks[r].nodes.end());
        }
        list.push_back(std::move(whole));
    }
    return list;
}

// Of an NVLink domain, the GPUs that stages may share out as if they stood alone: all of them, or where the
// batch has no use for the odd part of their number (nine of 72), the largest power of two and the rest, as
// people leave two of 18 trays for other jobs. Nodes stay whole.
std::vector<std::vector<DeviceIndex>> divided(const Problem& problem, std::vector<DeviceIndex> gpus) {
    if (gpus.empty())
        return {};
    const auto n = static_cast<std::int64_t>(gpus.size());
    const auto even = static_cast<std::int64_t>(std::bit_floor(gpus.size()));
    const std::int64_t odd = n / (std::int64_t{1} << std::countr_zero(gpus.size()));
    const auto node = [&](std::int64_t at) {
        return problem.topology()
            .devices()[static_cast<std::size_t>(gpus[static_cast<std::size_t>(at)])]
            .node;
    };
    const bool several = node(0) != node(n - 1);
    if (!several || odd == 1 || problem.recipe().gbs % odd == 0 || node(even - 1) == node(even))
        return {std::move(gpus)};
    return {{gpus.begin(), gpus.begin() + even}, {gpus.begin() + even, gpus.end()}};
}

} // namespace

std::vector<ChainClass> ChainSpace::classes(const Problem& problem) {
    const Topology& topology = problem.topology();
    std::vector<ChainClass> list;
    for (const DomainClass& domainClass : topology.domainClasses()) {
        std::map<int, ChainClass> byCount; // an exclusion splits a class
        bool shared = domainClass.shared;
        for (const std::vector<int>& member : domainClass.members) {
            std::vector<DeviceIndex> allowed;
            for (const int node : member)
                for (int g = 0; g < topology.cluster().nodes[static_cast<std::size_t>(node)].gpus; ++g) {
                    const DeviceIndex d = topology.firstOfNode(node) + g;
                    if (problem.allowed()[static_cast<std::size_t>(d)])
                        allowed.push_back(d);
                }
            const std::vector<std::vector<DeviceIndex>> parts = divided(problem, std::move(allowed));
            shared = shared || parts.size() > 1;
            for (const std::vector<DeviceIndex>& part : parts) {
                const Device& device = topology.devices()[static_cast<std::size_t>(part.front())];
                ChainClass& entry = byCount[-static_cast<int>(part.size())];
                entry.name = domainClass.name;
                entry.kind = domainClass.kind;
                entry.speed = device.speed;
                entry.gpusPerNode = static_cast<int>(part.size());
                entry.capacity = device.capacity;
                entry.memory = device.memory;
                entry.nodes.push_back(part);
            }
        }
        for (auto& [count, entry] : byCount) {
            entry.shared = shared;
            entry.racks = {static_cast<int>(entry.nodes.size())};
            list.push_back(std::move(entry));
        }
    }
    return joined(problem, std::move(list));
}

} // namespace pw
