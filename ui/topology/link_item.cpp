// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/theme.h"
#include "ui/topology/geometry.h"
#include "ui/topology/item_paint.h"
#include "ui/topology/items.h"

#include <QLineF>
#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {
constexpr double kMark = 18.0;        // px, the height of a label and the room of a mark
constexpr double kBriefHeight = 15.0; // px
constexpr double kHalfEnd =
    3.0; // of the side of a square at an end: px where the drawing is small, else scene units
constexpr double kThin = 2.0;        // scene units, of a link that nothing is known of
constexpr double kBusiest = 3.0;     // that one gets thicker that is always busy: tracks stay apart
constexpr double kOverPointer = 3.0; // px, so near that the pointer reaches the label
} // namespace

LinkItem::LinkItem(const QString& id) : CanvasItem(id, true) {
    setZValue(0.5);                       // a way that passes a box goes behind it
    setFlag(ItemUsesExtendedStyleOption); // for the exposed part: a way is long, what is seen of it short
}

void LinkItem::setLook(const LinkLook& look) {
    if (look == m_look)
        return;
    prepareGeometryChange();
    m_look = look;
    const QFontMetricsF metrics(smallFont());
    m_labelWidth = metrics.horizontalAdvance(look.label) + 12.0;
    m_briefWidth = metrics.horizontalAdvance(look.brief) + 8.0;
    measure();
    setToolTip(look.mark.text);
    setZValue(look.chosen ? 0.6 : look.lit ? 0.55 : 0.5);
    update();
}

void LinkItem::setWay(const QPolygonF& way, double room) {
    if (way == m_way && room == m_room)
        return;
    prepareGeometryChange();
    m_way = way;
    m_room = room;
    measure();
}

LabelWish LinkItem::labelWish() const {
    const QSizeF mark = m_look.mark.severity ? QSizeF(kMark, kMark) : QSizeF(0, 0);
    return {m_way, QSizeF(m_labelWidth, kMark), mark, m_look.chosen,
            m_look.brief.isEmpty() ? QSizeF() : QSizeF(m_briefWidth, kBriefHeight)};
}

void LinkItem::setLabelPlace(const LabelPlace& place, double scale) {
    if (place == m_place && scale == m_scale)
        return;
    prepareGeometryChange();
    m_place = place;
    m_scale = scale;
    measure();
}

void LinkItem::setHovered(QPointF at, const QRectF& seen) {
    prepareGeometryChange();
    m_hovered = true;
    if (const QRectF laid = areaAt(m_place); !laid.contains(at) && !seen.contains(laid)) {
        LabelPlace beside{at, true};
        QRectF area = areaAt(beside);
        const double over = kOverPointer / m_scale;
        area.moveBottom(at.y() - over);
        if (area.top() < seen.top())
            area.moveTop(at.y() + over);
        area.moveLeft(std::max(seen.left(), std::min(area.left(), seen.right() - area.width())));
        beside.at = area.center();
        m_byPointer = beside;
    }
    measure();
    update();
}

void LinkItem::leaveHover() {
    prepareGeometryChange();
    m_hovered = false;
    m_byPointer.reset();
    measure();
    update();
}

QRectF LinkItem::boundingRect() const {
    return m_bounds;
}

void LinkItem::measure() {
    const double reach = m_look.chosen ? std::max(kLinkReach, (kHalfEnd + 1.0) / m_scale) : kLinkReach;
    m_bounds = m_way.boundingRect().adjusted(-reach, -reach, reach, reach);
    const double line = 2.0 / m_scale;
    if (const QRectF label = labelArea(); !label.isNull())
        m_bounds |= label.adjusted(-line, -line, line, line);
}

QRectF LinkItem::labelArea() const {
    return areaAt(labelPlace());
}

QRectF LinkItem::areaAt(const LabelPlace& place) const {
    if (!place.label)
        return {};
    const double mark = m_look.mark.severity ? kMark : 0.0;
    const QSizeF size = QSizeF(mark + (place.brief ? m_briefWidth : m_labelWidth),
                               std::max(mark, place.brief ? kBriefHeight : kMark)) /
                        m_scale;
    return {place.at - QPointF(size.width() / 2.0, size.height() / 2.0), size};
}

