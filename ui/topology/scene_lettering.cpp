// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/box_index.h"
#include "ui/topology/box_lettering.h"
#include "ui/topology/domain_item.h"
#include "ui/topology/items.h"
#include "ui/topology/scene.h"

#include <algorithm>
#include <utility>

// What is written on the drawing at a scale, and where: the words of boxes, the labels of links and frames.

namespace pw {

namespace {

// `sortOf`: what boxes that are alike have in common; `keptOf`: the word that is kept beside a name that is
// cut.
template <class Item, class SortOf, class KeptOf>
void letterAlike(const QMap<QString, Item*>& items, double scale, SortOf sortOf, KeptOf keptOf) {
    struct Sort {
        AlikeNames names;
        const Item* one = nullptr;
        qsizetype words = 0;
    };
    QHash<QString, Sort> sorts;
    for (const Item* item : items) {
        Sort& sort = sorts[sortOf(item->look())];
        sort.names.widest = std::max(sort.names.widest, item->nameWidth());
        sort.names.room = sort.one ? std::min(sort.names.room, item->titleRoom()) : item->titleRoom();
        sort.one = item;
    }
    for (Sort& sort : sorts)
        sort.words = wordsBehind(sort.names, scale, sort.one->allWords(), keptOf(sort.one->look()));
    for (Item* item : items)
        item->setWords(sorts.value(sortOf(item->look())).words);
}

} // namespace

// Twice as much room on either side as it takes: what stands there may be widened, too.
void TopologyScene::widenSwitches() {
    const BoxIndex ground = BoxIndex::of(m_shownBoxes);
    for (SwitchItem* item : std::as_const(m_switches)) {
        const QRectF own = item->box().translated(item->pos());
        const QRectF wide = item->shownAt(m_scale, true).translated(item->pos());
        const double more = std::max(0.0, (wide.width() - own.width()) / 2.0);
        const bool beside =
            more > 0.0 && ground.any(wide.adjusted(-more, 0, more, 0),
                                     [&](std::size_t index) { return ground.box(index) != own; });
        item->setSeenAt(m_scale, !beside);
    }
}

void TopologyScene::label() {
    widenSwitches();
    std::vector<LabelWish> wishes;
    wishes.reserve(m_shownLinks.size());
    // Outlines alone have no room for labels but that of a chosen link: those that fit between two of them
    // would say which links are narrow by chance. A mark stays.
    for (const LinkItem* item : m_shownLinks) {
        LabelWish wish = item->labelWish();
        if (m_scale < kOutlineScale && !wish.first && wish.mark.isEmpty())
            wish.way.clear();
        wishes.push_back(std::move(wish));
    }
    const double scale = std::min(m_scale, 1.0); // from there on labels grow with the drawing
    std::vector<QRectF> covered = m_shownBoxes;
    for (const DomainItem* domain : std::as_const(m_domains))
        if (!domain->label().isNull())
            covered.push_back(domain->label());
    for (const SwitchItem* item : std::as_const(m_switches))
        if (item->shownBox() != item->box())
            covered.push_back(item->shownBox().translated(item->pos()));
    const std::vector<LabelPlace> places = placeLabels(wishes, covered, scale);
    for (std::size_t i = 0; i < places.size(); ++i)
        m_shownLinks[i]->setLabelPlace(places[i], scale);
}

void TopologyScene::letter() {
    letterAlike(
        m_nodes, m_scale, [](const NodeLook& look) { return look.what; },
        [](const NodeLook& look) { return look.kept(); });
    letterAlike(
        m_switches, m_scale, [](const SwitchLook& look) { return look.medium; },
        [](const SwitchLook&) { return QString(); });
}

// The one that is painted last.
const LinkItem* TopologyScene::labelAt(QPointF at) const {
    if (const LinkItem* hovered = shownLink(m_hovered); hovered && hovered->labelArea().contains(at))
        return hovered;
    for (const LinkItem* link : m_shownLinks)
        if (link->labelArea().contains(at))
            return link;
    return nullptr;
}

void TopologyScene::drawForeground(QPainter* painter, const QRectF& exposed) {
    const LinkItem* hovered = shownLink(m_hovered);
    for (const LinkItem* link : m_shownLinks)
        if (link != hovered)
            link->paintOver(painter, exposed);
    if (hovered)
        hovered->paintOver(painter, exposed);
    for (const DomainItem* domain : std::as_const(m_domains))
        domain->paintLabel(painter, exposed);
}

} // namespace pw
