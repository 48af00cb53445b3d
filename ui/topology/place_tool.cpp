// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/place_tool.h"

#include "ui/base/theme.h"
#include "ui/topology/canvas.h"

#include <QPainter>

namespace pw {

void PlaceTool::setPayload(const DragPayload& payload) {
    m_payload = payload;
    m_ghost = {};
}

bool PlaceTool::press(const CanvasPointer& p) {
    if (p.button != Qt::LeftButton)
        return false;
    m_canvas.setTool(TopologyCanvas::Tool::Select);
    m_canvas.place(m_payload, p.scene, p.modifiers & Qt::ShiftModifier);
    return true;
}

bool PlaceTool::move(const CanvasPointer& p) {
    m_ghost = m_canvas.ghostOf(m_payload, p.scene);
    m_canvas.viewport()->update();
    return true;
}

bool PlaceTool::take() {
    m_canvas.setTool(TopologyCanvas::Tool::Select);
    m_canvas.placeFree(m_payload);
    return true;
}

void PlaceTool::paint(QPainter& painter) const {
    if (m_ghost.isNull())
        return;
    painter.setPen(QPen(theme().accent, 0, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_ghost);
}

QString PlaceTool::hint() const {
    return TopologyCanvas::tr("Click where it goes, or press Enter for the middle of the view; Esc leaves");
}

} // namespace pw
