// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/scene.h"

#include "ui/base/convert.h"
#include "ui/topology/box_index.h"
#include "ui/topology/domain_item.h"
#include "ui/topology/free_ground.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"
#include "ui/topology/stacks.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace pw {

namespace {

// Makes the map hold exactly the ids of `looks`, with their looks; items that stay keep their identity.
template <class Item, class Look>
void keepInStep(QGraphicsScene& scene, QMap<QString, Item*>& items, const std::vector<Look>& looks) {
    QMap<QString, Item*> kept;
    for (const Look& look : looks) {
        if (kept.contains(look.id))
            continue; // a second item of one name is the check's business; one of them is drawn
        Item* item = items.take(look.id);
        if (!item) {
            item = new Item(look.id);
            item->setLook(look);
            scene.addItem(item);
        } else {
            item->setLook(look);
        }
        kept.insert(look.id, item);
    }
    qDeleteAll(items);
    items = kept;
}

} // namespace

TopologyScene::TopologyScene(QObject* parent) : QGraphicsScene(parent) {}

bool TopologyScene::show(const Cluster& cluster, const Drawing& drawing) {
    keepInStep(*this, m_nodes, drawing.nodes);
    keepInStep(*this, m_switches, drawing.switches);
    keepInStep(*this, m_links, drawing.links);
    keepInStep(*this, m_notes, drawing.notes);
    std::vector<DomainLook> framed = drawing.domains;
    framed.insert(framed.end(), drawing.groups.begin(), drawing.groups.end());
    keepInStep(*this, m_domains, framed);
    for (DomainItem* item : std::as_const(m_domains))
        item->setSeenAt(m_scale);
    const std::vector<StackLook> stacks = stacksOf(cluster, drawing);
    std::vector<LinkLook> stackLinks;
    stackLinks.reserve(stacks.size());
    for (const StackLook& stack : stacks)
        stackLinks.push_back(
            {stack.id, stack.id, stack.peer, stack.label, briefRate(stack.label), stack.chosen, {}});
    keepInStep(*this, m_stacks, stacks);
    keepInStep(*this, m_stackLinks, stackLinks);
    m_order.clear();
    const QMap<QString, QPointF> before = std::exchange(m_home, {});
    const auto place = [this](const std::string& id, Point at) {
        const QString name = q(id);
        m_order << name;
        m_home.insert(name, QPointF(at.x, at.y));
    };
    for (const Node& n : cluster.nodes)
        place(n.id, n.at);
    for (const Switch& item : cluster.switches)
        place(item.id, item.at);
    for (const NoteLook& look : drawing.notes)
        m_home.insert(look.id, look.box.topLeft());
    displace({}, {});
    letter();
    const QRectF all = content();
    setSceneRect(all.isNull() ? QRectF(0, 0, 800, 600) : all.adjusted(-2000, -2000, 2000, 2000));
    return m_home != before;
}

void TopologyScene::displace(const QSet<QString>& boxes, QPointF by) {
    const auto put = [&](CanvasItem* item) {
        item->setPos(m_home.value(item->id()) + (boxes.contains(item->id()) ? by : QPointF()));
    };
    for (NodeItem* item : std::as_const(m_nodes))
        put(item);
    for (SwitchItem* item : std::as_const(m_switches))
        put(item);
    for (NoteItem* item : std::as_const(m_notes))
        put(item);
    placeStacks();
    route();
}

// A stack covers what its nodes cover.
void TopologyScene::placeStacks() {
    QSet<QString> within;
    for (StackItem* stack : std::as_const(m_stacks)) {
        QRectF all;
        for (const QString& id : stack->look().nodes) {
            all = all.united(boxOf(id));
            within.insert(id);
        }
        within.unite(QSet<QString>(stack->look().links.begin(), stack->look().links.end()));
        stack->setPos(all.topLeft());
        stack->setSize(all.size());
        stack->setVisible(m_stacked);
    }
    for (LinkItem* link : std::as_const(m_stackLinks))
        link->setVisible(m_stacked);
    for (NodeItem* node : std::as_const(m_nodes))
        node->setVisible(!m_stacked || !within.contains(node->id()));
    for (LinkItem* link : std::as_const(m_links))
        link->setVisible(!m_stacked || !within.contains(link->id()));
}

