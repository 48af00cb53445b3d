// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/drag_payload.h"
#include "ui/topology/tools.h"

namespace pw {

// Puts what was chosen in the palette, or by a button, where the next click is, and gives way to the select
// tool then. Until then a frame at the pointer shows what room it takes. Enter puts it into the middle of the
// view.
class PlaceTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;
    void setPayload(const DragPayload& payload);
    const DragPayload& payload() const { return m_payload; }

    bool press(const CanvasPointer&) override;
    bool move(const CanvasPointer&) override;
    bool take() override;
    void paint(QPainter&) const override;
    QString hint() const override;
    QCursor cursor() const override { return Qt::CrossCursor; }

private:
    DragPayload m_payload;
    QRectF m_ghost; // null until the pointer has come
};

} // namespace pw
