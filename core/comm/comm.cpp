// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/comm/comm.h"

#include <algorithm>
#include <limits>
#include <map>

namespace pw {
namespace {

// Bytes that cross each resource during one operation. A resource is a direction of a link, or one GPU's
// port: to its node's fabric (out, in), or to the network.
class Loads {
public:
    explicit Loads(const Topology& topology) : m_topology(topology) {}

    // Moves `bytes` from a to b; a == b moves nothing.
    void add(DeviceIndex a, DeviceIndex b, double bytes) {
        if (a == b || bytes <= 0.0)
            return;
        const auto& devices = m_topology.devices();
        const int from = devices[static_cast<std::size_t>(a)].node;
        const int to = devices[static_cast<std::size_t>(b)].node;
        if (from == to) {
            const double rate = m_topology.intraBandwidth(from).value;
            port(a, 0, bytes, rate);
            port(b, 1, bytes, rate);
            m_latency = std::max(
                m_latency, m_topology.cluster().nodes[static_cast<std::size_t>(from)].intraLatency.value);
            return;
        }
        const Path& path = m_topology.path(from, to);
        if (!path.reachable) {
            m_blocked = true;
            return;
        }
        port(a, 2, bytes, m_topology.kindOf(a).pcie.value);
        port(b, 3, bytes, m_topology.kindOf(b).pcie.value);
        for (std::size_t i = 0; i < path.links.size(); ++i)
            m_links[{path.links[i], path.forward[i]}] += bytes;
        m_latency = std::max(m_latency, path.latency.value);
    }

    double latency() const { return m_latency; }
    bool crossesNodes() const { return m_blocked || !m_links.empty(); }

    // Longest time over the resources; the name of the slowest if asked for.
    double time(std::string* slowest) const {
        if (m_blocked)
            return std::numeric_limits<double>::infinity();
        double worst = 0.0;
        for (const auto& [key, load] : m_ports) {
            const double t = load.bytes / load.rate;
            if (t > worst) {
                worst = t;
                if (slowest)
                    *slowest = portName(key.first, key.second);
            }
        }
        for (const auto& [key, bytes] : m_links) {
            const Link& link = m_topology.cluster().links[static_cast<std::size_t>(key.first)];
            const double t = bytes / link.usable().value;
            if (t > worst) {
                worst = t;
                if (slowest)
                    *slowest = link.id;
            }
        }
        return worst;
    }

private:
    struct Load {
        double bytes = 0.0, rate = 1.0;
    };
    void port(DeviceIndex d, int direction, double bytes, double rate) {
        Load& load = m_ports[{d, direction}];
        load.bytes += bytes;
        load.rate = rate;
    }
    std::string portName(DeviceIndex d, int direction) const {
        const DeviceKind& kind = m_topology.kindOf(d);
        return direction >= 2 || kind.intraLink.empty() ? "PCIe" : kind.intraLink;
    }

    const Topology& m_topology;
    std::map<std::pair<DeviceIndex, int>, Load> m_ports;
    std::map<std::pair<int, bool>, double> m_links;
    double m_latency = 0.0;
    bool m_blocked = false;
};

} // namespace

TransferCost boundaryTransfer(const Topology& topology, std::span<const RankGroup> from,
                              std::span<const RankGroup> to, Bytes bytes, bool gatherAtReceiver) {
    Loads loads(topology);
    double fromBegin = 0.0;
    double gather = 0.0;
    for (const RankGroup& sender : from) {
        const double fromEnd = fromBegin + sender.share;
        double toBegin = 0.0;
        for (const RankGroup& receiver : to) {
            const double toEnd = toBegin + receiver.share;
            const double overlap = std::min(fromEnd, toEnd) - std::max(fromBegin, toBegin);
            if (overlap > 1e-12) {
                const std::size_t lanes = std::max(sender.devices.size(), receiver.devices.size());
                const double slice = bytes.value * overlap / static_cast<double>(lanes);
                for (std::size_t i = 0; i < lanes; ++i)
                    loads.add(sender.devices[i % sender.devices.size()],
                              receiver.devices[i % receiver.devices.size()], slice);
            }
            toBegin = toEnd;
        }
        fromBegin = fromEnd;
    }
    if (gatherAtReceiver)
        for (const RankGroup& receiver : to) {
            const auto& device = topology.devices()[static_cast<std::size_t>(receiver.devices.front())];
            const Seconds t = ringTimeInNode(
                topology.intraBandwidth(device.node),
                topology.cluster().nodes[static_cast<std::size_t>(device.node)].intraLatency,
                static_cast<int>(receiver.devices.size()), Collective::AllGather, bytes * receiver.share);
            gather = std::max(gather, t.value);
        }
    TransferCost cost;
    const double moved = loads.time(&cost.link);
    cost.time = Seconds(moved > 0.0 ? loads.latency() + moved + gather : gather);
    cost.crossesNodes = loads.crossesNodes();
    return cost;
}

Seconds ringTimeInNode(BytesPerSecond bandwidth, Seconds latency, int ranks, Collective collective,
                       Bytes bytes) {
    if (ranks < 2)
        return Seconds(0.0);
    const double passes = collective == Collective::AllReduce ? 2.0 : 1.0;
    const double steps = passes * (ranks - 1);
    return Seconds(steps / ranks * bytes.value / bandwidth.value + steps * latency.value);
}

Seconds ringTime(const Topology& topology, const std::vector<std::vector<DeviceIndex>>& rings,
                 Collective collective, Bytes bytes) {
    Loads loads(topology);
    double steps = 0.0;
    for (const auto& ring : rings) {
        if (ring.size() < 2)
            continue;
        const auto d = static_cast<double>(ring.size());
        const double passes = (collective == Collective::AllReduce ? 2.0 : 1.0) * (d - 1.0);
        steps = std::max(steps, passes);
        for (std::size_t i = 0; i < ring.size(); ++i)
            loads.add(ring[i], ring[(i + 1) % ring.size()], passes / d * bytes.value);
    }
    return steps > 0.0 ? Seconds(loads.time(nullptr) + steps * loads.latency()) : Seconds(0.0);
}

} // namespace pw
