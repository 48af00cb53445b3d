// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/sized_cluster.h"

#include "core/edit/arrange.h"
#include "ui/topology/geometry.h"
#include "ui/topology/user_catalogue.h"

#include <algorithm>

namespace pw {

namespace {

const std::string kPlainNetwork = "Ethernet";

const std::string& commonMedium(const NodePorts& a, const NodePorts& b) {
    return a.medium == b.medium ? a.medium : kPlainNetwork;
}

// Cables that fit both.
NodePorts between(const NodePorts& a, const NodePorts& b) {
    NodePorts both = a;
    both.rate = std::min(a.rate, b.rate);
    both.count = std::min(a.count, b.count);
    both.latency = std::max(a.latency, b.latency);
    return both;
}

// A project that is being built up; the first refusal ends it.
class Building {
public:
    Building(const Project& project, Point at) : m_at(at), m_state(project) {}

    // Their ids.
    std::vector<std::string> nodes(const std::string& kind, int gpusPerNode, int count) {
        const std::size_t before = m_state ? m_state->cluster.nodes.size() : 0;
        take([&](const Project& p) { return addNodes(p, kind, gpusPerNode, count, m_at); });
        std::vector<std::string> ids;
        for (std::size_t i = before; m_state && i < m_state->cluster.nodes.size(); ++i) {
            const Node& node = m_state->cluster.nodes[i];
            const QSizeF size = nodeSize(node.gpus);
            m_boxes.push_back({node.id, node.at.x, node.at.y, size.width(), size.height()});
            ids.push_back(node.id);
        }
        return ids;
    }
    std::string fabric(const std::string& medium) {
        take([&](const Project& p) { return addSwitch(p, medium, m_at); });
        if (!m_state)
            return {};
        const Switch& made = m_state->cluster.switches.back();
        m_boxes.push_back({made.id, made.at.x, made.at.y, kSwitchSize.width(), kSwitchSize.height()});
        return made.id;
    }
    void join(const std::vector<std::string>& ends, const std::string& to, const NodePorts& by) {
        const std::size_t before = m_state ? m_state->cluster.links.size() : 0;
        take([&](const Project& p) { return addLinks(p, ends, to); });
        take([&](const Project& p) {
            std::vector<Link> made(p.cluster.links.begin() + static_cast<std::ptrdiff_t>(before),
                                   p.cluster.links.end());
            for (Link& link : made) {
                link.bandwidth = by.rate;
                link.latency = by.latency;
                link.lanes = by.count;
            }
            return setLinks(p, made);
        });
    }
    // In rows, all that was made.
    Result<Project> tidied() {
        take([&](const Project& p) { return tidyItems(p, m_boxes); });
        return std::move(m_state);
    }

private:
    template <class Edit>
    void take(Edit edit) {
        if (m_state)
            m_state = edit(*m_state);
    }

    Point m_at;
    Result<Project> m_state;
    std::vector<ItemBox> m_boxes;
};

struct Part { // of one kind
    std::vector<std::string> nodes;
    NodePorts ports;
};

void joinBySwitch(Building& building, const std::vector<Part>& parts) {
    const std::string fabric = building.fabric(commonMedium(parts.front().ports, parts.back().ports));
    for (const Part& part : parts)
        building.join(part.nodes, fabric, part.ports);
}

void joinByKind(Building& building, const std::vector<Part>& parts) {
    std::vector<std::string> fabrics;
    for (const Part& part : parts) {
        fabrics.push_back(building.fabric(part.ports.medium));
        building.join(part.nodes, fabrics.back(), part.ports);
    }
    building.join({fabrics.front()}, fabrics.back(), between(parts.front().ports, parts.back().ports));
}

void joinInRacks(Building& building, const std::vector<Part>& parts, const ClusterSize& size) {
    const auto perRack = static_cast<std::ptrdiff_t>(std::max(1, size.nodesPerRack));
    const int spines = std::max(1, size.spines);
    std::vector<Part> leaves; // with the ports that lead up from each
    for (const Part& part : parts) {
        leaves.push_back({{}, part.ports});
        for (auto rack = part.nodes.begin(); rack != part.nodes.end();) {
            const auto end = rack + std::min(perRack, part.nodes.end() - rack);
            leaves.back().nodes.push_back(building.fabric(part.ports.medium));
            building.join({rack, end}, leaves.back().nodes.back(), part.ports);
            rack = end;
        }
        const int below = static_cast<int>(perRack) * part.ports.count; // of a full rack
        leaves.back().ports.count = std::max(1, below / std::max(1, size.oversubscription) / spines);
    }
    for (int spine = 0; spine < spines; ++spine)
        joinBySwitch(building, leaves);
}

void joinByRails(Building& building, const std::vector<Part>& parts) {
    const int rails = std::max(parts.front().ports.count, parts.back().ports.count);
    for (int rail = 0; rail < rails; ++rail) {
        std::vector<Part> on;
        for (const Part& part : parts)
            if (rail < part.ports.count) {
                on.push_back(part);
                on.back().ports.count = 1;
            }
        joinBySwitch(building, on);
    }
}

} // namespace

NodePorts usualPorts(const Cluster& cluster, const std::string& kind, int gpusPerNode) {
    const DeviceKind* known = findKind(cluster, kind);
    NodePorts ports =
        nodePorts({}, known ? *known : DeviceKind{}, gpusPerNode, ConstantSet::builtin().comm());
    ports.count = std::clamp(ports.count, 1, std::max(1, gpusPerNode));
    if (ports.medium.empty())
        ports.medium = kPlainNetwork;
    return ports;
}

Result<Project> addCluster(const Project& project, const ClusterSize& size, Point at) {
    Project with = withUserKind(project, size.kind);
    if (size.otherNodes > 0)
        with = withUserKind(with, size.otherKind);
    Building building(with, at);
    std::vector<Part> parts;
    const auto add = [&](const std::string& kind, int gpus, int count) {
        parts.push_back({building.nodes(kind, gpus, count), usualPorts(with.cluster, kind, gpus)});
    };
    add(size.kind, size.gpusPerNode, size.nodes);
    if (size.otherNodes > 0)
        add(size.otherKind, size.gpusOfOthers(), size.otherNodes);
    const bool isOne = size.nodes + size.otherNodes == 1;
    switch (size.network) {
    case ClusterSize::Network::SwitchOfEachKind:
        if (parts.size() > 1) {
            joinByKind(building, parts);
            break;
        }
        [[fallthrough]];
    case ClusterSize::Network::OneSwitch:
        if (!isOne)
            joinBySwitch(building, parts);
        break;
    case ClusterSize::Network::LeafAndSpine:
        joinInRacks(building, parts, size);
        break;
    case ClusterSize::Network::Rails:
        if (!isOne)
            joinByRails(building, parts);
        break;
    }
    return building.tidied();
}

} // namespace pw
