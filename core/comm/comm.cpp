// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/comm/comm.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <unordered_map>

namespace pw {
namespace {

// Published: NCCL's tuning model. Rate of trees over rings'; and what a step of the bulk protocol takes over
// nodes, where every step waits for the receiver's buffer: inside a node and from node to node, in s. Rings
// over a thousand ranks live on these.
constexpr double kTreeRate = 0.92;
constexpr double kTreeShare = 0.8; // of it, for sums: middle of the model's 0.7 to 0.9 by size from 4 MB on
constexpr double kBulkStep = 3.4e-6, kBulkHop = 14e-6;

// The part of a group that lives on one node.
struct Members {
    int node = 0;
    std::vector<DeviceIndex> devices;
};

// The part of a group that lives in one domain, node by node.
struct Joined {
    std::vector<Members> nodes;
    std::vector<DeviceIndex> devices;
};

void add(std::vector<Members>& nodes, const Topology& topology, DeviceIndex d) {
    const int node = topology.devices()[static_cast<std::size_t>(d)].node;
    auto at = std::find_if(nodes.begin(), nodes.end(), [&](const Members& m) { return m.node == node; });
    if (at == nodes.end())
        at = nodes.insert(nodes.end(), {node, {}});
    at->devices.push_back(d);
}

std::vector<Joined> byDomain(const Topology& topology, const std::vector<DeviceIndex>& group) {
    std::vector<Joined> list;
    std::unordered_map<int, std::size_t> place;
    for (const DeviceIndex d : group) {
        const int domain = topology.devices()[static_cast<std::size_t>(d)].domain;
        const auto [at, fresh] = place.try_emplace(domain, list.size());
        if (fresh)
            list.emplace_back();
        add(list[at->second].nodes, topology, d);
        list[at->second].devices.push_back(d);
    }
    return list;
}

// What the fixed times depend on; of several groups at once the worst of each.
struct Shape {
    int ranks = 1, nodes = 1, perNode = 1;
    double link = 0.0; // s, one step inside a node
    double hop = 0.0;  // s, one step between nodes
    double copy = std::numeric_limits<double>::infinity();
    bool reducing = true;

