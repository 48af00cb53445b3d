// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/commands/context_menu.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/geometry.h"
#include "ui/topology/stacks.h"

#include <QContextMenuEvent>
#include <QDropEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace pw {

CanvasPointer TopologyCanvas::pointerOf(const QMouseEvent& event) const {
    const QPoint view = event.position().toPoint();
    return {mapToScene(view), view, event.button(), event.modifiers()};
}

void TopologyCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() == Qt::MiddleButton) {
        active().cancel();
        m_panning = true;
        showCursor();
    }
    const CanvasPointer pointer = pointerOf(*event);
    // A right click chooses what it hits, so that menu and panel speak of the same item.
    if (event->button() == Qt::RightButton) {
        const QString hit = m_scene.itemAt(pointer.scene, 6.0 / zoom());
        if (const QSet<QString> members = m_scene.membersOf(hit);
            !hit.isEmpty() && !m_app.selection.items().contains(members))
            m_app.selection.setItems(members);
    }
    event->setAccepted(active().press(pointer));
    showCursor();
}

void TopologyCanvas::mouseMoveEvent(QMouseEvent* event) {
    const CanvasPointer pointer = pointerOf(*event);
    active().move(pointer);
    Q_EMIT pointerMoved(pointer.scene);
    event->accept();
}

void TopologyCanvas::mouseReleaseEvent(QMouseEvent* event) {
    active().release(pointerOf(*event));
    if (event->button() == Qt::MiddleButton)
        m_panning = false;
    showCursor();
    event->accept();
}

void TopologyCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const QString hit = m_scene.itemAt(mapToScene(event->position().toPoint()), 6.0 / zoom());
    if (hit.startsWith(kStackPrefix)) { // into the stack, as far as its nodes are drawn
        const QPointF at = mapToScene(event->position().toPoint());
        setZoom(kLabelScale);
        centerOn(at);
    } else if (hit.startsWith(kDomainPrefix))
        Q_EMIT itemActivated(hit.mid(kDomainPrefix.size()));
    else if (hit.startsWith(kNotePrefix) && m_tool == Tool::Select)
        editNote(hit);
    else if (!hit.isEmpty() && m_tool == Tool::Select)
        Q_EMIT itemActivated(hit);
    event->accept();
}

// On an item the menu is of all that is chosen with it, on free ground of the drawing.
void TopologyCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const QSet<QString>& chosen = m_app.selection.items();
    QPoint at = event->globalPos();
    bool onItem = !m_scene.itemAt(mapToScene(event->pos()), 6.0 / zoom()).isEmpty();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        onItem = !chosen.isEmpty();
        const QPointF place = onItem ? m_scene.boxOf(*chosen.begin()).center() : visibleScene().center();
        at = viewport()->mapToGlobal(mapFromScene(place));
    }
    active().cancel();
    const std::vector<Link>& links = m_app.document.project()->cluster.links;
    const bool allLinks = std::all_of(chosen.begin(), chosen.end(), [&](const QString& id) {
        return std::any_of(links.begin(), links.end(), [&](const Link& l) { return q(l.id) == id; });
    });
    showContext(m_app.commands, !onItem ? "canvas" : allLinks ? "canvas link" : "canvas item", this, at);
    event->accept();
}

void TopologyCanvas::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier)) {
        QGraphicsView::wheelEvent(event);
        m_fits = false;
        return;
    }
    // The point under the cursor stays where it is.
    const QPoint view = event->position().toPoint();
    const QPointF before = mapToScene(view);
    setZoom(zoom() * std::pow(1.2, event->angleDelta().y() / 120.0));
    const QPointF moved = mapToScene(view) - before;
    centerOn(mapToScene(viewport()->rect().center()) - moved);
    event->accept();
}

void TopologyCanvas::nudge(Qt::Key key, bool fine) {
    const double step = fine ? 1.0 : kGrid;
    QPointF by;
    switch (key) {
    case Qt::Key_Left:
        by.setX(-step);
        break;
    case Qt::Key_Right:
        by.setX(step);
        break;
    case Qt::Key_Up:
        by.setY(-step);
        break;
    default:
        by.setY(step);
        break;
    }
    // Presses in a row on the same items are one step of the history.
    QStringList ids(m_app.selection.items().begin(), m_app.selection.items().end());
    ids.sort();
    moveChosen(m_app, m_app.selection.items(), by, QStringLiteral("nudge:") + ids.join(QLatin1Char(',')));
}

void TopologyCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        if (active().cancel())
            break;
        if (m_tool != Tool::Select)
            setTool(Tool::Select);
        else if (!m_app.selection.items().isEmpty())
            m_app.selection.setItems({});
        else
            m_app.selection.leaveStage();
        break;
    case Qt::Key_Space:
        if (!event->isAutoRepeat() && !m_panning) {
            active().cancel();
            m_panning = true;
            showCursor();
            announceHint();
        }
        break;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        nudge(static_cast<Qt::Key>(event->key()), event->modifiers() & Qt::ShiftModifier);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (active().take())
            break;
        if (m_app.selection.items().size() != 1)
            break;
        if (m_app.selection.items().begin()->startsWith(kNotePrefix))
            editNote(*m_app.selection.items().begin());
        else
            Q_EMIT itemActivated(*m_app.selection.items().begin());
        break;
    default:
        event->ignore();
        return;
    }
    event->accept();
}

void TopologyCanvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space || event->isAutoRepeat()) {
        event->ignore();
        return;
    }
    active().cancel();
    m_panning = false;
    showCursor();
    announceHint();
}

void TopologyCanvas::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(DragPayload::kMime)))
        event->acceptProposedAction();
}

void TopologyCanvas::dragMoveEvent(QDragMoveEvent* event) {
    const std::optional<DragPayload> payload = DragPayload::fromMime(*event->mimeData());
    if (!payload)
        return;
    const QPointF at = mapToScene(event->position().toPoint());
    const QSizeF size = sizeOf(*payload);
    const QPointF corner = at - QPointF(size.width() / 2.0, size.height() / 2.0);
    m_dropGhost = QRectF(QPointF(snapped(corner.x()), snapped(corner.y())), size);
    if (payload->what == QLatin1String("kind") && m_scene.nodeItem(m_scene.boxAt(at)))
        m_dropGhost = m_scene.boxOf(m_scene.boxAt(at)).adjusted(-4, -4, 4, 4);
    viewport()->update();
    event->acceptProposedAction();
}

void TopologyCanvas::dragLeaveEvent(QDragLeaveEvent*) {
    m_dropGhost = {};
    viewport()->update();
}

void TopologyCanvas::dropEvent(QDropEvent* event) {
    m_dropGhost = {};
    viewport()->update();
    const std::optional<DragPayload> payload = DragPayload::fromMime(*event->mimeData());
    if (!payload)
        return;
    event->acceptProposedAction();
    place(*payload, mapToScene(event->position().toPoint()), event->modifiers() & Qt::ShiftModifier);
    setFocus();
}

} // namespace pw
