// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/sized_cluster.h"

#include "core/edit/arrange.h"
#include "ui/topology/geometry.h"
#include "ui/topology/user_catalogue.h"

#include <algorithm>

namespace pw {

namespace {

constexpr double kCable = 400e9 / 8.0; // bytes per second of a lane
constexpr double kLatency = 5e-6;      // seconds
constexpr int kSpines = 2;

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
    std::string fabric() {
        take([&](const Project& p) { return addSwitch(p, "InfiniBand", m_at); });
        if (!m_state)
            return {};
        const Switch& made = m_state->cluster.switches.back();
        m_boxes.push_back({made.id, made.at.x, made.at.y, kSwitchSize.width(), kSwitchSize.height()});
        return made.id;
    }
    void join(const std::vector<std::string>& ends, const std::string& to, int lanes) {
        const std::size_t before = m_state ? m_state->cluster.links.size() : 0;
        take([&](const Project& p) { return addLinks(p, ends, to); });
        take([&](const Project& p) {
            std::vector<Link> made(p.cluster.links.begin() + static_cast<std::ptrdiff_t>(before),
                                   p.cluster.links.end());
            for (Link& link : made) {
                link.bandwidth = BytesPerSecond(kCable);
                link.latency = Seconds(kLatency);
                link.lanes = lanes;
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

} // namespace

Result<Project> addCluster(const Project& project, const ClusterSize& size, Point at) {
    Project with = withUserKind(project, size.kind);
    if (size.otherNodes > 0)
        with = withUserKind(with, size.otherKind);
    Building building(with, at);
    std::vector<std::vector<std::string>> kinds{building.nodes(size.kind, size.gpusPerNode, size.nodes)};
    if (size.otherNodes > 0)
        kinds.push_back(building.nodes(size.otherKind, size.gpusPerNode, size.otherNodes));
    if (size.network == ClusterSize::Network::SwitchOfEachKind && kinds.size() > 1) {
        std::vector<std::string> fabrics;
        for (const std::vector<std::string>& nodes : kinds) {
            fabrics.push_back(building.fabric());
            building.join(nodes, fabrics.back(), size.gpusPerNode);
        }
        building.join({fabrics.front()}, fabrics.back(), size.gpusPerNode);
        return building.tidied();
    }
    if (size.network != ClusterSize::Network::LeafAndSpine) {
        if (size.nodes + size.otherNodes > 1) {
            const std::string fabric = building.fabric();
            for (const std::vector<std::string>& nodes : kinds)
                building.join(nodes, fabric, size.gpusPerNode);
        }
        return building.tidied();
    }
    std::vector<std::string> leaves;
    const auto perRack = static_cast<std::ptrdiff_t>(std::max(1, size.nodesPerRack));
    for (const std::vector<std::string>& nodes : kinds)
        for (auto rack = nodes.begin(); rack != nodes.end();) {
            const auto end = rack + std::min(perRack, nodes.end() - rack);
            leaves.push_back(building.fabric());
            building.join({rack, end}, leaves.back(), size.gpusPerNode);
            rack = end;
        }
    const int below = static_cast<int>(perRack) * size.gpusPerNode; // lanes, of a full rack
    for (int spine = 0; spine < kSpines; ++spine)
        building.join(leaves, building.fabric(), std::max(1, below / 2 / kSpines));
    return building.tidied();
}

} // namespace pw
