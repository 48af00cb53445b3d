// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/tools.h"

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/geometry.h"
#include "ui/topology/scene.h"

#include <QApplication>
#include <QDrag>
#include <QPainter>

namespace pw {

bool isDrag(QPoint from, QPoint to) {
    return (from - to).manhattanLength() >= QApplication::startDragDistance();
}

SelectTool::SelectTool(TopologyCanvas& canvas)
    : CanvasTool(canvas), m_end(canvas.context(), canvas.topology(), canvas, [this] {
          m_canvas.announceHint();
          m_canvas.viewport()->update();
      }) {}

bool SelectTool::press(const CanvasPointer& p) {
    if (p.button != Qt::LeftButton)
        return false;
    Selection& selection = m_canvas.context().selection;
    const QString hit = m_canvas.topology().itemAt(p.scene, 6.0 / m_canvas.zoom());
    const bool adds = p.modifiers & (Qt::ShiftModifier | Qt::ControlModifier);
    // A chosen box is dragged with all that is chosen, wherever on it the ends of its links are.
    const bool moves = selection.items().contains(hit) && !m_canvas.topology().boxOf(hit).isNull();
    if (!adds && !moves && m_end.begin(p.scene)) {
        m_gesture = Gesture::LinkEnd;
        m_grabbed = hit;
        m_fromView = p.view;
        m_canvas.announceHint();
        return true;
    }
    m_before = selection.items();
    m_from = p.scene;
    m_fromView = p.view;
    m_by = {};
    if (hit.isEmpty()) {
        m_gesture = Gesture::Band;
        m_band = QRectF(p.scene, p.scene);
        if (!adds) {
            selection.setItems({});
            selection.setDevice({});
        }
        return true;
    }
    QSet<QString> items = m_before;
    m_together = m_canvas.togetherWith(hit);
    m_grabbed = m_together.contains(hit) ? hit : *m_together.begin(); // of a stack, one of its nodes
    if (adds && items.contains(m_grabbed))
        items.subtract(m_together);
    else if (adds)
        items.unite(m_together);
    else if (!items.contains(m_grabbed))
        items = m_together;
    m_gesture = Gesture::Pressed;
    selection.setItems(items);
    const bool named = m_canvas.topology().domainItem(hit) != nullptr; // the click was on its name
    selection.setDevice(adds || named ? QString() : m_canvas.topology().deviceAt(p.scene));
    return true;
}

bool SelectTool::move(const CanvasPointer& p) {
    if (m_gesture == Gesture::Band) {
        m_band = QRectF(m_from, p.scene).normalized();
        QSet<QString> items = m_canvas.topology().itemsIn(m_band);
        if (p.modifiers & (Qt::ShiftModifier | Qt::ControlModifier))
            items.unite(m_before);
        m_canvas.context().selection.setItems(items);
        m_canvas.viewport()->update();
        return true;
    }
    if (m_gesture == Gesture::LinkEnd) {
        m_end.move(p.scene);
        return true;
    }
    if (m_gesture == Gesture::Pressed && isDrag(m_fromView, p.view) &&
        m_canvas.context().selection.items().contains(m_grabbed))
        m_gesture = Gesture::Moving;
    if (m_gesture != Gesture::Moving)
        return m_gesture != Gesture::None;
    const QString device = m_canvas.context().selection.device();
    if (!device.isEmpty() && !m_canvas.viewport()->rect().contains(p.view)) {
        cancel();
        dragDevice(device);
        return true;
    }
    m_by = p.scene - m_from;
    TopologyScene& scene = m_canvas.topology();
    if (m_canvas.snaps() && !(p.modifiers & Qt::AltModifier)) {
        scene.displace({}, {});
        const QPointF home = scene.boxOf(m_grabbed).topLeft();
        m_by = QPointF(snapped(home.x() + m_by.x()), snapped(home.y() + m_by.y())) - home;
    }
    scene.displace(m_canvas.context().selection.items(), m_by);
    return true;
}

// A chosen GPU that is dragged out of the canvas goes to a stage instead of moving its node.
void SelectTool::dragDevice(const QString& device) {
    auto* drag = new QDrag(&m_canvas);
    drag->setMimeData(DeviceDrag::toMime({device}));
    drag->setPixmap(icon(QStringLiteral("gpu"), IconTone::Accent).pixmap(24, 24));
    drag->exec(Qt::MoveAction);
}

bool SelectTool::release(const CanvasPointer& p) {
    const Gesture was = m_gesture;
    m_gesture = Gesture::None;
    if (was == Gesture::LinkEnd && isDrag(m_fromView, p.view)) {
        m_end.move(p.scene);
        m_end.drop();
    } else if (was == Gesture::LinkEnd) {
        clickEnd();
    }
    if (was == Gesture::Moving && !moveChosen(m_canvas.context(), m_canvas.context().selection.items(), m_by))
        m_canvas.topology().displace({}, {});
    // A plain click on one of several chosen items chooses that one; it could have begun a drag of all.
    if (was == Gesture::Pressed && !(p.modifiers & (Qt::ShiftModifier | Qt::ControlModifier)))
        m_canvas.context().selection.setItems(m_together);
    m_canvas.viewport()->update();
    return was != Gesture::None;
}

// Without a drag the click was meant for the box below the square, which covers a part of its edge.
void SelectTool::clickEnd() {
    m_end.cancel();
    if (!m_canvas.topology().boxOf(m_grabbed).isNull())
        m_canvas.context().selection.setItems(m_canvas.togetherWith(m_grabbed));
}

bool SelectTool::cancel() {
    const Gesture was = m_gesture;
    m_gesture = Gesture::None;
    if (was == Gesture::LinkEnd)
        m_end.cancel();
    if (was == Gesture::Moving)
        m_canvas.topology().displace({}, {});
    if (was == Gesture::Band)
        m_canvas.context().selection.setItems(m_before);
    m_canvas.viewport()->update();
    return was != Gesture::None;
}

void SelectTool::paint(QPainter& painter) const {
    m_end.paint(painter);
    if (m_gesture != Gesture::Band || m_band.isNull())
        return;
    QColor fill = theme().accent;
    fill.setAlphaF(0.16F);
    painter.setPen(QPen(theme().accent, 0));
    painter.setBrush(fill);
    painter.drawRect(m_band);
}

bool PanTool::press(const CanvasPointer& p) {
    m_down = true;
    m_last = p.view;
    return true;
}

bool PanTool::move(const CanvasPointer& p) {
    if (!m_down)
        return false;
    const QPoint by = p.view - m_last;
    m_last = p.view;
    if (by.isNull())
        return true;
    m_canvas.leaveFit();
    m_canvas.scrollBy(-by);
    return true;
}

bool PanTool::release(const CanvasPointer&) {
    m_down = false;
    return true;
}

bool PanTool::cancel() {
    const bool was = m_down;
    m_down = false;
    return was;
}

QString PanTool::hint() const {
    return TopologyCanvas::tr("Drag to move the sheet");
}

} // namespace pw
