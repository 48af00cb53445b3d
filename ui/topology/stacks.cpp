// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/stacks.h"

#include "ui/base/convert.h"
#include "ui/base/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace pw {

namespace {

QString trStack(const char* text) {
    return QCoreApplication::translate("pw::TopologyCanvas", text);
}

std::unordered_map<std::string_view, const NvlinkDomain*> domainsByNode(const Cluster& cluster) {
    std::unordered_map<std::string_view, const NvlinkDomain*> domains;
    for (const NvlinkDomain& domain : cluster.nvlinkDomains)
        for (const std::string& node : domain.nodes)
            domains.emplace(node, &domain);
    return domains;
}

// Name of a large domain; nodes and figures of a small one; nothing outside of any.
using DomainKey = std::tuple<std::string, std::size_t, double, double>;

DomainKey keyOf(const std::unordered_map<std::string_view, const NvlinkDomain*>& domains,
                const std::string& node) {
    const auto found = domains.find(node);
    if (found == domains.end())
        return {};
    const NvlinkDomain& domain = *found->second;
    if (domain.nodes.size() >= kLeastStack)
        return {domain.id, 0, 0.0, 0.0};
    return {{}, domain.nodes.size(), domain.bandwidth.value, domain.latency.value};
}

} // namespace

std::vector<StackLook> stacksOf(const Cluster& cluster, const Drawing& drawing) {
    // The one link of each node; nodes with none or several stay by themselves.
    std::map<std::string_view, std::pair<const Link*, int>> linkOf;
    for (const Link& link : cluster.links)
        for (const std::string* end : {&link.a, &link.b}) {
            auto& [held, count] = linkOf[*end];
            held = &link;
            ++count;
        }
    const std::unordered_map<std::string_view, const NvlinkDomain*> domains = domainsByNode(cluster);
    using Key = std::tuple<std::string, int, double, double, double, std::string, double, int, double, double,
                           DomainKey>;
    std::map<Key, std::vector<std::size_t>> classes;
    for (std::size_t i = 0; i < cluster.nodes.size() && i < drawing.nodes.size(); ++i) {
        const Node& node = cluster.nodes[i];
        const auto found = linkOf.find(node.id);
        if (found == linkOf.end() || found->second.second != 1)
            continue;
        const Link& link = *found->second.first;
        const std::string& peer = link.a == node.id ? link.b : link.a;
        if (cluster.findSwitch(peer) != nullptr)
            classes[{node.kind, node.gpus, node.intraBandwidth.value, node.memoryTaken.value, node.speed,
                     peer, link.bandwidth.value, link.lanes, link.latency.value, link.efficiency,
                     keyOf(domains, node.id)}]
                .push_back(i);
    }
    std::vector<StackLook> stacks;
    for (const auto& [key, members] : classes) {
        if (members.size() < kLeastStack)
            continue;
        const NodeLook& first = drawing.nodes[members.front()];
        const Link& link = *linkOf.find(cluster.nodes[members.front()].id)->second.first;
        StackLook look;
        look.id = kStackPrefix + first.id;
        look.peer = q(std::get<5>(key));
        std::set<std::string_view> shared;
        for (const std::size_t i : members)
            if (const auto domain = domains.find(cluster.nodes[i].id); domain != domains.end())
                shared.insert(domain->second->id);
        look.title = trStack(shared.empty()       ? "%1 nodes"
                             : shared.size() == 1 ? "%1 nodes of %2"
                                                  : "%1 nodes, %2 NVLink domains")
                         .arg(members.size());
        if (shared.size() == 1)
            look.title = look.title.arg(q(std::string(*shared.begin())));
        else if (!shared.empty())
            look.title = look.title.arg(shared.size());
        look.what = trStack("%1 each").arg(first.brief);
        look.label = QStringLiteral("%1 \u00d7 %2").arg(members.size()).arg(linkText(link));
        look.chosen = true;
        std::map<int, int> gpus;
        for (const std::size_t i : members) {
            const NodeLook& node = drawing.nodes[i];
            look.nodes << node.id;
            look.links << q(linkOf.find(cluster.nodes[i].id)->second.first->id);
            look.chosen = look.chosen && node.chosen;
            for (const TileLook& tile : node.tiles)
                ++gpus[tile.stage];
        }
        look.stages.assign(gpus.begin(), gpus.end());
        stacks.push_back(std::move(look));
    }
    return stacks;
}

StackItem::StackItem(const QString& id) : CanvasItem(id, false) {
    setZValue(1);
}

void StackItem::setLook(const StackLook& look) {
    if (look == m_look)
        return;
    m_look = look;
    setToolTip(QStringLiteral("%1, %2").arg(look.title, look.what));
    update();
}

void StackItem::setSize(QSizeF size) {
    if (size == m_size)
        return;
    prepareGeometryChange();
    m_size = size;
}

QRectF StackItem::boundingRect() const {
    const double behind =
        10.0 / kOutlineScale * 2.0; // the cards behind, at the scales at which stacks are shown
    return box().adjusted(-20, -behind * 5.0, behind * 5.0, 20);
}

// Three cards one behind the other, in device pixels: name, kind, and a band of the stages by their GPUs.
void StackItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const Theme& t = theme();
    const double scale = option->levelOfDetailFromTransform(painter->worldTransform());
    painter->save();
    painter->scale(1.0 / scale, 1.0 / scale);
    const QRectF card(0.0, 0.0, std::floor(m_size.width() * scale), std::floor(m_size.height() * scale));
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(t.node);
    for (const double behind : {8.0, 4.0, 0.0}) {
        const bool front = behind == 0.0;
        painter->setPen(
            QPen(front && m_look.chosen ? t.accent : t.text3, front && m_look.chosen ? 2.0 : 1.0));
        painter->drawRoundedRect(card.translated(behind, -behind).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    const QRectF inside = card.adjusted(8, 6, -8, -6);
    const int line = 16;
    if (inside.height() >= line && inside.width() >= 40) {
        painter->setFont(bodyFont(600));
        painter->setPen(t.text);
        painter->drawText(inside, Qt::AlignLeft | Qt::AlignTop,
                          painter->fontMetrics().elidedText(m_look.title, Qt::ElideRight,
                                                            static_cast<int>(inside.width())));
    }
    if (inside.height() >= 2 * line && inside.width() >= 60) {
        painter->setFont(smallFont());
        painter->setPen(t.text2);
        painter->drawText(
            inside.adjusted(0, line, 0, 0), Qt::AlignLeft | Qt::AlignTop,
            painter->fontMetrics().elidedText(m_look.what, Qt::ElideRight, static_cast<int>(inside.width())));
    }
    const double top = inside.height() >= 3 * line ? inside.top() + 2.0 * line + 6.0 : inside.bottom() - 6.0;
    int all = 0;
    for (const auto& [stage, gpus] : m_look.stages)
        all += gpus;
    double x = inside.left();
    for (const auto& [stage, gpus] : m_look.stages) {
        const double width = inside.width() * gpus / std::max(all, 1);
        const QRectF band(x, top, width, std::max(4.0, std::min(inside.bottom() - top, 48.0)));
        x += width;
        painter->fillRect(band, stage < 0 ? t.faint : t.stage(stage));
        if (stage >= 0 && width > 18 && band.height() > 14) {
            painter->setFont(smallFont(600));
            painter->setPen(t.onStage);
            painter->drawText(band, Qt::AlignCenter, QString::number(stage));
        }
    }
    painter->restore();
}

} // namespace pw
