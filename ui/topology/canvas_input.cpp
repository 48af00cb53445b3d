// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/geometry.h"
#include "ui/topology/stacks.h"
#include "ui/topology/tools.h"

#include <QApplication>
#include <QDropEvent>
#include <QMouseEvent>

#include <cmath>

namespace pw {

CanvasPointer TopologyCanvas::pointerOf(const QMouseEvent& event) const {
    const QPoint view = event.position().toPoint();
    return {mapToScene(view), view, event.button(), event.modifiers()};
}

// An editor that ends because it was left still does so before the other widget is told of its focus.
void TopologyCanvas::takeKeysFrom(const QWidget* editor) {
    const QWidget* holder = QApplication::focusWidget();
    if (!holder || holder == editor)
        setFocus();
}

void TopologyCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    m_pointer = event->position().toPoint();
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
    m_pointer = pointer.view;
    active().move(pointer);
    const bool idle = event->buttons() == Qt::NoButton && m_tool == Tool::Select && !m_panning;
    m_scene.setHovered(idle ? m_scene.itemAt(pointer.scene, 6.0 / zoom()) : QString(), pointer.scene,
                       visibleScene());
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
    // A click, the key of the tool and a click again in no time: the second begins the link.
    if (const auto* link = dynamic_cast<const LinkTool*>(&active()); link && !link->hasBegun())
        return mousePressEvent(event);
    const QString hit = m_scene.itemAt(mapToScene(event->position().toPoint()), 6.0 / zoom());
    if (hit.startsWith(kStackPrefix)) { // into the stack, as far as its nodes are drawn
        const QPointF at = mapToScene(event->position().toPoint());
        setZoom(kLabelScale);
        centerOn(at);
    } else if (hit.startsWith(kDomainPrefix))
        Q_EMIT itemActivated(hit.mid(kDomainPrefix.size()));
    else if (hit.startsWith(kNotePrefix) && m_tool == Tool::Select)
        editNote(hit);
    else if (!m_scene.boxOf(hit).isNull() && m_tool == Tool::Select)
        editName(hit);
    else if (!hit.isEmpty() && !hit.startsWith(kGroupPrefix) && m_tool == Tool::Select)
        Q_EMIT itemActivated(hit);
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
    if (m_app.selection.items().isEmpty()) { // as the sheet itself
        constexpr double kScroll = 48.0;     // px a press
        leaveFit();
        scrollBy((by / step * kScroll).toPoint());
        hintForNow(
            tr("Nothing is chosen: arrows move the view. Tab chooses the next item, which they then move."));
        return;
    }
    // Presses in a row on the same items are one step of the history.
    QStringList ids(m_app.selection.items().begin(), m_app.selection.items().end());
    ids.sort();
    moveChosen(m_app, m_app.selection.items(), by, QStringLiteral("nudge:") + ids.join(QLatin1Char(',')));
}

// Of notes and items together the items: a note has no properties.
void TopologyCanvas::openChosen() {
    const QSet<QString> chosen = m_app.selection.items();
    const auto item = std::find_if(chosen.begin(), chosen.end(),
                                   [](const QString& id) { return !id.startsWith(kNotePrefix); });
    if (item != chosen.end())
        Q_EMIT itemActivated(*item);
    else if (!chosen.isEmpty())
        editNote(*chosen.begin());
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
        if (m_app.selection.items().size() == 1)
            openChosen();
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
    if (!event->mimeData()->hasFormat(QLatin1String(DragPayload::kMime)))
        return;
    if (armed())
        setTool(Tool::Select);
    event->acceptProposedAction();
}

void TopologyCanvas::dragMoveEvent(QDragMoveEvent* event) {
    const std::optional<DragPayload> payload = DragPayload::fromMime(*event->mimeData());
    if (!payload)
        return;
    const QPointF at = mapToScene(event->position().toPoint());
    m_dropGhost = ghostOf(*payload, at);
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
    const QPointF at = mapToScene(event->position().toPoint());
    const bool asks = event->modifiers() & Qt::ShiftModifier;
    const QString under = m_scene.boxAt(at);
    // Onto a node it changes what that is, as no click does.
    if (payload->what == QLatin1String("kind") && !asks && m_scene.nodeItem(under)) {
        m_app.selection.setKind(payload->name);
        changeKind(m_app, under, s(payload->name));
    } else {
        place(*payload, at, asks);
    }
    setFocus();
}

} // namespace pw
