// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/item_paint.h"

#include "ui/base/theme.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

namespace pw {

double scaleOf(const QStyleOptionGraphicsItem* option, const QPainter* painter) {
    return option->levelOfDetailFromTransform(painter->worldTransform());
}

void paintSeverity(QPainter& painter, const QRectF& rect, Severity severity) {
    const Theme& t = theme();
    const bool error = severity == Severity::Error;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / 16.0, rect.height() / 16.0);
    painter.setPen(QPen(error ? t.err : t.warn, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(error ? t.errGround : t.warnGround);
    if (error) {
        painter.drawEllipse(QRectF(1.7, 1.7, 12.6, 12.6));
        painter.drawLine(QPointF(5.7, 5.7), QPointF(10.3, 10.3));
        painter.drawLine(QPointF(10.3, 5.7), QPointF(5.7, 10.3));
    } else {
        painter.drawPolygon(QPolygonF({QPointF(8, 2), QPointF(14.5, 13.5), QPointF(1.5, 13.5)}));
        painter.drawLine(QPointF(8, 6.4), QPointF(8, 9.4));
        painter.drawPoint(QPointF(8, 11.6));
    }
    painter.restore();
}

} // namespace pw
