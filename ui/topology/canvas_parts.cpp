// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/domain_item.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"

// The items of the drawing as assistive tools find them.

namespace pw {

namespace {
const QString kMiddle = QStringLiteral(":middle"); // no item's id has a colon
}

std::vector<AccessiblePart> TopologyCanvas::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    const QRectF seen = visibleScene();
    const Cluster& cluster = m_app.document.project()->cluster;
    const auto placed = [this](const QRectF& scene) {
        return mapFromScene(scene).boundingRect().intersected(viewport()->rect());
    };
    const auto add = [&](const QString& id, const QString& name, const QString& more, const QRectF& scene,
                         bool chosen) {
        if (parts.size() < kMostParts && scene.intersects(seen))
            parts.push_back({id, name, more, placed(scene), QAccessible::ListItem, chosen});
    };
    if (armed()) // whoever has no pointer puts it there
        parts.push_back({kMiddle, tr("middle of the view"), active().hint(),
                         QRect(viewport()->rect().center(), QSize(1, 1)), QAccessible::ListItem, false});
    for (const NodeLook& node : m_drawing.nodes) {
        const QRectF box = m_scene.boxOf(node.id);
        add(node.id, tr("node %1").arg(node.id), wordsOf(node.id), box, node.chosen);
        for (std::size_t g = 0; node.chosen && g < node.tiles.size(); ++g) {
            const TileLook& tile = node.tiles[g];
            const QString id = QStringLiteral("%1.g%2").arg(node.id).arg(g);
            add(id, tr("GPU %1").arg(id),
                tile.stage < 0 ? (tile.leftOut ? tr("left out of plans") : tr("no stage"))
                               : tr("stage %1, %2").arg(tile.stage).arg(memoryText(tile.used, tile.room)) +
                                     (tile.pipeline < 0 ? QString() : tr(", pipeline %1").arg(tile.pipeline)),
                tileRect(static_cast<int>(g)).translated(box.topLeft()), tile.chosen);
        }
    }
    for (const SwitchLook& item : m_drawing.switches)
        if (const QRectF box = m_scene.boxOf(item.id); box.intersects(seen)) // what it has takes time to tell
            add(item.id, tr("switch %1").arg(item.id), wordsOf(item.id), box, item.chosen);
    for (const LinkLook& link : m_drawing.links)
        if (const LinkItem* item = m_scene.linkItem(link.id))
            add(link.id, tr("link %1 to %2").arg(link.a, link.b), wordsOf(link.id), item->sceneBoundingRect(),
                link.chosen);
    for (const DomainLook& domain : m_drawing.domains)
        if (const DomainItem* item = m_scene.domainItem(domain.id))
            add(domain.id, tr("NVLink domain %1").arg(domain.name), describeItem(cluster, domain.name),
                item->label(), domain.chosen);
    for (const DomainLook& group : m_drawing.groups)
        if (const DomainItem* item = m_scene.domainItem(group.id))
            add(group.id, group.name, group.what, item->label(), group.chosen);
    for (const NoteLook& note : m_drawing.notes)
        add(note.id, tr("note"), note.text, note.box, note.chosen);
    return parts;
}

void TopologyCanvas::activatePart(const QString& key) {
    if (key == kMiddle) {
        active().take();
        return;
    }
    if (armed())
        setTool(Tool::Select);
    const qsizetype gpu = key.lastIndexOf(QStringLiteral(".g"));
    if (gpu > 0 && m_scene.nodeItem(key.left(gpu))) {
        chooseItem(key.left(gpu));
        m_app.selection.setDevice(key);
    } else if (const DomainItem* domain = m_scene.domainItem(key)) {
        m_app.selection.setItems(m_scene.membersOf(key));
        ensureVisible(domain->label(), 24, 24);
    } else {
        // With the link tool an end of the link, as by a click: of several that are chosen all are joined.
        if (m_tool != Tool::Link || !m_app.selection.items().contains(key))
            chooseItem(key);
        active().take();
    }
}

} // namespace pw
