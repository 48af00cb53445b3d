// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/canvas_edits.h"

#include "core/cluster/drawing_room.h"
#include "core/cluster/network_kind.h"
#include "core/edit/domains.h"
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/free_ground.h"
#include "ui/topology/geometry.h"
#include "ui/topology/sized_cluster.h"
#include "ui/topology/user_catalogue.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

QString trEdit(const char* text) {
    return QCoreApplication::translate("pw::TopologyCanvas", text);
}

Point pointOf(QPointF at) {
    return {at.x(), at.y()};
}

// What is added goes where nothing stands.
bool applyAndChoose(const AppContext& app, Result<Project> edited, const QString& text) {
    const ProjectPtr before = app.document.project();
    if (!app.document.apply(onFreeGround(*before, std::move(edited)), text))
        return false;
    app.selection.setItems(newItems(before->cluster, app.document.project()->cluster));
    return true;
}

// A project that is being built up by several edits; the first refusal ends it.
class Steps {
public:
    explicit Steps(const Project& project) : m_state(project) {}
    template <class Edit>
    std::string add(Edit edit) { // id of the first box or link that the edit made; "" where it made none
        if (!m_state)
            return {};
        const Cluster before = m_state->cluster;
        m_state = edit(*m_state);
        if (!m_state)
            return {};
        for (const Node& n : m_state->cluster.nodes)
            if (!before.node(n.id))
                return n.id;
        for (const Switch& item : m_state->cluster.switches)
            if (!before.findSwitch(item.id))
                return item.id;
        for (const Link& l : m_state->cluster.links)
            if (!before.link(l.id))
                return l.id;
        return {};
    }
    std::string node(const std::string& kind, int gpus, Point at) {
        return add([&](const Project& p) { return addNodes(p, kind, gpus, 1, at); });
    }
    std::string fabric(const std::string& medium, Point at) {
        return add([&](const Project& p) { return addSwitch(p, medium, at); });
    }
    NodePorts ports(const std::string& kind, int gpus) const {
        return m_state ? usualPorts(m_state->cluster, kind, gpus) : NodePorts();
    }
    void link(const std::string& a, const std::string& b, const NodePorts& by) {
        const std::string id = add([&](const Project& p) { return addLink(p, a, b); });
        if (!m_state)
            return;
        Link made = *m_state->cluster.link(id);
        made.bandwidth = by.rate;
        made.lanes = by.count;
        made.latency = by.latency;
        m_state = setLinks(*m_state, {made});
    }
    Result<Project> take() { return std::move(m_state); }

private:
    Result<Project> m_state;
};

Point shifted(Point at, double dx, double dy) {
    return {at.x + dx, at.y + dy};
}

// Two columns of nodes of eight with their fabric between them.
std::string site(Steps& steps, const std::string& kind, const NodePorts& ports, Point at) {
    const double step = nodeSize(8).height() + 2 * kGrid;
    const std::string fabric = steps.fabric(ports.medium, shifted(at, 21 * kGrid, snapped(step - 40)));
    for (int i = 0; i < 4; ++i) {
        const std::string node =
            steps.node(kind, 8, shifted(at, i % 2 ? 33 * kGrid : 0.0, snapped(i / 2 * step)));
        steps.link(node, fabric, ports);
    }
    return fabric;
}

Result<Project> nodeOf4(const Project& project, const std::string& kind, Point at) {
    return addNodes(project, kind, 4, 1, at);
}

Result<Project> nodeOf8(const Project& project, const std::string& kind, Point at) {
    return addNodes(project, kind, 8, 1, at);
}

Result<Project> railOptimised(const Project& project, const std::string& kind, Point at) {
    constexpr int kNodes = 4, kRails = 8; // a GPU of every node on each rail
    constexpr double kRailStep = 10 * kGrid;
    Steps steps(project);
    NodePorts ports = steps.ports(kind, kRails);
    ports.count = 1;
    std::vector<std::string> nodes;
    for (int i = 0; i < kNodes; ++i)
        nodes.push_back(steps.node(kind, kRails, shifted(at, kNodeStep * i, 16 * kGrid)));
    const double aside =
        (kNodeStep * (kNodes - 1) + kNodeWidth - kRailStep * (kRails - 1) - kSwitchSize.width()) / 2.0;
    for (int r = 0; r < kRails; ++r) {
        const std::string rail = steps.fabric(ports.medium, shifted(at, snapped(aside) + kRailStep * r, 0.0));
        for (const std::string& node : nodes)
            steps.link(node, rail, ports);
    }
    return steps.take();
}

