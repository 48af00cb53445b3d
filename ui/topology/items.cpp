// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/items.h"

#include "core/base/units.h"
#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/topology/box_lettering.h"
#include "ui/topology/geometry.h"
#include "ui/topology/item_paint.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr QSizeF kLeastSwitch{28.0, 13.0}; // px
constexpr double kNameEdge = 10.0;         // in a switch's box, on either side of its name

// Of letters that are higher than the header, cut from all tiles of the first row alike.
double headerHeight(double scale) {
    return std::max(kNodeHeader, (kNameGround + 1.0) / scale);
}

QPen outline(bool chosen, const Mark& mark) {
    if (chosen)
        return {theme().accent, 2.0};
    if (mark.severity == Severity::Error)
        return {theme().err, 2.0};
    return {theme().text3, 1.0};
}

void paintBox(QPainter& painter, const QRectF& box, const QPen& pen, double scale) {
    painter.setPen(pen);
    painter.setBrush(theme().node);
    if (scale < kOutlineScale) {
        painter.drawRect(box);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const double inset = pen.widthF() / 2.0;
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintMemoryBar(QPainter& painter, const QRectF& bar, const TileLook& tile) {
    if (tile.stage < 0 || tile.room.limit.value <= 0.0)
        return;
    const Theme& t = theme();
    const bool over = tile.used > tile.room.limit;
    const double width = bar.width() * std::min(1.0, tile.used / tile.room.limit);
    painter.fillRect(bar, t.panel);
    painter.fillRect(QRectF(bar.topLeft(), QSizeF(width, bar.height())), over ? t.err : t.memory[1]);
    painter.setPen(QPen(over ? t.err : t.text3, 0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
}

// Of what no search uses: told apart without colour.
QBrush hatching() {
    return {theme().text3, Qt::BDiagPattern};
}

QBrush tileGround(const TileLook& tile) {
    return tile.stage >= 0 ? QBrush(theme().stageGround(tile.stage)) : QBrush(Qt::NoBrush);
}

// Over the ground of its stage, too: the plan in view may be of before.
void hatch(QPainter& painter, const QRectF& rect, const TileLook& tile) {
    if (tile.leftOut)
        painter.fillRect(rect.adjusted(1, 1, -1, -1), hatching());
}

QString usedText(Bytes used) {
    return q(formatGibibytes(used));
}

void paintLock(QPainter& painter, const QRectF& rect) {
    icon(QStringLiteral("lock"), IconTone::Text2).paint(&painter, rect.toAlignedRect());
}

} // namespace

NodeItem::NodeItem(const QString& id) : CanvasItem(id, false), m_nameWidth(pw::nameWidth(id)) {
    setZValue(1);
    setCacheMode(
        DeviceCoordinateCache); // a pan copies pictures: 143 nodes of eight GPUs drawn anew take 30 ms
}

void NodeItem::setLook(const NodeLook& look) {
    if (look == m_look)
        return;
    if (look.tiles.size() != m_look.tiles.size())
        prepareGeometryChange();
    m_look = look;
    setToolTip(look.mark.text);
    update();
}

QRectF NodeItem::box() const {
    return {QPointF(0, 0), nodeSize(static_cast<int>(m_look.tiles.size()))};
}

QRectF NodeItem::boundingRect() const {
    return box().adjusted(-kHalo, -kHalo, kHalo, kHalo);
}

QPainterPath NodeItem::shape() const {
    QPainterPath path;
    path.addRect(box());
    return path;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double scale = scaleOf(option, painter);
    paintBox(*painter, box(), outline(m_look.chosen, m_look.mark), scale);
    for (int slot = 0; slot < static_cast<int>(m_look.tiles.size()); ++slot)
        paintTile(*painter, slot, scale);
    paintHeader(*painter, scale);
}

double NodeItem::titleRoom() const {
    return kNodeWidth - 20.0 - (m_look.mark.severity ? 20.0 : 0.0) - (m_look.locked ? 16.0 : 0.0);
}

void NodeItem::setWords(qsizetype first) {
    if (first == m_words)
        return;
    m_words = first;
    update();
}

void NodeItem::paintHeader(QPainter& painter, double scale) const {
    const bool marked = m_look.mark.severity.has_value();
    const double room = titleRoom();
    if (m_look.locked && scale > kOutlineScale)
        paintLock(painter, QRectF(kNodeWidth - (marked ? 42 : 22), 9, 14, 14));
    if (scale < kFullScale) {
        if (scale > kOutlineScale) {
            const double high = headerHeight(scale), edge = 1.5 / scale;
            if (high > kNodeHeader)
                painter.fillRect(box().adjusted(edge, edge, -edge, high - box().height()), theme().node);
            const QStringList more = words();
            drawUnscaled(painter, QRectF(10, 0, room, high), scale, m_look.id, more,
                         more.isEmpty() ? QString() : m_look.kept());
        } else {
            std::vector<QStringList> texts = {{m_look.id, m_look.family}, {m_look.family}, {m_look.id}};
            if (m_look.oneFamily)
                std::swap(texts[1], texts[2]);
            drawInMiddle(painter, box(), scale, texts);
        }
        if (marked && scale > kOutlineScale)
            paintSeverity(painter, QRectF(kNodeWidth - 34, 4, 26, 26), *m_look.mark.severity);
        return;
    }
    const int baseline = 21;
    const QFont bold = bodyFont(600), small = smallFont();
    const QFontMetricsF boldMetrics(bold), smallMetrics(small);
    // The name gives way first when it is long, then the link of the node.
    const double whatWidth = smallMetrics.horizontalAdvance(m_look.what);
    double insideWidth = smallMetrics.horizontalAdvance(m_look.inside);
    double idRoom = room - whatWidth - insideWidth - 14.0;
    if (idRoom < 34.0) {
        insideWidth = 0.0;
        idRoom = room - whatWidth - 7.0;
    }
    const QString id = boldMetrics.elidedText(m_look.id, Qt::ElideMiddle, std::max(24.0, idRoom));
    painter.setPen(theme().text);
    painter.setFont(bold);
    painter.drawText(QPointF(10, baseline), id);
    const double whatAt = 10.0 + boldMetrics.horizontalAdvance(id) + 7.0;
    painter.setPen(theme().text2);
    painter.setFont(small);
    painter.drawText(QPointF(whatAt, baseline),
                     smallMetrics.elidedText(m_look.what, Qt::ElideRight, 10.0 + room - whatAt));
    if (insideWidth > 0.0)
        painter.drawText(QPointF(10.0 + room - insideWidth, baseline), m_look.inside);
    if (marked)
        paintSeverity(painter, QRectF(kNodeWidth - 25, 9, 16, 16), *m_look.mark.severity);
}

void NodeItem::paintTile(QPainter& painter, int slot, double scale) const {
    const TileLook& tile = m_look.tiles[static_cast<std::size_t>(slot)];
    const Theme& t = theme();
    const QRectF rect = tileRect(slot);
    const bool serving = tile.stage >= 0;
    const QColor edge = serving ? t.stage(tile.stage) : t.text3;
    if (scale < kLabelScale) {
        // Small drawings tell stages by solid colour; the number needs more pixels than there are.
        painter.fillRect(rect,
                         serving ? (m_look.stale ? t.stageGround(tile.stage) : t.stage(tile.stage)) : t.line);
        hatch(painter, rect, tile);
        if (tile.chosen) {
            painter.setPen(QPen(t.accent, 2.0 / scale));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect);
        }
        if (serving && scale > 0.3) {
            painter.save();
            painter.translate(rect.center().x(),
                              (std::max(rect.top(), headerHeight(scale)) + rect.bottom()) / 2.0);
            painter.scale(1.0 / scale, 1.0 / scale);
            painter.setFont(smallFont(600));
            painter.setPen(m_look.stale ? t.stage(tile.stage) : t.onStage);
            painter.drawText(QRectF(-20, -10, 40, 20), Qt::AlignCenter, QString::number(tile.stage));
            painter.restore();
        }
        return;
    }
    if (scale < kFullScale) {
        paintCompactTile(painter, slot, scale);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(tile.chosen ? t.accent : edge, tile.chosen ? 2.0 : 1.0);
    if (m_look.planned && !serving)
        pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(tileGround(tile));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    hatch(painter, rect, tile);
    painter.setRenderHint(QPainter::Antialiasing, false);

    painter.setFont(bodyFont());
    painter.setPen(t.text);
    painter.drawText(QPointF(rect.left() + 5, rect.top() + 15), QStringLiteral("g%1").arg(slot));
    if (serving)
        paintStageBadge(painter,
                        QRect(static_cast<int>(rect.right()) - 19, static_cast<int>(rect.top()) + 4, 15, 15),
                        tile.stage, m_look.stale);
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    const QString second = serving        ? usedText(tile.used)
                           : tile.leftOut ? QStringLiteral("left out")
                           : m_look.planned
                               ? QStringLiteral("no stage")
                               : QStringLiteral("%1 GiB").arg(toGibibytes(tile.room.limit), 0, 'f', 0);
    painter.drawText(QRectF(rect.left() + 5, rect.top() + 18, rect.width() - 7, 16),
                     Qt::AlignLeft | Qt::AlignVCenter, second);
    paintMemoryBar(painter, QRectF(rect.left() + 5.5, rect.bottom() - 8.5, rect.width() - 11, 4), tile);
    if (tile.mark.severity)
        paintSeverity(painter, QRectF(rect.right() - 10, rect.top() - 6, 16, 16), *tile.mark.severity);
}

// Badge, name where it fits, and the memory bar, in device pixels.
void NodeItem::paintCompactTile(QPainter& painter, int slot, double scale) const {
    const TileLook& tile = m_look.tiles[static_cast<std::size_t>(slot)];
    const Theme& t = theme();
    const QRectF place = tileRect(slot);
    const bool serving = tile.stage >= 0;
    painter.save();
    painter.translate(place.topLeft());
    painter.scale(1.0 / scale, 1.0 / scale);
    const QRectF rect(0, 0, std::floor(place.width() * scale), std::floor(place.height() * scale));
    QPen pen(tile.chosen ? t.accent : serving ? t.stage(tile.stage) : t.text3, tile.chosen ? 2.0 : 1.0);
    if (m_look.planned && !serving)
        pen.setStyle(Qt::DashLine);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(tileGround(tile));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    hatch(painter, rect, tile);
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool named = !serving || rect.width() >= 36.0;
    if (named) {
        painter.setFont(smallFont());
        painter.setPen(t.text);
        painter.drawText(rect.adjusted(serving ? 4 : 0, 2, 0, serving ? -8 : -2),
                         serving ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter,
                         QStringLiteral("g%1").arg(slot));
    }
    if (serving) {
        const int x = named ? static_cast<int>(rect.right()) - 17 : static_cast<int>(rect.center().x()) - 7;
        paintStageBadge(painter, QRect(x, 3, 14, 14), tile.stage, m_look.stale);
        paintMemoryBar(painter, QRectF(4.5, rect.bottom() - 5.5, rect.width() - 9, 3), tile);
    }
    painter.restore();
    if (tile.mark.severity)
        paintSeverity(painter, QRectF(place.right() - 12, place.top() - 8, 22, 22), *tile.mark.severity);
}

SwitchItem::SwitchItem(const QString& id)
    : CanvasItem(id, false), m_shown(QPointF(0, 0), kSwitchSize), m_nameWidth(pw::nameWidth(id)) {
    setZValue(1);
}

void SwitchItem::setLook(const SwitchLook& look) {
    if (look == m_look)
        return;
    m_look = look;
    const QString what = QStringLiteral("%1, %2").arg(look.id, look.medium);
    setToolTip(look.mark.text.isEmpty() ? what : what + QLatin1Char('\n') + look.mark.text);
    update();
}

double SwitchItem::titleRoom() const {
    return m_shown.width() - 2.0 * kNameEdge;
}

void SwitchItem::setWords(qsizetype first) {
    if (first == m_words)
        return;
    m_words = first;
    update();
}

QRectF SwitchItem::box() const {
    return {QPointF(0, 0), kSwitchSize};
}

QRectF SwitchItem::shownAt(double scale, bool wide) const {
    QSizeF size = kSwitchSize.expandedTo(kLeastSwitch / scale);
    if (wide && scale >= kOutlineScale && scale < kFullScale)
        size = size.expandedTo(QSizeF(m_nameWidth / scale + 2.0 * kNameEdge, 0.0));
    return {box().center() - QPointF(size.width() / 2.0, size.height() / 2.0), size};
}

void SwitchItem::setSeenAt(double scale, bool wide) {
    const QRectF shown = shownAt(scale, wide);
    if (shown == m_shown)
        return;
    prepareGeometryChange();
    m_shown = shown;
    setZValue(shown == box() ? 1.0 : 1.5); // a symbol larger than its place stands over its neighbours
}

QRectF SwitchItem::boundingRect() const {
    return m_shown.adjusted(-kHalo, -kHalo, kHalo, kHalo);
}

void SwitchItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const double scale = scaleOf(option, painter);
    const QPen edge = outline(m_look.chosen, m_look.mark);
    if (scale < kOutlineScale) { // a symbol in the colour of its edge
        painter->fillRect(m_shown, edge.color());
        drawInMiddle(*painter, m_shown, scale, {{m_look.id}});
        return;
    }
    paintBox(*painter, m_shown, edge, scale);
    const double room = titleRoom();
    if (scale < kFullScale) {
        drawUnscaled(*painter, QRectF(m_shown.left() + kNameEdge, 0, room, kSwitchSize.height()), scale,
                     m_look.id, words());
        return;
    }
    const QFont bold = bodyFont(600);
    const QFontMetricsF metrics(bold);
    const QString id = metrics.elidedText(m_look.id, Qt::ElideMiddle, room);
    painter->setFont(bold);
    painter->setPen(m_look.leftOut ? theme().text3 : theme().text);
    painter->drawText(QPointF(10, 22), id);
    painter->setFont(smallFont());
    painter->setPen(theme().text2);
    const double at = 10.0 + metrics.horizontalAdvance(id) + 6.0;
    if (room + 10.0 - at > 34.0)
        painter->drawText(QPointF(at, 22), QStringLiteral("switch"));
    painter->drawText(QRectF(10, 28, room, 16), Qt::AlignLeft | Qt::AlignVCenter, m_look.medium);
    if (m_look.locked)
        paintLock(*painter, QRectF(kSwitchSize.width() - 20, 8, 14, 14));
    if (m_look.mark.severity)
        paintSeverity(*painter, QRectF(kSwitchSize.width() - 22, 28, 16, 16), *m_look.mark.severity);
}

NoteItem::NoteItem(const QString& id) : CanvasItem(id, false) {
    setZValue(0);
}

void NoteItem::setLook(const NoteLook& look) {
    if (look == m_look)
        return;
    prepareGeometryChange();
    m_look = look;
    update();
}

QRectF NoteItem::box() const {
    return {QPointF(0, 0), m_look.box.size()};
}

QRectF NoteItem::boundingRect() const {
    return box().adjusted(-2, -2, 2, 2);
}

void NoteItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) {
    const Theme& t = theme();
    painter->setPen(QPen(m_look.chosen ? t.accent : t.warnMark, m_look.chosen ? 2.0 : 1.0));
    painter->setBrush(t.warnGround);
    painter->drawRect(box());
    if (scaleOf(option, painter) < kOutlineScale)
        return;
    painter->setFont(bodyFont());
    painter->setPen(m_look.text.isEmpty() ? t.text2 : t.text);
    painter->drawText(box().adjusted(10, 8, -10, -8), Qt::TextWordWrap,
                      m_look.text.isEmpty() ? QStringLiteral("\u2026") : m_look.text);
}

} // namespace pw
