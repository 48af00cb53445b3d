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

constexpr double kFramePad = 12.0;                       // scene units; nodes stand 32 apart
constexpr double kFrameLabel = 16.0, kLeastLabel = 28.0; // px: height, and least width
constexpr double kLabelPad = 6.0, kLabelMark = 18.0;     // px
constexpr double kFrameLine = 2.0;                       // px, of what is chosen

QRectF padded(const QRectF& box) {
    return box.adjusted(-kFramePad, -kFramePad, kFramePad, kFramePad);
}

} // namespace

QRectF domainGround(const std::vector<QRectF>& boxes) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= padded(box);
    return all;
}

std::vector<QRectF> domainFrames(std::vector<QRectF> boxes, bool alone) {
    if (boxes.empty())
        return {};
    if (alone)
        return {domainGround(boxes)};
    std::ranges::transform(boxes, boxes.begin(), padded);
    const auto first = std::ranges::min_element(
        boxes, {}, [](const QRectF& box) { return std::pair(box.top(), box.left()); });
    std::iter_swap(boxes.begin(), first);
    return boxes;
}

DomainItem::DomainItem(const QString& id) : CanvasItem(id, false) {
    setZValue(-1);
}

void DomainItem::setLook(const DomainLook& look) {
    if (look == m_look)
        return;
    m_look = look;
    setToolTip(look.mark.text.isEmpty() ? look.what : look.what + QLatin1Char('\n') + look.mark.text);
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
    if (first.width() < least.width() || (inside && first.height() < least.height()))
        return;
    const QFontMetricsF metrics(smallFont(600));
    m_shown = metrics.horizontalAdvance(m_look.label) <= room
                  ? m_look.label
                  : metrics.elidedText(m_look.name, Qt::ElideMiddle, room);
    const QSizeF size =
        QSizeF(metrics.horizontalAdvance(m_shown) + 2.0 * kLabelPad + mark, kFrameLabel) / scale;
    // Half on the frame as long as that covers no node's name.
    const double bottom = inside                  ? first.top() + size.height()
                          : m_scale < kLabelScale ? first.top()
                                                  : first.top() + std::min(size.height() / 2.0, kFramePad);
    m_label = {QPointF(first.left(), bottom - size.height()), size};
    m_bounds |= m_label.adjusted(-line, -line, line, line);
}

void DomainItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const Theme& t = theme();
    const bool wrong = m_look.mark.severity == Severity::Error;
    QPen pen(m_look.chosen ? t.accent : wrong ? t.err : t.text3, m_look.chosen ? kFrameLine : 1.0);
    pen.setCosmetic(true);
    painter->setPen(pen);
    painter->setBrush(t.infoGround);
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