Result<Project> oneKind(const Project& project, const std::string& kind, Point at) {
    return addCluster(project, {.kind = kind, .nodes = 8}, at);
}

// A second kind, of an older generation, behind a switch of its own.
Result<Project> twoKinds(const Project& project, const std::string& kind, Point at) {
    return addCluster(project,
                      {.kind = kind,
                       .nodes = 4,
                       .otherKind = kind == "A100-SXM4-80GB" ? "V100-SXM2-32GB" : "A100-SXM4-80GB",
                       .otherNodes = 4,
                       .network = ClusterSize::Network::SwitchOfEachKind},
                      at);
}

ClusterSize racksOf(const std::string& kind, int gpus, int nodes, int racks) {
    return {.kind = kind,
            .nodes = racks * nodes,
            .gpusPerNode = gpus,
            .network = ClusterSize::Network::LeafAndSpine,
            .nodesPerRack = nodes};
}

Result<Project> leafAndSpine(const Project& project, const std::string& kind, Point at) {
    return addCluster(project, racksOf(kind, 8, 2, 4), at);
}

// A rack of 18 trays of four whose GPUs one NVLink fabric joins: of the chosen kind if that has such a
// fabric.
Result<Project> nvlinkRack(const Project& project, const std::string& kind, Point at) {
    constexpr int kTrays = 18, kColumns = 6;
    const DeviceKind* chosen = findKind(project.cluster, kind);
    const std::string own = chosen != nullptr && reachesSwitch(*chosen) ? kind : "GB200";
    Steps steps(project);
    const NodePorts ports = steps.ports(own, 4);
    const std::string leaf = steps.fabric(ports.medium, shifted(at, 2.5 * kNodeStep + 4 * kGrid, 0.0));
    ItemIds trays;
    for (int i = 0; i < kTrays; ++i) {
        const double x = kNodeStep * (i % kColumns),
                     y = 9 * kGrid + nodeRoom(4) * std::floor(i / double(kColumns));
        const std::string tray = steps.node(own, 4, shifted(at, x, y));
        steps.link(tray, leaf, ports);
        trays.insert(tray);
    }
    steps.add([&](const Project& p) { return shareDomain(p, trays, {}); });
    return steps.take();
}

Result<Project> twoSites(const Project& project, const std::string& kind, Point at) {
    Steps steps(project);
    const NodePorts ports = steps.ports(kind, 8);
    const std::string first = site(steps, kind, ports, at);
    const std::string second = site(steps, kind, ports, shifted(at, 0.0, 28 * kGrid));
    steps.link(first, second, {{}, BytesPerSecond(100e9 / 8.0), 1, Seconds(2e-3), {}});
    return steps.take();
}

} // namespace

QSet<QString> newItems(const Cluster& before, const Cluster& after) {
    QSet<QString> made;
    for (const Node& n : after.nodes)
        if (!before.node(n.id))
            made.insert(q(n.id));
    for (const Switch& item : after.switches)
        if (!before.findSwitch(item.id))
            made.insert(q(item.id));
    if (!made.isEmpty())
        return made; // links that came with boxes follow them and are not chosen
    for (const Link& l : after.links)
        if (!before.link(l.id))
            made.insert(q(l.id));
    return made;
}