    void join(const CommConstants& c, const NodeFabric& fabric, int members) {
        perNode = std::max(perNode, members);
        if (members > 1)
            link = std::max(link, fabric.latency.value + c.step.value);
        copy = std::min(copy, fabric.copy.value);
        reducing = reducing && fabric.form == Fabric::Reducing;
    }
};

// Bytes that pass every rank of a ring, and how often data goes round it.
double ringPasses(Collective collective) {
    return collective == Collective::AllReduce ? 2.0 : 1.0;
}
double ringBytes(Collective collective, double ranks, double bytes) {
    return collective == Collective::Broadcast ? bytes
                                               : ringPasses(collective) * (ranks - 1.0) / ranks * bytes;
}

// An algorithm: what it takes beside moving, and its load on every resource over the plain ring's.
struct Variant {
    double fixed = 0.0, scale = 1.0;
};

// The fastest for a ring whose busiest resource takes `moving` seconds.
Variant fastest(const CommConstants& c, const Shape& s, Collective collective, double bytes, double moving) {
    const double n = s.ranks, nodes = s.nodes, launch = c.launch.value;
    if (collective == Collective::AllToAll) // all peers at once: the farthest one's latency, a post for each
        return {launch + (s.nodes > 1 ? s.hop : s.link) + (n - 1.0) * c.step.value, 1.0};
    const double passes = ringPasses(collective);
    const bool reduceAll = collective == Collective::AllReduce;
    const double network = s.nodes > 1 ? passes * (n - 1.0) * nodes / n * s.hop : 0.0;
    const double inside = passes * (n - 1.0) * s.link; // in one node
    const double own = collective == Collective::Broadcast ? 0.0 : 2.0 * bytes / n / s.copy;
    const double levels = std::bit_width(static_cast<unsigned>(s.nodes - 1)); // log2, rounded up
    const double treeVolume = 2.0 * bytes / ringBytes(collective, n, bytes);

    const double bulk =
        s.nodes > 1 ? passes * (n - 1.0) / n *
                          (nodes * std::max(s.hop, kBulkHop) + (n - nodes) * std::max(s.link, kBulkStep))
                    : inside;
    Variant best{launch + bulk + own, 1.0};
    const auto consider = [&](const Variant& other) {
        if (other.fixed + other.scale * moving < best.fixed + best.scale * moving)
            best = other;
    };
    if (s.nodes > 1 && reduceAll) { // of NCCL's trees only sums over all make use
        const double hops = passes * levels * s.hop;
        consider({launch + hops, treeVolume / c.lowLatencyShare});
        consider({launch + passes * (levels * std::max(s.hop, kBulkHop) +
                                     (s.perNode - 1.0) * std::max(s.link, kBulkStep)),
                  treeVolume / (kTreeShare * kTreeRate)});
    } else {
        consider({launch + (s.nodes > 1 ? network + passes * (n - 1.0) * (n - nodes) / n * s.link : 0.0),
                  1.0 / c.lowLatencyShare});
    }
    if (s.nodes == 1 && s.reducing && reduceAll) {
        const double past = (1.0 + 1.0 / n) * bytes / c.reducingShare;
        consider({launch + 2.0 * s.link, past / (ringBytes(collective, n, bytes) / c.switchedShare)});
    }
    return best;
}

// NICs that k of a node's GPUs use, and their attainable rate together, at the links that a path enters or
// leaves the node by. Each of the GPUs has a flow of its own.
double networkRate(const Topology& topology, std::span<const PathLink> ends, const Members& members) {
    const int gpus = topology.cluster().nodes[static_cast<std::size_t>(members.node)].gpus;
    const auto k = static_cast<int>(members.devices.size());
    const auto drawn = [&](const PathLink& end) -> const Link& {
        return topology.cluster().links[static_cast<std::size_t>(end.link)];
    };
    int lanes = 0;
    for (const PathLink& end : ends)
        lanes += std::max(1, drawn(end).lanes);
    const int nics = std::clamp((k * lanes + gpus - 1) / gpus, 1, lanes);
    double rate = 0.0, flow = std::numeric_limits<double>::infinity();
    for (const PathLink& end : ends) {
        const Link& link = drawn(end);
        const double used = nics * (static_cast<double>(std::max(1, link.lanes)) / lanes);
        rate += link.bandwidth.value * link.efficiency * used;
        if (link.flowBandwidth.value > 0.0)
            flow = std::min(flow, link.flowBandwidth.value);
    }
    return std::min(rate, flow * k);
}

void addPorts(Traffic& traffic, const Topology& topology, const Members& members, Traffic::Port port,
              std::span<const PathLink> ends, double bytes) {
    const auto k = static_cast<double>(members.devices.size());
    const double pcie = topology.kindOf(members.devices.front()).pcie.value;
    const double share = networkRate(topology, ends, members) / k;
    for (const DeviceIndex d : members.devices)
        traffic.port(topology, d, port, bytes / k, pcie > 0.0 ? std::min(pcie, share) : share);
}

// What one node sends another, evenly from and to the given GPUs. Returns the path's latency.
double addBetween(Traffic& traffic, const Topology& topology, const Members& from, const Members& to,
                  double bytes) {
    const Path path = topology.path(from.node, to.node);
    if (!path.reachable) {
        traffic.block();
        return 0.0;
    }
    addPorts(traffic, topology, from, Traffic::Port::NetworkOut, path.leaving(), bytes);
    addPorts(traffic, topology, to, Traffic::Port::NetworkIn, path.entering(), bytes);
    for (const PathLink& l : path.links)
        traffic.link(topology, l.link, l.forward, l.share * bytes);
    return path.latency.value;
}

// The same between two domains, whose nodes meet where each one's share of the GPUs overlaps.
double addFlow(Traffic& traffic, const Topology& topology, const Joined& from, const Joined& to,
               double bytes) {
    if (from.nodes.size() == 1 && to.nodes.size() == 1)
        return addBetween(traffic, topology, from.nodes.front(), to.nodes.front(), bytes);
    double latency = 0.0;
    std::size_t next = 0;               // of `to`
    std::size_t sent = 0, received = 0; // in GPUs of from x GPUs of to, the common measure of both
    for (const Members& sender : from.nodes) {
        const std::size_t end = sent + sender.devices.size() * to.devices.size();
        while (sent < end) {
            const Members& receiver = to.nodes[next];
            const std::size_t last = received + receiver.devices.size() * from.devices.size();
            const std::size_t until = std::min(end, last);
            const double share = static_cast<double>(until - sent) /
                                 static_cast<double>(from.devices.size() * to.devices.size());
            latency = std::max(latency, addBetween(traffic, topology, sender, receiver, share * bytes));
            sent = until;
            if (until == last && next + 1 < to.nodes.size()) {
                received = last;
                ++next;
            }
        }
    }
    return latency;
}

void addInside(Traffic& traffic, const Topology& topology, const std::vector<DeviceIndex>& devices,
               double bytes, double rate) {
    for (const DeviceIndex d : devices) {
        traffic.port(topology, d, Traffic::Port::FabricOut, bytes, rate);
        traffic.port(topology, d, Traffic::Port::FabricIn, bytes, rate);
    }
}

} // namespace

Traffic collectiveTraffic(const Topology& topology, const CommConstants& constants,
                          const std::vector<std::vector<DeviceIndex>>& groups, Collective collective,
                          Bytes bytes) {
    Traffic traffic;
    Shape shape;
    for (const auto& group : groups) {
        if (group.size() < 2 || bytes.value <= 0.0)
            continue;
        const auto n = static_cast<double>(group.size());
        const double passing = ringBytes(collective, n, bytes.value);
        const std::vector<Joined> nodes = byDomain(topology, group);
        shape.ranks = std::max(shape.ranks, static_cast<int>(group.size()));
        shape.nodes = std::max(shape.nodes, static_cast<int>(nodes.size()));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto k = static_cast<int>(nodes[i].devices.size());
            const NodeFabric fabric = nodeFabric(topology, nodes[i].nodes.front().node);
            shape.join(constants, fabric, k);
            if (k > 1)
                addInside(traffic, topology, nodes[i].devices,
                          collective == Collective::AllToAll ? (k - 1) / n * bytes.value : passing,
                          fabric.ringRate(constants, k).value);
            if (nodes.size() < 2)
                continue;
            const double step = constants.step.value;
            const auto send = [&](std::size_t to, double volume) {
                shape.hop =
                    std::max(shape.hop, step + addFlow(traffic, topology, nodes[i], nodes[to], volume));
            };
            if (collective != Collective::AllToAll) {
                send((i + 1) % nodes.size(), passing);
                continue;
            }
            for (std::size_t to = 0; to < nodes.size(); ++to)
                if (to != i)
                    send(to, k * static_cast<double>(nodes[to].devices.size()) / n * bytes.value);
        }
    }
    traffic.settle();
    if (shape.ranks > 1) {
        const Variant variant = fastest(constants, shape, collective, bytes.value, traffic.largest());
        traffic.fix(variant.fixed);
        traffic.scale(variant.scale);
    }
    return traffic;
}

