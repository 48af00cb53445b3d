// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/domains.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/commands/app_context.h"
#include "ui/commands/context_menu.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/link_traffic.h"
#include "ui/session/selection.h"
#include "ui/session/shown_plan.h"
#include "ui/session/what_if.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drawing.h"
#include "ui/topology/items.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QCursor>
#include <QHelpEvent>
#include <QMenu>
#include <QToolTip>

#include <algorithm>
#include <string_view>

// What a right click, the Menu key and a pointer that rests tell of the drawing.

namespace pw {

// On an item the menu is of all that is chosen with it, on free ground of the drawing.
void TopologyCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const QSet<QString>& chosen = m_app.selection.items();
    QPoint at = event->globalPos();
    bool onItem = !m_scene.itemAt(mapToScene(event->pos()), 6.0 / zoom()).isEmpty();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        onItem = !chosen.isEmpty();
        const QPointF place = onItem ? m_scene.boxOf(*chosen.begin()).center() : visibleScene().center();
        at = viewport()->mapToGlobal(mapFromScene(place));
    } else {
        m_pointer = event->pos();
    }
    active().cancel();
    const Cluster& cluster = m_app.document.project()->cluster;
    const std::vector<Link>& links = cluster.links;
    const bool allLinks = std::all_of(chosen.begin(), chosen.end(), [&](const QString& id) {
        return std::any_of(links.begin(), links.end(), [&](const Link& l) { return q(l.id) == id; });
    });
    const auto boxes = std::count_if(chosen.begin(), chosen.end(), [&](const QString& id) {
        return !id.startsWith(kNotePrefix) && !m_scene.boxOf(id).isNull();
    });
    const char* place = !onItem ? "canvas" : allLinks ? "canvas link" : "canvas item";
    QMenu* menu = newContextMenu(place, this);
    const bool inDomain = std::any_of(chosen.begin(), chosen.end(),
                                      [&](const QString& id) { return domainOf(cluster, s(id)) != nullptr; });
    fillContext(*menu, m_app.commands, place, [&](std::string_view id) {
        if (id == "canvas.rename")
            return chosen.size() == 1;
        if (id == "canvas.linkThese")
            return boxes > 1;
        if (id == "canvas.leaveDomain")
            return inDomain;
        if (id == "canvas.leaveOut")
            return canLeaveOut(m_app);
        return id == "canvas.group" ? canGroup(m_app) : id != "canvas.ungroup" || canUngroup(m_app);
    });
    const QString only = onItem && chosen.size() == 1 ? *chosen.begin() : QString();
    if (cluster.node(s(only))) {
        const QString gpu = event->reason() == QContextMenuEvent::Keyboard
                                ? m_app.selection.device()
                                : m_scene.deviceAt(mapToScene(event->pos()));
        if (gpu.section(QLatin1Char('.'), 0, -2) == only) { // beside the entry for the whole node
            const bool out = areLeftOut(*m_app.document.project(), {s(gpu)});
            auto* one = new QAction((out ? tr("Use %1 again") : tr("Leave out %1 only")).arg(gpu), menu);
            connect(one, &QAction::triggered, this, [this, gpu] { leaveGpuOut(m_app, gpu); });
            const QList<QAction*> entries = menu->actions();
            const auto whole =
                std::ranges::find(entries, QStringLiteral("canvas.leaveOut"), &QAction::objectName);
            menu->insertAction(entries.value(whole - entries.begin() + 1), one);
        }
        menu->addSeparator();
        QAction* fails =
            menu->addAction(tr("What if %1 fails").arg(only), this, [this, only] { doWithout(only); });
        QString why = m_app.whatIf.whyNotDropped(only);
        if (why.isEmpty() && !m_overlay)
            why = tr("The stages of the plan are hidden: show them first.");
        fails->setEnabled(why.isEmpty());
        fails->setToolTip(why.isEmpty()
                              ? tr("Shows the plan in view without this node, all else as it is. Plans "
                                   "that are made anew: How sure, and what if in Answers.")
                              : why);
        fails->setStatusTip(fails->toolTip());
        menu->setToolTipsVisible(true);
    }
    // The pointer may have left the view while the menu was open. Queued: what was chosen still goes to where
    // the menu was asked for.
    const auto leave = [this] {
        if (!viewport()->rect().contains(viewport()->mapFromGlobal(QCursor::pos())))
            m_pointer.reset();
    };
    connect(menu, &QMenu::aboutToHide, this, leave, Qt::QueuedConnection);
    menu->popup(at);
    event->accept();
}

// What it comes to the window says; what was refused the stage map says itself, where it is seen.
void TopologyCanvas::doWithout(const QString& node) {
    const QMetaObject::Connection said =
        connect(&m_app.whatIf, &WhatIf::refused, &m_app.document, &Document::failed);
    m_app.whatIf.dropNode(node);
    disconnect(said);
}

bool TopologyCanvas::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave) {
        m_scene.setHovered({});
        if (!QApplication::activePopupWidget())
            m_pointer.reset();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const QString text = tipAt(help->pos()); !text.isEmpty()) {
            QToolTip::showText(help->globalPos(), text, viewport());
            return true;
        }
    }
    return QGraphicsView::viewportEvent(event);
}

// Of a link, wherever a click would choose it: what it is, and what is wrong with it.
QString TopologyCanvas::tipAt(QPoint view) const {
    const QString id = m_scene.itemAt(mapToScene(view), 6.0 / zoom());
    const LinkItem* item = m_scene.linkItem(id);
    const Link* link = m_app.document.project()->cluster.link(s(id));
    if (!item || !link)
        return {};
    const QString tip = linkTip(*link, item->look().mark);
    const PlanLinks* links = planLinks();
    return links ? tip + QLatin1Char('\n') + sentence(links->text(*link)) : tip;
}

} // namespace pw