const std::vector<ClusterTemplate>& clusterTemplates() {
    static const std::vector<ClusterTemplate> all = {
        {"node4", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Node of 4"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas", "One node with four GPUs of the chosen kind"), 4, nodeOf4},
        {"node8", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Node of 8"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas", "One node with eight GPUs of the chosen kind"), 8, nodeOf8},
        {"nodes", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Nodes, how many\u2026"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas",
                           "Asks for the kind, the GPUs of a node and the number of nodes"),
         0, nullptr},
        {"rail", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Rail-optimised, 4 nodes"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Four nodes of eight and eight rails: a switch for the "
                                                 "first GPUs of all nodes, one for the second, and "
                                                 "so on"),
         32, railOptimised},
        {"oneKind", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "One kind, 8 nodes"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Eight nodes of eight under one switch"), 64, oneKind},
        {"twoKinds", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Two kinds"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas",
                           "Four nodes of the chosen kind and four of an older one, a switch each"),
         64, twoKinds},
        {"racks", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Racks, leaf and spine"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas",
                           "Four racks of two nodes with a leaf switch each, and two spine switches; with "
                           "Shift it asks how many"),
         64, leafAndSpine, 4},
        {"nvlinkRack", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "NVL72 rack"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas",
                           "18 nodes of four in one NVLink domain, under a switch; of GB200 where the chosen "
                           "kind has no NVLink switch"),
         72, nvlinkRack},
        {"sites", QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Two sites"),
         QT_TRANSLATE_NOOP("pw::TopologyCanvas", "Two fabrics of four nodes, joined at 100 Gbit/s and 2 ms"),
         64, twoSites},
    };
    return all;
}

bool placeTemplate(const AppContext& app, const ClusterTemplate& chosen, const std::string& kind,
                   QPointF at) {
    const Project& project = *app.document.project();
    return applyAndChoose(app,
                          cornerAt(project, chosen.make(withUserKind(project, kind), kind, pointOf(at)), at),
                          trEdit("Add %1").arg(trEdit(chosen.label)));
}

QSizeF templateSize(const ClusterTemplate& chosen, const std::string& kind) {
    const Result<Project> made = chosen.make(withUserKind(Project(), kind), kind, {});
    return made ? clusterExtent(made->cluster).size() : nodeSize(8); // placing it says what is wrong
}

bool placeRacks(const AppContext& app, const std::string& kind, int gpusPerNode, int nodesPerRack, int racks,
                QPointF at) {
    return applyAndChoose(
        app,
        addCluster(*app.document.project(), racksOf(kind, gpusPerNode, nodesPerRack, racks), pointOf(at)),
        trEdit("Add %1 racks").arg(racks));
}

bool placeNodes(const AppContext& app, const std::string& kind, int gpusPerNode, int count, QPointF at,
                const std::string& linkedTo) {
    const Project& before = *app.document.project();
    Result<Project> edited = addNodes(withUserKind(before, kind), kind, gpusPerNode, count, pointOf(at));
    if (edited && !linkedTo.empty()) {
        std::vector<std::string> added;
        for (const Node& node : edited->cluster.nodes)
            if (!before.cluster.node(node.id))
                added.push_back(node.id);
        edited = addLinks(*edited, added, linkedTo);
    }
    return applyAndChoose(app, std::move(edited),
                          count == 1 ? trEdit("Add node") : trEdit("Add %1 nodes").arg(count));
}

bool placeSwitch(const AppContext& app, const std::string& medium, QPointF at) {
    return applyAndChoose(app, addSwitch(*app.document.project(), medium, pointOf(at)), trEdit("Add switch"));
}

bool linkItems(const AppContext& app, const QStringList& from, const QString& to) {
    std::vector<std::string> ends;
    for (const QString& end : from)
        ends.push_back(s(end));
    return applyAndChoose(app, addLinks(*app.document.project(), ends, s(to)),
                          from.size() == 1 ? trEdit("Link %1 and %2").arg(from.front(), to)
                                           : trEdit("Link %1 items and %2").arg(from.size()).arg(to));
}

bool moveEnd(const AppContext& app, const QString& link, const QString& from, const QString& to) {
    std::string id;
    if (!app.document.apply(moveLinkEnd(*app.document.project(), s(link), s(from), s(to), &id),
                            trEdit("Move link from %1 to %2").arg(from, to)))
        return false;
    app.selection.setItems({q(id)});
    return true;
}

bool changeKind(const AppContext& app, const QString& node, const std::string& kind) {
    const Node* found = app.document.project()->cluster.node(s(node));
    if (!found)
        return false;
    Node changed = *found;
    changed.kind = kind;
    return app.document.apply(setNode(withUserKind(*app.document.project(), kind), changed),
                              trEdit("Change kind of %1").arg(node));
}

} // namespace pw