CollectivePattern::CollectivePattern(const Topology& topology, const CommConstants& constants,
                                     const std::vector<std::vector<DeviceIndex>>& groups,
                                     Collective collective, int ranks, int nodes)
    : m_constants(&constants), m_collective(collective), m_ranks(ranks), m_nodes(nodes) {
    if (ranks < 2)
        return;
    Traffic traffic;
    Shape shape;
    for (const auto& group : groups) {
        const std::vector<Joined> places = byDomain(topology, group);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto k = static_cast<int>(places[i].devices.size());
            const NodeFabric fabric = nodeFabric(topology, places[i].nodes.front().node);
            shape.join(constants, fabric, k);
            if (k > 1)
                addInside(traffic, topology, places[i].devices, 1.0, fabric.ringRate(constants, k).value);
            if (places.size() > 1)
                shape.hop =
                    std::max(shape.hop, constants.step.value + addFlow(traffic, topology, places[i],
                                                                       places[(i + 1) % places.size()], 1.0));
        }
    }
    traffic.settle();
    m_busiest = traffic.busiest();
    for (const Traffic::Load& load : traffic.loads())
        if (load.resource != m_busiest.resource && Traffic::isBetweenSwitches(topology, load.resource))
            m_between.push_back(load);
    m_blocked = traffic.blocked();
    m_perNode = shape.perNode;
    m_link = shape.link;
    m_hop = shape.hop;
    m_copy = shape.copy;
    m_reducing = shape.reducing;
}

Traffic CollectivePattern::operator()(Bytes bytes) const {
    Traffic traffic;
    if (m_ranks < 2 || bytes.value <= 0.0)
        return traffic;
    if (m_blocked)
        traffic.block();
    const double moving = ringBytes(m_collective, m_ranks, bytes.value) * m_busiest.seconds;
    const Shape shape{m_ranks, m_nodes, m_perNode, m_link, m_hop, m_copy, m_reducing};
    const Variant variant = fastest(*m_constants, shape, m_collective, bytes.value, moving);
    traffic.load({m_busiest.resource, moving * variant.scale});
    const double passing = ringBytes(m_collective, m_ranks, bytes.value) * variant.scale;
    for (const Traffic::Load& load : m_between)
        traffic.load({load.resource, load.seconds * passing});
    traffic.settle();
    traffic.fix(variant.fixed);
    return traffic;
}

