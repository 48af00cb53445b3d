// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"
#include "ui/topology/geometry.h"
#include "ui/topology/item_paint.h"
#include "ui/topology/items.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>

namespace pw {

LinkItem::LinkItem(const QString& id) : CanvasItem(id, true) {
    setZValue(0.5);                       // a way that passes a box goes behind it
    setFlag(ItemUsesExtendedStyleOption); // for the exposed part: a way is long, what is seen of it short
}

void LinkItem::setLook(const LinkLook& look) {
    if (look == m_look)
        return;
    prepareGeometryChange();
    m_look = look;
    m_labelWidth = QFontMetricsF(smallFont()).horizontalAdvance(look.label) + 12.0;
    measure();
    setToolTip(look.mark.text);
    setZValue(look.chosen ? 0.6 : 0.5);
    update();
}

void LinkItem::setWay(const QPolygonF& way) {
    if (way == m_way)
        return;
    prepareGeometryChange();
    m_way = way;
    measure();
}

QRectF LinkItem::labelRect() const {
    const QPointF middle = labelPoint(m_way);
    return {middle.x() - m_labelWidth / 2.0, middle.y() - 9.0, m_labelWidth, 18.0};
}

QRectF LinkItem::boundingRect() const {
    return m_bounds;
}

void LinkItem::measure() {
    const QRectF label = labelRect(); // it may be drawn up to 1 / kLabelScale times as large
    const double x = label.width() + 40.0, y = label.height() + 8.0;
    m_bounds = m_way.boundingRect()
                   .adjusted(-6, -6, 6, 6)
                   .united(QRectF(label.center() - QPointF(x, y), QSizeF(2 * x, 2 * y)));
}

QPainterPath LinkItem::shape() const {
    QPainterPath path;
    path.addPolygon(m_way);
    QPainterPathStroker stroker;
    stroker.setWidth(12.0);
    return stroker.createStroke(path);
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    if (m_way.size() < 2)
        return;
    const double scale = scaleOf(option, painter);
    const Theme& t = theme();
    const QColor colour = m_look.chosen                             ? t.accent
                          : m_look.mark.severity == Severity::Error ? t.err
                                                                    : t.text2;
    // Legs are level or upright, so they are filled rectangles: 2,000 stroked ways would cost 20 ms a frame.
    const double half = std::max(m_look.chosen ? 3.0 : 2.0, 1.0 / scale) / 2.0;
    for (qsizetype i = 0; i + 1 < m_way.size(); ++i) {
        const QRectF leg = QRectF(m_way[i], m_way[i + 1]).normalized().adjusted(-half, -half, half, half);
        if (leg.intersects(option->exposedRect))
            painter->fillRect(leg, colour);
    }
}

void LinkItem::paintOver(QPainter* painter, const QRectF& exposed) const {
    if (m_way.size() < 2 || !isVisible())
        return;
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const Theme& t = theme();
    const double reach = kHalo + 2.0 * labelRect().width();
    if (scale < kLabelScale || !(exposed.adjusted(-reach, -reach, reach, reach).contains(labelPoint(m_way)) ||
                                 exposed.adjusted(-kHalo, -kHalo, kHalo, kHalo).contains(m_way.front()) ||
                                 exposed.adjusted(-kHalo, -kHalo, kHalo, kHalo).contains(m_way.back())))
        return;
    painter->setPen(QPen(m_look.chosen ? t.accent : t.text2, 1.0));
    painter->setBrush(t.node);
    for (const QPointF& end : {m_way.front(), m_way.back()})
        painter->drawRect(QRectF(end.x() - 3, end.y() - 3, 6, 6));
    // The label keeps its size on the screen where the drawing is small.
    const double shrink = scale < kFullScale ? scale : 1.0;
    painter->save();
    painter->translate(labelPoint(m_way));
    painter->scale(1.0 / shrink, 1.0 / shrink);
    const QRectF label = labelRect().translated(-labelRect().center());
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_look.chosen ? t.accent : t.line, 1.0));
    painter->setBrush(t.panel);
    painter->drawRoundedRect(label.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setFont(smallFont());
    painter->setPen(t.text);
    painter->drawText(label, Qt::AlignCenter, m_look.label);
    if (m_look.mark.severity)
        paintSeverity(*painter, QRectF(label.left() - 18, label.top() + 1, 16, 16), *m_look.mark.severity);
    painter->restore();
}

} // namespace pw