void TopologyScene::setScale(double scale) {
    if (scale == m_scale)
        return;
    m_scale = scale;
    for (DomainItem* item : std::as_const(m_domains))
        item->setSeenAt(scale);
    if (const bool stacked = scale < kStackScale; stacked != m_stacked) {
        m_stacked = stacked;
        placeStacks();
        route();
    } else {
        label();
    }
    letter();
}

QSet<QString> TopologyScene::membersOf(const QString& id) const {
    if (const DomainItem* domain = m_domains.value(id))
        return {domain->look().nodes.begin(), domain->look().nodes.end()};
    const StackItem* stack = m_stacks.value(id);
    return stack ? QSet<QString>(stack->look().nodes.begin(), stack->look().nodes.end()) : QSet<QString>{id};
}

void TopologyScene::route() {
    m_shownBoxes.clear();
    m_shownLinks.clear();
    QHash<QString, std::size_t> index;
    const auto addBox = [&](const QString& id) {
        index.insert(id, m_shownBoxes.size());
        m_shownBoxes.push_back(boxOf(id));
    };
    for (const QString& id : std::as_const(m_order))
        if (const NodeItem* node = m_nodes.value(id); !node || node->isVisible())
            addBox(id);
    if (m_stacked)
        for (const QString& id : m_stacks.keys())
            addBox(id);
    constexpr int kManyCables = 4;
    QHash<QString, int> cables; // of a node
    for (const LinkItem* item : std::as_const(m_links))
        for (const QString& end : {item->look().a, item->look().b})
            ++cables[end];
    std::vector<LinkEnds> ends;
    const auto addLink = [&](LinkItem* item) {
        const auto a = index.constFind(item->look().a), b = index.constFind(item->look().b);
        if (a == index.constEnd() || b == index.constEnd()) {
            item->setWay({}); // a link to nothing has no way; the check names it
            return;
        }
        // A node of many rails is joined as leaves and spines are.
        const auto slants = [&](const QString& id) {
            return (!m_nodes.contains(id) && !m_stacks.contains(id)) || cables.value(id) >= kManyCables;
        };
        ends.push_back({*a, *b, slants(item->look().a) && slants(item->look().b)});
        m_shownLinks.push_back(item);
    };
    for (LinkItem* item : std::as_const(m_links))
        if (item->isVisible())
            addLink(item);
    if (m_stacked)
        for (LinkItem* item : std::as_const(m_stackLinks))
            addLink(item);
    const std::vector<QPolygonF> ways = routeLinks(m_shownBoxes, ends);
    const std::vector<double> room = roomAtEnds(ways, ends);
    for (std::size_t i = 0; i < ways.size(); ++i)
        m_shownLinks[i]->setWay(ways[i], room[i]);
    frameDomains(index);
    label();
}

// Round what is shown of their nodes: those in a stack have its title.
void TopologyScene::frameDomains(const QHash<QString, std::size_t>& shown) {
    if (m_domains.isEmpty())
        return;
    const BoxIndex ground = BoxIndex::of(m_shownBoxes);
    for (DomainItem* item : std::as_const(m_domains)) {
        std::vector<QRectF> own;
        std::set<std::size_t> places;
        for (const QString& node : item->look().nodes)
            if (const auto at = shown.constFind(node); at != shown.constEnd()) {
                own.push_back(m_shownBoxes[*at]);
                places.insert(*at);
            }
        const double pad = item->look().group ? kGroupPad : kDomainPad;
        const bool alone = own.empty() || !ground.any(domainGround(own, pad),
                                                      [&](std::size_t box) { return !places.contains(box); });
        item->setFrames(domainFrames(std::move(own), alone, pad));
    }
}

QString TopologyScene::boxAt(QPointF at) const {
    for (QGraphicsItem* item : items(at)) {
        const auto* own = static_cast<CanvasItem*>(item);
        if (!own->isLink() && own->shownBox().contains(at - own->pos()))
            return own->id();
    }
    return {};
}