Seconds collectiveTime(const Topology& topology, const CommConstants& constants,
                       const std::vector<std::vector<DeviceIndex>>& groups, Collective collective,
                       Bytes bytes) {
    return collectiveTraffic(topology, constants, groups, collective, bytes).alone();
}

Seconds collectiveTimeInNode(const CommConstants& constants, const NodeFabric& fabric, int ranks,
                             Collective collective, Bytes bytes) {
    if (ranks < 2 || bytes.value <= 0.0)
        return Seconds(0.0);
    Shape shape;
    shape.ranks = ranks;
    shape.join(constants, fabric, ranks);
    const double passing = collective == Collective::AllToAll
                               ? (ranks - 1) / static_cast<double>(ranks) * bytes.value
                               : ringBytes(collective, ranks, bytes.value);
    const double moving = passing / fabric.ringRate(constants, ranks).value;
    const Variant variant = fastest(constants, shape, collective, bytes.value, moving);
    return Seconds(variant.fixed + moving * variant.scale);
}

Traffic boundaryTraffic(const Topology& topology, const CommConstants& constants,
                        std::span<const RankGroup> from, std::span<const RankGroup> to, Bytes bytes) {
    const auto& devices = topology.devices();
    Traffic traffic;
    double latency = 0.0;
    const auto move = [&](DeviceIndex a, DeviceIndex b, double volume) {
        const Device& source = devices[static_cast<std::size_t>(a)];
        const Device& target = devices[static_cast<std::size_t>(b)];
        if (a == b)
            return;
        if (!topology.joined(a, b)) {
            latency = std::max(latency,
                               addBetween(traffic, topology, {source.node, {a}}, {target.node, {b}}, volume));
            return;
        }
        const NodeFabric fabric = nodeFabric(topology, source.node);
        const bool oneNode = source.node == target.node; // a bridge joins neighbours of a node
        const double rate = oneNode ? fabric.pairRate(constants, source.slot, target.slot).value
                                    : fabric.ringRate(constants, 2).value;
        traffic.port(topology, a, Traffic::Port::FabricOut, volume, rate);
        traffic.port(topology, b, Traffic::Port::FabricIn, volume, rate);
        latency = std::max(latency, fabric.latency.value);
    };
    // Both sides divide the same whole: each sender meets the receivers where the one before left off.
    std::size_t next = 0;
    double fromBegin = 0.0, nextBegin = 0.0;
    for (const RankGroup& sender : from) {
        const double fromEnd = fromBegin + sender.share;
        for (; next < to.size() && nextBegin + to[next].share <= fromBegin; ++next)
            nextBegin += to[next].share;
        double toBegin = nextBegin;
        for (std::size_t r = next; r < to.size() && toBegin < fromEnd; ++r) {
            const RankGroup& receiver = to[r];
            const double toEnd = toBegin + receiver.share;
            const double overlap = std::min(fromEnd, toEnd) - std::max(fromBegin, toBegin);
            if (overlap > 1e-12) {
                const std::size_t lanes = std::max(sender.devices.size(), receiver.devices.size());
                const double slice = bytes.value * overlap / static_cast<double>(lanes);
                for (std::size_t i = 0; i < lanes; ++i)
                    move(sender.devices[i % sender.devices.size()],
                         receiver.devices[i % receiver.devices.size()], slice);
            }
            toBegin = toEnd;
        }
        fromBegin = fromEnd;
    }
    traffic.fix(constants.launch.value + constants.step.value + latency);
    traffic.settle();
    return traffic;
}

TransferCost boundaryTransfer(const Topology& topology, const CommConstants& constants,
                              std::span<const RankGroup> from, std::span<const RankGroup> to, Bytes bytes,
                              bool gatherAtReceiver) {
    const Traffic traffic = boundaryTraffic(topology, constants, from, to, bytes);
    double gather = 0.0;
    if (gatherAtReceiver)
        for (const RankGroup& receiver : to) {
            const int node = topology.devices()[static_cast<std::size_t>(receiver.devices.front())].node;
            gather = std::max(gather, collectiveTimeInNode(constants, nodeFabric(topology, node),
                                                           static_cast<int>(receiver.devices.size()),
                                                           Collective::AllGather, bytes * receiver.share)
                                          .value);
        }
    TransferCost cost;
    cost.time = traffic.alone() + Seconds(gather);
    cost.link = traffic.slowest(topology);
    cost.crossesNodes = traffic.crossesNodes(topology);
    return cost;
}

} // namespace pw