// Rectangles that are drawn in one direction, so that where they overlap is inside, too.
QPainterPath LinkItem::shape() const {
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    for (qsizetype i = 0; i + 1 < m_way.size(); ++i)
        for (const QRectF& part : legBoxes({m_way[i], m_way[i + 1]}))
            path.addRect(part.adjusted(-kLinkReach, -kLinkReach, kLinkReach, kLinkReach));
    if (const QRectF label = labelArea(); !label.isNull())
        path.addRect(label);
    return path;
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    if (m_way.size() < 2)
        return;
    const double scale = scaleOf(option, painter);
    const Theme& t = theme();
    const bool idle = m_look.load == 0.0 || m_look.leftOut; // the plan leaves it alone
    const QColor colour = m_look.chosen || m_look.lit || m_hovered  ? t.accent
                          : m_look.mark.severity == Severity::Error ? t.err
                          : idle                                    ? t.line
                                                                    : t.text2;
    // Nearly all legs are level or upright, so that they are filled rectangles: 2,000 stroked ways would cost
    // 20 ms a frame. In whole pixels: one that is thinner than a pixel would be seen here and not there.
    // The busier the thicker, but no more than leaves half of the way to the next one open.
    const double own = std::clamp(kThin + kBusiest * std::clamp(m_look.load, 0.0, 1.0), kThin / 2.0,
                                  std::max(kThin / 2.0, m_room / 2.0));
    const double wide =
        std::max(m_look.chosen ? 2.0 : 1.0, std::round(std::max(own, m_look.chosen ? 3.0 : 0.0) * scale));
    const QTransform toView = painter->worldTransform();
    painter->resetTransform();
    for (qsizetype i = 0; i + 1 < m_way.size(); ++i) {
        const QRectF leg = QRectF(m_way[i], m_way[i + 1]).normalized();
        if (!leg.adjusted(-kLinkReach, -kLinkReach, kLinkReach, kLinkReach).intersects(option->exposedRect))
            continue;
        if (m_look.leftOut || isSlanted({m_way[i], m_way[i + 1]})) { // few: slanted ones are between switches
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(QPen(colour, wide, m_look.leftOut ? Qt::DashLine : Qt::SolidLine));
            painter->drawLine(toView.map(QLineF(m_way[i], m_way[i + 1])));
            painter->setRenderHint(QPainter::Antialiasing, false);
            continue;
        }
        const QRectF seen = toView.mapRect(leg);
        const auto from = [wide](double at) { return std::floor(at - wide / 2.0); };
        painter->fillRect(QRectF(QPointF(from(seen.left()), from(seen.top())),
                                 QPointF(from(seen.right()) + wide, from(seen.bottom()) + wide)),
                          colour);
    }
    painter->setWorldTransform(toView);
}

QRectF LinkItem::grip(End end, double scale) const {
    if (m_way.size() < 2)
        return {};
    const QLineF leg =
        end == End::A ? QLineF(m_way[0], m_way[1]) : QLineF(m_way.back(), m_way[m_way.size() - 2]);
    const double half = std::max(kHalfEnd, kHalfEnd / scale);
    const double before = scale >= kLabelScale ? 0.0 : half + 1.0 / scale;
    const QPointF at = before > 0.0 ? leg.pointAt(before / std::max(before, leg.length())) : leg.p1();
    return {at.x() - half, at.y() - half, 2.0 * half, 2.0 * half};
}

void LinkItem::paintOver(QPainter* painter, const QRectF& exposed) const {
    if (m_way.size() < 2 || !isVisible() || !m_bounds.intersects(exposed))
        return;
    const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
    const Theme& t = theme();
    // Those of a chosen link are what is taken hold of. In small drawings the others are left out: they would
    // lie on the names of their boxes.
    if (scale >= kLabelScale || m_look.chosen) {
        painter->setPen(QPen(m_look.chosen ? t.accent : t.text2, 0));
        painter->setBrush(t.node);
        for (const End end : {End::A, End::B}) {
            const QPointF at = end == End::A ? m_way.front() : m_way.back();
            const QRectF port =
                m_look.chosen ? grip(end, scale)
                              : QRectF(at.x() - kHalfEnd, at.y() - kHalfEnd, 2.0 * kHalfEnd, 2.0 * kHalfEnd);
            if (port.intersects(exposed))
                painter->drawRect(port);
        }
    }
    const QRectF area = labelArea(); // a way is long, and its label mostly not where it is looked at
    if (area.isNull() || !area.intersects(exposed))
        return;
    painter->save();
    painter->translate(area.center());
    painter->scale(1.0 / m_scale, 1.0 / m_scale);
    const bool brief = labelPlace().brief;
    const double high = brief ? kBriefHeight : kMark;
    const double width = area.width() * m_scale, mark = m_look.mark.severity ? kMark : 0.0;
    const QRectF label(mark - width / 2.0, -high / 2.0, width - mark, high);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_look.chosen || m_hovered ? t.accent : t.line, 1.0));
    painter->setBrush(t.panel);
    painter->drawRoundedRect(label.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setFont(smallFont());
    painter->setPen(t.text);
    painter->drawText(label, Qt::AlignCenter, brief ? m_look.brief : m_look.label);
    if (m_look.mark.severity)
        paintSeverity(*painter, QRectF(-width / 2.0, -8.0, 16, 16), *m_look.mark.severity);
    painter->restore();
}

} // namespace pw