QString TopologyScene::itemAt(QPointF at, double tolerance) const {
    for (const DomainItem* domain : m_domains)
        if (domain->label().contains(at))
            return domain->id();
    const QString box = boxAt(at);
    if (!box.isEmpty() && !m_notes.contains(box)) // labels lie over notes
        return box;
    if (const LinkItem* link = labelAt(at))
        return link->id();
    return box.isEmpty() ? nearestLink(at, tolerance) : box;
}

QString TopologyScene::nearestLink(QPointF at, double tolerance) const {
    const QRectF around(at.x() - tolerance, at.y() - tolerance, 2 * tolerance, 2 * tolerance);
    QString nearest;
    double least = std::numeric_limits<double>::infinity();
    for (QGraphicsItem* item : items(around, Qt::IntersectsItemShape)) {
        const auto* own = static_cast<CanvasItem*>(item);
        if (!own->isLink())
            continue;
        const double apart = distanceTo(static_cast<const LinkItem*>(own)->way(), at);
        if (apart < least && apart <= 1.5 * (kLinkReach + tolerance)) { // beside its label it may be far
            least = apart;
            nearest = own->id();
        }
    }
    return nearest;
}

LinkItem* TopologyScene::shownLink(const QString& id) const {
    LinkItem* link = m_links.value(id);
    if (!link && m_stacked)
        link = m_stackLinks.value(id);
    return link && link->isVisible() ? link : nullptr;
}

void TopologyScene::setHovered(const QString& item, QPointF at, const QRectF& seen) {
    LinkItem* link = shownLink(item);
    if (m_stacks.contains(item) && boxOf(item).contains(at))
        link = nullptr; // the stack, and not its link
    if (link && link->isHovered())
        return;
    for (const auto* links : {&m_links, &m_stackLinks})
        if (LinkItem* before = links->value(m_hovered); before && before->isHovered())
            before->leaveHover();
    m_hovered = link ? item : QString();
    if (link)
        link->setHovered(at, seen);
}

QString TopologyScene::deviceAt(QPointF at) const {
    const NodeItem* node = nodeItem(boxAt(at));
    if (!node)
        return {};
    const int slot = tileAt(at - node->pos(), static_cast<int>(node->look().tiles.size()));
    return slot < 0 ? QString() : QStringLiteral("%1.g%2").arg(node->id()).arg(slot);
}

QSet<QString> TopologyScene::itemsIn(const QRectF& area) const {
    QSet<QString> found;
    for (const QString& id : m_order)
        if (boxOf(id).intersects(area))
            found.insert(id);
    for (const NoteItem* note : m_notes)
        if (area.contains(boxOf(note->id())))
            found.insert(note->id());
    for (const LinkItem* item : m_links)
        if (!item->way().isEmpty() && area.contains(item->way().boundingRect()))
            found.insert(item->id());
    return found;
}

QRectF TopologyScene::boxOf(const QString& id) const {
    if (const NodeItem* node = m_nodes.value(id))
        return node->box().translated(node->pos());
    if (const SwitchItem* item = m_switches.value(id))
        return item->box().translated(item->pos());
    if (const StackItem* stack = m_stacks.value(id))
        return stack->box().translated(stack->pos());
    if (const NoteItem* note = m_notes.value(id))
        return note->box().translated(note->pos());
    return {};
}

QRectF TopologyScene::content() const {
    QRectF all;
    for (const QString& id : m_order)
        all = all.united(boxOf(id));
    for (const QString& id : m_notes.keys())
        all = all.united(boxOf(id));
    return all.isNull() ? all : all.adjusted(-16, -12, 16, 12);
}

QStringList TopologyScene::boxes() const {
    return m_order;
}

QPointF TopologyScene::freeSpot(QPointF wanted, QSizeF size) const {
    std::vector<QRectF> taken;
    for (const QString& id : m_order)
        taken.push_back(boxOf(id));
    return pw::freeSpot(taken, wanted, size);
}

QStringList TopologyScene::notes() const {
    return m_notes.keys();
}

const NodeItem* TopologyScene::nodeItem(const QString& id) const {
    return m_nodes.value(id);
}

const LinkItem* TopologyScene::linkItem(const QString& id) const {
    return m_links.value(id);
}

const DomainItem* TopologyScene::domainItem(const QString& id) const {
    return m_domains.value(id);
}

} // namespace pw
