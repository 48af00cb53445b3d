// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

namespace pw {

std::shared_ptr<const Topology> Topology::make(const Cluster& cluster, std::vector<bool> closed) {
    auto topology = std::make_shared<Topology>();
    topology->m_cluster = cluster;
    topology->m_closed = std::move(closed);
    topology->listDomains();
    topology->listDevices();
    topology->listClasses();
    topology->listDomainClasses();
    topology->findPaths();
    return topology;
}

std::shared_ptr<const Topology>
Topology::withCapacities(const std::function<Bytes(Bytes)>& capacityOf) const {
    auto topology = std::make_shared<Topology>(*this);
    std::map<double, Bytes> known;
    for (Device& device : topology->m_devices) {
        const auto [at, fresh] = known.try_emplace(device.memory.value);
        if (fresh)
            at->second = capacityOf(device.memory);
        device.capacity = at->second;
    }
    return topology;
}

void Topology::listDomains() {
    std::unordered_map<std::string_view, int> byNode; // index into the drawing's domains
    for (std::size_t d = 0; d < m_cluster.nvlinkDomains.size(); ++d)
        for (const std::string& node : m_cluster.nvlinkDomains[d].nodes)
            byNode.emplace(node, static_cast<int>(d));
    std::map<int, int> made; // drawn domain to the one here
    for (std::size_t i = 0; i < m_cluster.nodes.size(); ++i) {
        const Node& node = m_cluster.nodes[i];
        const auto drawn = byNode.find(node.id);
        const int next = static_cast<int>(m_domains.size());
        const int at = drawn == byNode.end() ? next : made.emplace(drawn->second, next).first->second;
        if (at == next) {
            Domain domain{{}, 0, node.intraBandwidth, node.intraLatency};
            if (drawn != byNode.end()) {
                const NvlinkDomain& stated = m_cluster.nvlinkDomains[static_cast<std::size_t>(drawn->second)];
                if (stated.bandwidth.value > 0.0)
                    domain.bandwidth = stated.bandwidth;
                domain.latency = stated.latency;
            }
            m_domains.push_back(std::move(domain));
        }
        m_domains[static_cast<std::size_t>(at)].nodes.push_back(static_cast<int>(i));
        m_domains[static_cast<std::size_t>(at)].gpus += node.gpus;
        m_domainOfNode.push_back(at);
    }
}

void Topology::listDevices() {
    std::unordered_map<std::string, int> kindByName;
    for (std::size_t i = 0; i < m_cluster.nodes.size(); ++i) {
        const Node& node = m_cluster.nodes[i];
        const DeviceKind& kind = *findKind(m_cluster, node.kind);
        const auto [known, fresh] = kindByName.emplace(kind.name, static_cast<int>(m_kinds.size()));
        if (fresh)
            m_kinds.push_back(kind);
        m_nodeById.emplace(node.id, static_cast<int>(i));
        m_first.push_back(static_cast<DeviceIndex>(m_devices.size()));
        for (int slot = 0; slot < node.gpus; ++slot)
            m_devices.push_back({fmt::format("{}.g{}", node.id, slot), static_cast<int>(i), slot,
                                 m_domainOfNode[i], known->second, kind.memory - node.memoryTaken,
                                 kind.memory - node.memoryTaken, node.speed});
    }
}

void Topology::listClasses() {
    using Uplink =
        std::tuple<std::string, double, int, double, double, double>; // peer, bandwidth, lanes, latency,
                                                                      // efficiency, one flow
    std::vector<std::vector<std::pair<Uplink, int>>> cables(m_cluster.nodes.size());
    for (std::size_t i = 0; i < m_cluster.links.size(); ++i) {
        if (!m_closed.empty() && m_closed[i])
            continue;
        const Link& l = m_cluster.links[i];
        for (const auto& [end, peer] : {std::pair(l.a, l.b), std::pair(l.b, l.a)})
            if (const auto at = m_nodeById.find(end); at != m_nodeById.end())
                cables[static_cast<std::size_t>(at->second)].emplace_back(
                    Uplink(peer, l.bandwidth.value, l.lanes, l.latency.value, l.efficiency,
                           l.flowBandwidth.value),
                    static_cast<int>(i));
    }

    using Signature = std::tuple<int, int, double, double, double, double, std::vector<Uplink>>;
    std::map<Signature, int> known;
    std::map<std::string, int> names;
    for (std::size_t i = 0; i < m_cluster.nodes.size(); ++i) {
        const Node& node = m_cluster.nodes[i];
        const int kind = m_devices[static_cast<std::size_t>(m_first[i])].kind;
        std::sort(cables[i].begin(), cables[i].end());
        std::vector<Uplink> uplinks;
        m_cables.emplace_back();
        for (const auto& [uplink, link] : cables[i]) {
            uplinks.push_back(uplink);
            m_cables.back().push_back(link);
        }
        const auto [at, fresh] = known.emplace(Signature(kind, node.gpus, node.speed, node.memoryTaken.value,
                                                         intraBandwidth(static_cast<int>(i)).value,
                                                         node.intraLatency.value, std::move(uplinks)),
                                               static_cast<int>(m_classes.size()));
        if (fresh) {
            std::string title =
                fmt::format("{} x{}", m_kinds[static_cast<std::size_t>(kind)].shortName, node.gpus);
            if (const int same = ++names[title]; same > 1)
                title += fmt::format(" #{}", same);
            m_classes.push_back({std::move(title), kind, node.gpus, {}});
        }
        m_classes[static_cast<std::size_t>(at->second)].nodes.push_back(static_cast<int>(i));
        m_classOfNode.push_back(at->second);
    }
}

void Topology::listDomainClasses() {
    // Alike are members of as many nodes of one class in domains of one fabric.
    using Signature = std::tuple<int, std::size_t, double, double>;
    std::map<Signature, std::size_t> known;
    std::map<std::string, int> names;
    for (const Domain& domain : m_domains) {
        std::map<int, std::vector<int>> parts; // by class of node
        for (const int node : domain.nodes)
            parts[classOfNode(node)].push_back(node);
        for (auto& [nodeClass, nodes] : parts) {
            const NodeClass& alike = m_classes[static_cast<std::size_t>(nodeClass)];
            const bool several = domain.spansNodes();
            const auto [at, fresh] =
                known.emplace(Signature(nodeClass, nodes.size(), several ? domain.bandwidth.value : 0.0,
                                        several ? domain.latency.value : 0.0),
                              m_domainClasses.size());
            if (fresh) {
                std::string title = alike.name;
                if (several) {
                    title = fmt::format("{} x{}", m_kinds[static_cast<std::size_t>(alike.kind)].shortName,
                                        alike.gpusPerNode * static_cast<int>(nodes.size()));
                    if (const int same = ++names[title]; same > 1)
                        title += fmt::format(" #{}", same);
                }
                m_domainClasses.push_back({std::move(title), alike.kind, {}, false});
            }
            DomainClass& found = m_domainClasses[at->second];
            found.members.push_back(std::move(nodes));
            found.shared = found.shared || parts.size() > 1;
        }
    }
}

void Topology::findPaths() {
    PathFinder finder(m_cluster, m_closed);
    const std::size_t n = m_classes.size();
    m_paths.resize(n * (n + 1) / 2);
    for (std::size_t from = 0; from < n; ++from) {
        finder.start(m_classes[from].nodes.front());
        for (std::size_t to = from; to < n; ++to) {
            const std::vector<int>& nodes = m_classes[to].nodes;
            if (from != to || nodes.size() > 1)
                m_paths[pathPlace(from, to)] = finder.to(from == to ? nodes[1] : nodes[0]);
        }
    }
}

// Of the path between two classes, the first of which is no later.
std::size_t Topology::pathPlace(std::size_t from, std::size_t to) {
    return to * (to + 1) / 2 + from;
}

Path Topology::path(int fromNode, int toNode) const {
    const auto fromClass = static_cast<std::size_t>(classOfNode(fromNode));
    const auto toClass = static_cast<std::size_t>(classOfNode(toNode));
    if (std::pair(fromClass, fromNode) > std::pair(toClass, toNode))
        return path(toNode, fromNode).reversed();
    Path path = m_paths[pathPlace(fromClass, toClass)];
    if (!path.reachable)
        return path;
    const bool sameClass = fromClass == toClass;
    const std::string& fromId = m_cluster.nodes[static_cast<std::size_t>(fromNode)].id;
    const std::string& toId = m_cluster.nodes[static_cast<std::size_t>(toNode)].id;
    const auto linkAt = [&](int link) -> const Link& {
        return m_cluster.links[static_cast<std::size_t>(link)];
    };
    if (path.hops == 1) { // by cables of their own: as wide as those of the two drawn
        double width = linkAt(path.links.front().link).usable().value;
        for (const PathLink& l : path.links)
            width = std::min(width, linkAt(l.link).usable().value);
        std::vector<PathLink> own;
        for (const int link : m_cables[static_cast<std::size_t>(fromNode)])
            if (const Link& l = linkAt(link); (l.a == toId || l.b == toId) && asWide(l.usable().value, width))
                own.push_back({link, l.a == fromId, path.links.front().share});
        path.links = std::move(own);
        return path;
    }
    const auto cable = [&](int link, int drawn, int node) {
        const std::vector<int>& known = m_cables[static_cast<std::size_t>(drawn)];
        const auto at = std::find(known.begin(), known.end(), link) - known.begin();
        return m_cables[static_cast<std::size_t>(node)][static_cast<std::size_t>(at)];
    };
    const std::vector<int>& from = m_classes[fromClass].nodes;
    const std::vector<int>& to = m_classes[toClass].nodes;
    for (PathLink& l : std::span(path.links).first(path.leaving().size())) {
        l.link = cable(l.link, from.front(), fromNode);
        l.forward = linkAt(l.link).a == fromId;
    }
    for (PathLink& l : std::span(path.links).last(path.entering().size())) {
        l.link = cable(l.link, sameClass ? to[1] : to.front(), toNode);
        l.forward = linkAt(l.link).b == toId;
    }
    return path;
}

const DeviceKind& Topology::kindOf(DeviceIndex d) const {
    return m_kinds[static_cast<std::size_t>(m_devices[static_cast<std::size_t>(d)].kind)];
}

DeviceIndex Topology::find(std::string_view deviceId) const {
    const std::size_t dot = deviceId.rfind(".g");
    if (dot == std::string_view::npos)
        return -1;
    const std::string_view digits = deviceId.substr(dot + 2);
    int slot = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
    const auto node = m_nodeById.find(std::string(deviceId.substr(0, dot)));
    if (error != std::errc() || end != digits.data() + digits.size() || node == m_nodeById.end() ||
        slot < 0 || slot >= m_cluster.nodes[static_cast<std::size_t>(node->second)].gpus)
        return -1;
    const DeviceIndex found = firstOfNode(node->second) + slot;
    return m_devices[static_cast<std::size_t>(found)].id == deviceId ? found : -1; // "n1.g03" is no name
}

DeviceIndex Topology::firstOfNode(int node) const {
    return m_first[static_cast<std::size_t>(node)];
}

BytesPerSecond Topology::intraBandwidth(int node) const {
    const Node& n = m_cluster.nodes[static_cast<std::size_t>(node)];
    if (n.intraBandwidth.value > 0.0)
        return n.intraBandwidth;
    const DeviceKind& kind = kindOf(firstOfNode(node));
    return kind.intraBandwidth.value > 0.0 ? kind.intraBandwidth : kind.pcie;
}

BytesPerSecond Topology::uplink(int node) const {
    double narrowest = 0.0;
    for (std::size_t c = 0; c < m_classes.size(); ++c) {
        const std::vector<int>& nodes = m_classes[c].nodes;
        if (static_cast<int>(c) == classOfNode(node) && nodes.size() < 2)
            continue;
        const auto own = static_cast<std::size_t>(classOfNode(node));
        const Path& p = m_paths[pathPlace(std::min(own, c), std::max(own, c))];
        if (p.reachable && (narrowest == 0.0 || p.bandwidth.value < narrowest))
            narrowest = p.bandwidth.value;
    }
    return BytesPerSecond(narrowest);
}

} // namespace pw
