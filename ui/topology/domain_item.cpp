// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/domain_item.h"

#include "ui/base/theme.h"
#include "ui/topology/item_paint.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr double kFrameLabel = 16.0, kLeastLabel = 28.0; // px: height, and least width
constexpr double kLabelPad = 6.0, kLabelMark = 18.0;     // px
constexpr double kFrameLine = 2.0;                       // px, of what is chosen

QRectF padded(const QRectF& box, double pad) {
    return box.adjusted(-pad, -pad, pad, pad);
}

} // namespace

QRectF domainGround(const std::vector<QRectF>& boxes, double pad) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= padded(box, pad);
    return all;
}

std::vector<QRectF> domainFrames(std::vector<QRectF> boxes, bool alone, double pad) {
    if (boxes.empty())
        return {};
    if (alone)
        return {domainGround(boxes, pad)};
    for (QRectF& box : boxes)
        box = padded(box, pad);
    const auto first = std::ranges::min_element(
        boxes, {}, [](const QRectF& box) { return std::pair(box.top(), box.left()); });
    std::iter_swap(boxes.begin(), first);
    return boxes;
}

DomainItem::DomainItem(const QString& id) : CanvasItem(id, false) {}

void DomainItem::setLook(const DomainLook& look) {
    if (look == m_look)
        return;
    m_look = look;
    const QString tip = look.group ? QString() : look.what; // its items are seen
    setToolTip(look.mark.text.isEmpty() ? tip : tip + QLatin1Char('\n') + look.mark.text);
    setZValue(look.group ? -0.5 : -1.0); // over the ground of a domain
    layLabel();
    update();
}

void DomainItem::setFrames(std::vector<QRectF> frames) {
    if (frames == m_frames)
        return;
    m_frames = std::move(frames);
    layLabel();
}

void DomainItem::setSeenAt(double scale) {
    if (scale == m_scale)
        return;
    m_scale = scale;
    layLabel();
}

void DomainItem::layLabel() {
    prepareGeometryChange();
    m_label = {};
    m_shown.clear();
    m_bounds = {};
    if (m_frames.empty())
        return;
    for (const QRectF& frame : m_frames)
        m_bounds |= frame;
    const double scale = std::min(m_scale, 1.0); // from there on it grows with the drawing
    const double line = kFrameLine / scale;
    m_bounds.adjust(-line, -line, line, line);

    const QRectF& first = m_frames.front();
    const double mark = m_look.mark.severity ? kLabelMark : 0.0;
    const double room = first.width() * scale - 2.0 * kLabelPad - mark;
    const QSizeF least = QSizeF(kLeastLabel + mark, kFrameLabel) / scale;
    const bool inside = m_scale < kOutlineScale;
    if (first.width() < least.width() || (inside && (m_look.group || first.height() < least.height())))
        return;
    const QFontMetricsF metrics(smallFont(600));
    m_shown = metrics.horizontalAdvance(m_look.label) <= room
                  ? m_look.label
                  : metrics.elidedText(m_look.name, Qt::ElideMiddle, room);
    const QSizeF size =
        QSizeF(metrics.horizontalAdvance(m_shown) + 2.0 * kLabelPad + mark, kFrameLabel) / scale;
    // Half on the frame as long as that covers no node's name.
    const double over =
        m_scale < kLabelScale ? 0.0 : std::min(size.height() / 2.0, m_look.group ? kGroupPad : kDomainPad);
    const double bottom = m_look.group ? first.bottom() - over + size.height()
                          : inside     ? first.top() + size.height()
                                       : first.top() + over;
    m_label = {QPointF(first.left(), bottom - size.height()), size};
    m_bounds |= m_label.adjusted(-line, -line, line, line);
}

void DomainItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Theme& t = theme();
    const bool wrong = m_look.mark.severity == Severity::Error;
    QPen pen(m_look.chosen ? t.accent : wrong ? t.err : t.text3, m_look.chosen ? kFrameLine : 1.0);
    pen.setCosmetic(true);
    painter->setPen(pen);
    painter->setBrush(m_look.group ? QBrush(Qt::NoBrush) : QBrush(t.infoGround));
    painter->drawRects(m_frames.data(), static_cast<int>(m_frames.size()));
}

void DomainItem::paintLabel(QPainter* painter, const QRectF& exposed) const {
    if (m_label.isNull() || !m_label.intersects(exposed))
        return;
    const Theme& t = theme();
    const double scale = std::min(m_scale, 1.0);
    painter->save();
    painter->translate(m_label.topLeft());
    painter->scale(1.0 / scale, 1.0 / scale);
    QRectF area(QPointF(0, 0), m_label.size() * scale);
    painter->setPen(QPen(m_look.chosen ? t.accent : t.text3, 1.0));
    painter->setBrush(t.panel);
    painter->drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5));
    if (m_look.mark.severity) {
        paintSeverity(*painter, QRectF(2, 0, 16, 16), *m_look.mark.severity);
        area.setLeft(kLabelMark);
    }
    painter->setFont(smallFont(600));
    painter->setPen(t.text);
    painter->drawText(area, Qt::AlignCenter, m_shown);
    painter->restore();
}

} // namespace pw
