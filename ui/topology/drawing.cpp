// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/drawing.h"

#include "core/base/constants.h"
#include "core/base/units.h"
#include "core/cluster/network_kind.h"
#include "core/edit/domains.h"
#include "core/problem/problem.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/plan_text.h"
#include "ui/widgets/value_field.h"

#include <QCoreApplication>
#include <QHash>
#include <QLocale>

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pw {

namespace {

QString trCanvas(const char* text, int n = -1) {
    return QCoreApplication::translate("pw::TopologyCanvas", text, nullptr, n);
}

using Marks = QHash<QString, Mark>;

// One mark an item, of the worst severity. A place such as "n3.g2" marks the GPU; one such as
// "n3.memoryTaken" its node.
Marks marksOf(const Cluster& cluster, const Diagnostics& problems) {
    QSet<QString> ids;
    for (const Node& n : cluster.nodes) {
        ids.insert(q(n.id));
        for (int g = 0; g < n.gpus; ++g)
            ids.insert(QStringLiteral("%1.g%2").arg(q(n.id)).arg(g));
    }
    for (const Switch& item : cluster.switches)
        ids.insert(q(item.id));
    for (const Link& l : cluster.links)
        ids.insert(q(l.id));
    for (const NvlinkDomain& d : cluster.nvlinkDomains)
        ids.insert(q(d.id));
    Marks marks;
    for (const Diagnostic& d : problems) {
        if (d.severity == Severity::Note)
            continue;
        QString place = q(d.where);
        while (!place.isEmpty() && !ids.contains(place)) {
            const qsizetype dot = place.lastIndexOf(QLatin1Char('.'));
            place = dot < 0 ? QString() : place.left(dot);
        }
        if (place.isEmpty())
            continue;
        Mark& mark = marks[place];
        mark.severity = std::max(mark.severity.value_or(d.severity), d.severity);
        mark.text += (mark.text.isEmpty() ? QString() : QStringLiteral("\n")) + messageText(d);
    }
    return marks;
}

struct Use {
    int pipeline = 0, stage = -1;
    Bytes used;
    MemoryRoom room;
};

// Which stage each device of the plan serves, by device id; ids outlive edits of the drawing, and renamed
// nodes are in `drawn`.
QHash<QString, Use> usesOf(const Candidate& candidate, const NodeNames& drawn) {
    QHash<QString, Use> uses;
    const auto useOf = [&](DeviceIndex device) -> Use& {
        return uses[drawnDeviceId(*candidate.problem, device, drawn)];
    };
    for (std::size_t p = 0; p < candidate.plan.pipelines.size(); ++p) {
        const std::vector<Stage>& stages = candidate.plan.pipelines[p].stages;
        for (std::size_t i = 0; i < stages.size(); ++i)
            for (const Replica& replica : stages[i].replicas)
                for (const DeviceIndex d : replica.devices) {
                    Use& use = useOf(d);
                    use.pipeline = static_cast<int>(p);
                    use.stage = static_cast<int>(i);
                }
    }
    for (const DeviceMemory& m : candidate.evaluation.memory) {
        Use& use = useOf(m.device);
        use.used = m.peak.total();
        use.room = memoryRoom(*candidate.problem, m);
    }
    return uses;
}

std::vector<LegendEntry> legendOf(const Candidate& candidate) {
    std::vector<LegendEntry> legend;
    if (candidate.plan.pipelines.empty())
        return legend;
    const Topology& topology = candidate.problem->topology();
    const bool several = candidate.plan.pipelines.size() > 1;
    int row = 0;
    for (std::size_t p = 0; p < candidate.plan.pipelines.size(); ++p) {
        const std::vector<Stage>& stages = candidate.plan.pipelines[p].stages;
        for (std::size_t i = 0; i < stages.size(); ++i, ++row) {
            const Stage& stage = stages[i];
            if (stage.replicas.empty() || stage.replicas.front().devices.empty() || stage.chunks.empty())
                continue;
            QString devices = QStringLiteral("%1 \u00d7%2")
                                  .arg(q(topology.kindOf(stage.replicas.front().devices.front()).shortName))
                                  .arg(stage.deviceCount());
            if (several && i == 0)
                devices.prepend(trCanvas("pipeline %1: ").arg(p));
            legend.push_back({row, static_cast<int>(i), devices,
                              q(layersPhrase(stage, fineLayerCount(candidate.problem->model())))});
        }
    }
    return legend;
}

} // namespace

QString linkText(const Link& link) {
    const QString rate = q(formatBitRate(link.bandwidth));
    return link.lanes > 1 ? QStringLiteral("%1 \u00d7 %2").arg(link.lanes).arg(rate) : rate;
}

QString briefRate(QString linkText) {
    return linkText.remove(QLatin1String("bit/s")).remove(QLatin1Char(' '));
}

QString linkTip(const Link& link, const Mark& mark) {
    const QString figures = trCanvas("%1 to %2\nBandwidth: %3 each way\nLatency: %4\nEfficiency: %5")
                                .arg(q(link.a), q(link.b), linkText(link), q(formatDuration(link.latency)),
                                     shareText(link.efficiency));
    return mark.text.isEmpty() ? figures : figures + QLatin1Char('\n') + mark.text;
}

QString usualShareText(const std::string& medium) {
    return percentSpec(0.0, 1.0).print(usableShare(ConstantSet::builtin().comm(), medium));
}

QString mediumText(const std::string& medium) {
    return medium == "Ethernet" ? trCanvas("Ethernet (TCP)") : q(medium);
}

QString networkText(const Cluster& cluster, const std::vector<const Link*>& links) {
    std::map<std::string, std::size_t> media;
    for (const Link* link : links)
        ++media[std::string(mediumOf(cluster, *link))];
    if (media.empty())
        return {};
    if (media.size() > 1) {
        std::vector<std::pair<QString, std::size_t>> counted;
        for (const auto& [medium, count] : media)
            counted.emplace_back(mediumText(medium), count);
        return valuesText(counted);
    }
    const std::string& medium = media.begin()->first;
    const QString kind = mediumText(medium), share = usualShareText(medium);
    if (links.size() > 1)
        return trCanvas("%1; usually %2 of the line rate is reached").arg(kind, share);
    if (const Switch* decides = decidingSwitch(cluster, *links.front()))
        return trCanvas("%1, as its switch %2; usually %3 of the line rate is reached")
            .arg(kind, q(decides->id), share);
    return trCanvas("%1, as there is no switch; usually %2 of the line rate is reached").arg(kind, share);
}

QString insideText(const Cluster& cluster, const Node& node) {
    const DeviceKind* kind = findKind(cluster, node.kind);
    if (!kind)
        return trCanvas("unknown kind");
    const bool own = node.intraBandwidth.value > 0.0;
    BytesPerSecond rate = own ? node.intraBandwidth : kind->intraBandwidth;
    QString link = kind->intraLink == "none" ? QString() : q(kind->intraLink); // as the catalogue has it
    if (rate.value <= 0.0) {
        rate = kind->pcie;
        link = QStringLiteral("PCIe");
    }
    // The family is enough on the box: "NVLink3+NVSwitch" reads "NVLink".
    for (const char* family : {"NVLink", "PCIe", "Infinity Fabric", "xGMI"})
        if (link.startsWith(QLatin1String(family)))
            link = QLatin1String(family);
    return link.isEmpty() ? q(formatByteRate(rate))
                          : QStringLiteral("%1 %2").arg(link, q(formatByteRate(rate)));
}

namespace {

QString briefMedium(const QString& medium) {
    return medium == QLatin1String("InfiniBand") ? QStringLiteral("IB")
           : medium == QLatin1String("Ethernet") ? QStringLiteral("Eth")
                                                 : medium;
}

QString countOf(std::size_t n, const char* one, const char* many) {
    return QStringLiteral("%1 %2").arg(n).arg(trCanvas(n == 1 ? one : many));
}

using NodesById = std::unordered_map<std::string_view, const Node*>;

NodesById nodesById(const Cluster& cluster) {
    NodesById nodes;
    for (const Node& n : cluster.nodes)
        nodes.emplace(n.id, &n);
    return nodes;
}

DomainLook lookOf(const Cluster& cluster, const NodesById& nodes, const NvlinkDomain& domain,
                  const QSet<QString>& chosen) {
    DomainLook look;
    look.name = q(domain.id);
    look.id = kDomainPrefix + look.name;
    std::size_t gpus = 0;
    QString fabric;
    for (const std::string& id : domain.nodes) {
        const auto found = nodes.find(id);
        if (found == nodes.end())
            continue; // the check names it
        Node node = *found->second;
        gpus += static_cast<std::size_t>(node.gpus);
        if (look.nodes.isEmpty()) {
            if (domain.bandwidth.value > 0.0)
                node.intraBandwidth = domain.bandwidth;
            fabric = insideText(cluster, node);
            look.chosen = true;
        }
        look.nodes << q(id);
        look.chosen = look.chosen && chosen.contains(look.nodes.back());
    }
    look.label = fabric.isEmpty() ? look.name : QStringLiteral("%1, %2").arg(look.name, fabric);
    look.what = QStringLiteral("%1, %2, %3")
                    .arg(countOf(static_cast<std::size_t>(look.nodes.size()), "node", "nodes"),
                         countOf(gpus, "GPU", "GPUs"), fabric);
    return look;
}

using BoxIds = std::unordered_set<std::string_view>; // of nodes and switches

BoxIds boxIds(const Cluster& cluster) {
    BoxIds ids;
    for (const Node& n : cluster.nodes)
        ids.insert(n.id);
    for (const Switch& item : cluster.switches)
        ids.insert(item.id);
    return ids;
}

// They have no names of their own: they are counted.
DomainLook groupLook(const BoxIds& boxes, const std::set<std::string>& group, std::size_t number,
                     const QSet<QString>& chosen) {
    DomainLook look;
    look.group = true;
    look.id = kGroupPrefix + QString::number(number);
    look.name = look.label = trCanvas("Group %1").arg(number);
    for (const std::string& id : group)
        if (boxes.contains(id))
            look.nodes << q(id);
    look.what = look.nodes.join(QStringLiteral(", "));
    look.chosen = std::ranges::all_of(look.nodes, [&](const QString& id) { return chosen.contains(id); });
    return look;
}

} // namespace

QString clusterSummary(const Cluster& cluster) {
    return QStringLiteral("%1, %2, %3")
        .arg(countOf(static_cast<std::size_t>(cluster.gpuCount()), "GPU", "GPUs"),
             countOf(cluster.nodes.size(), "node", "nodes"),
             countOf(cluster.switches.size(), "switch", "switches"));
}

QString cablesText(const std::vector<SwitchSides>& sides) {
    if (sides.empty())
        return {};
    const auto side = [](int links, BytesPerSecond rate, const QString& one, const QString& many) {
        return (links == 1 ? one : many.arg(links)).arg(q(formatByteRate(rate)));
    };
    QStringList lines;
    SwitchSides all;            // what joins two of them counts at both
    std::vector<double> ratios; // of those that have both sides: a spine has none
    for (const SwitchSides& each : sides) {
        all.nodeLinks += each.nodeLinks;
        all.switchLinks += each.switchLinks;
        all.toNodes += each.toNodes;
        all.toSwitches += each.toSwitches;
        if (each.oversubscription() > 0.0)
            ratios.push_back(each.oversubscription());
    }
    if (all.nodeLinks > 0)
        lines << side(all.nodeLinks, all.toNodes, trCanvas("1 link to a node: %1"),
                      trCanvas("%1 links to nodes: %2 together"));
    if (all.switchLinks > 0)
        lines << side(all.switchLinks, all.toSwitches, trCanvas("1 link to a switch: %1"),
                      trCanvas("%1 links to switches: %2 together"));
    const auto ratio = [](double oversubscription) {
        return trCanvas("%1 : 1").arg(QLocale::c().toString(oversubscription, 'g', 3));
    };
    if (!ratios.empty()) {
        const auto [least, most] = std::ranges::minmax(ratios);
        lines << (most <= 1.0     ? trCanvas("Non-blocking: %1").arg(ratio(most))
                  : least == most ? trCanvas("Oversubscribed %1").arg(ratio(most))
                                  : trCanvas("Oversubscribed %1 to %2").arg(ratio(least), ratio(most)));
    }
    return lines.join(QLatin1Char('\n'));
}

QString describeItem(const Cluster& cluster, const QString& id) {
    const std::string key = s(id);
    if (const Node* n = cluster.node(key)) {
        const NvlinkDomain* domain = domainOf(cluster, key);
        const QString text = domain ? trCanvas("node %1, %2 \u00d7 %3, %4, in NVLink domain %5")
                                    : trCanvas("node %1, %2 \u00d7 %3, %4");
        const QString of = text.arg(id).arg(n->gpus).arg(q(n->kind), insideText(cluster, *n));
        return domain ? of.arg(q(domain->id)) : of;
    }
    if (const Switch* item = cluster.findSwitch(key))
        return trCanvas("switch %1, %2").arg(id, q(item->medium));
    if (const Link* l = cluster.link(key))
        return trCanvas("link %1 to %2, %3").arg(q(l->a), q(l->b), linkText(*l));
    for (const NvlinkDomain& d : cluster.nvlinkDomains)
        if (d.id == key)
            return trCanvas("NVLink domain %1, %2").arg(id, lookOf(cluster, nodesById(cluster), d, {}).what);
    return {};
}

namespace {

void addLoad(LinkLook& look, double share) {
    look.load = share;
    if (share <= 0.0)
        return;
    look.label = QStringLiteral("%1, %2").arg(look.label, shareText(share));
    look.brief = QStringLiteral("%1 %2").arg(look.brief, shareText(share));
}

} // namespace

Drawing drawingOf(const Project& project, const Diagnostics& problems, const Candidate* candidate, bool stale,
                  const QSet<QString>& chosen, const QString& device, const NodeNames& drawn,
                  const PlanLinks* links) {
    const Cluster& cluster = project.cluster;
    const Marks marks = marksOf(cluster, problems);
    const QHash<QString, Use> uses = candidate ? usesOf(*candidate, drawn) : QHash<QString, Use>();
    Drawing drawing;
    drawing.stale = candidate && stale;
    if (candidate)
        drawing.legend = legendOf(*candidate);
    drawing.nodes.reserve(cluster.nodes.size());
    const std::vector<bool> allowed = allowedDevices(cluster, project.forbidden);
    std::size_t deviceIndex = 0;
    for (const Node& n : cluster.nodes) {
        NodeLook look;
        look.id = q(n.id);
        look.what = QStringLiteral("%1 \u00d7 %2").arg(n.gpus).arg(q(n.kind));
        look.inside = insideText(cluster, n);
        look.planned = candidate != nullptr;
        look.stale = drawing.stale;
        look.chosen = chosen.contains(look.id);
        look.locked = project.annotations.locked.contains(n.id);
        look.mark = marks.value(look.id);
        const DeviceKind* kind = findKind(cluster, n.kind);
        look.kind = q(kind ? kind->shortName : n.kind);
        look.family = look.kind.section(QLatin1Char('-'), 0, 0);
        look.brief = QStringLiteral("%1 \u00d7 %2").arg(n.gpus).arg(look.kind);
        const Bytes memory(kind ? std::max(0.0, kind->memory.value - n.memoryTaken.value) : 0.0);
        look.leftOut = n.gpus > 0;
        for (int g = 0; g < n.gpus; ++g, ++deviceIndex) {
            const QString id = QStringLiteral("%1.g%2").arg(look.id).arg(g);
            const Use use = uses.value(id);
            look.tiles.push_back({candidate && candidate->plan.pipelines.size() > 1 ? use.pipeline : -1,
                                  use.stage, use.used,
                                  use.room.limit.value > 0.0 ? use.room : MemoryRoom{memory, memory},
                                  id == device, !allowed[deviceIndex], marks.value(id)});
            look.leftOut = look.leftOut && !allowed[deviceIndex];
        }
        if (look.leftOut)
            look.inside = trCanvas("left out");
        drawing.nodes.push_back(std::move(look));
    }
    const bool oneFamily = std::ranges::all_of(drawing.nodes, [&drawing](const NodeLook& look) {
        return look.family == drawing.nodes.front().family;
    });
    for (NodeLook& look : drawing.nodes)
        look.oneFamily = oneFamily && drawing.nodes.size() > 1;
    for (const Switch& item : cluster.switches) {
        const QString id = q(item.id);
        const bool out = std::ranges::count(project.forbidden, item.id) > 0;
        const QString medium = out ? trCanvas("left out") : q(item.medium);
        drawing.switches.push_back({id, medium, briefMedium(medium), chosen.contains(id), marks.value(id),
                                    project.annotations.locked.contains(item.id), out});
    }
    const std::vector<bool> closed = closedLinks(cluster, project.forbidden);
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        const Link& l = cluster.links[i];
        const QString id = q(l.id);
        const bool out = !closed.empty() && closed[i];
        const QString label = out ? trCanvas("%1, left out").arg(linkText(l)) : linkText(l);
        LinkLook look{
            id, q(l.a), q(l.b), label, briefRate(linkText(l)), chosen.contains(id), marks.value(id)};
        look.leftOut = out;
        look.lit = chosen.contains(look.a) || chosen.contains(look.b);
        if (candidate && links && !out)
            addLoad(look, links->share(id));
        drawing.links.push_back(std::move(look));
    }
    if (!cluster.nvlinkDomains.empty()) {
        const NodesById nodes = nodesById(cluster);
        for (const NvlinkDomain& d : cluster.nvlinkDomains) {
            drawing.domains.push_back(lookOf(cluster, nodes, d, chosen));
            drawing.domains.back().mark = marks.value(drawing.domains.back().name);
        }
    }
    if (!project.annotations.groups.empty()) {
        const BoxIds boxes = boxIds(cluster);
        for (const std::set<std::string>& group : project.annotations.groups)
            drawing.groups.push_back(groupLook(boxes, group, drawing.groups.size() + 1, chosen));
    }
    for (const Note& note : project.annotations.notes) {
        const QString id = kNotePrefix + q(note.id);
        drawing.notes.push_back(
            {id, q(note.text), QRectF(note.at.x, note.at.y, note.width, note.height), chosen.contains(id)});
    }
    return drawing;
}

} // namespace pw
