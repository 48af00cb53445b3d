// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/app_context.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/items.h"

#include <QMoveEvent>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <utility>

// The part of the sheet that is seen, and how large. The sheet lies still: no edit moves it. It is fitted
// when a drawing is opened, tidied or asked for whole, and from then on while only the size of the window
// changes.

namespace pw {

namespace {

constexpr double kMinZoom = 0.01, kMaxZoom = 4.0;
constexpr double kFitMargin = 16.0; // px around the whole drawing: cards behind stacks, labels that overhang
constexpr int kSeenMargin = 24;     // px around what is scrolled into view
constexpr QPointF kMiddleOfNothing{400.0, 300.0};

} // namespace

void TopologyCanvas::applyZoom(double zoom) {
    m_scene.setHovered({}); // another place is under the pointer
    setTransform(QTransform::fromScale(zoom, zoom));
    m_scene.setScale(zoom);
    Q_EMIT zoomChanged(zoom);
    Q_EMIT visibleChanged();
}

QRectF TopologyCanvas::visibleScene() const {
    return mapToScene(viewport()->rect()).boundingRect();
}

void TopologyCanvas::scrollContentsBy(int dx, int dy) {
    QGraphicsView::scrollContentsBy(dx, dy);
    if (hasFocus()) // the pixels of the frame have moved as well
        updateFocusFrame({dx, dy});
    Q_EMIT visibleChanged();
}

void TopologyCanvas::scrollBy(QPoint by) {
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + by.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() + by.y());
}

void TopologyCanvas::setZoom(double zoom) {
    const QPointF middle = mapToScene(viewport()->rect().center());
    m_fits = false;
    applyZoom(std::clamp(zoom, kMinZoom, kMaxZoom));
    centerOn(middle);
}

void TopologyCanvas::zoomBy(double factor) {
    setZoom(zoom() * factor);
}

void TopologyCanvas::fit() {
    m_fits = true;
    const QRectF all = m_scene.content();
    if (all.isNull() || viewport()->width() < 40) {
        applyZoom(1.0);
        centerOn(kMiddleOfNothing);
        return;
    }
    showWhole(all, kFitMargin, 1.0); // a small drawing is not blown up
}

void TopologyCanvas::showWhole(const QRectF& area, double margin, double most) {
    const QSizeF room = QSizeF(viewport()->size()) - QSizeF(2.0 * margin, 2.0 * margin);
    const double scale = std::min(room.width() / area.width(), room.height() / area.height());
    applyZoom(std::clamp(scale, kMinZoom, most));
    centerOn(area.center());
}

// Whoever saw everything goes on seeing everything; else what was added, moved no further than that takes and
// smaller only where it has no room.
void TopologyCanvas::showChosen(bool byPointer) {
    QRectF all, others;
    for (const QString& id : m_scene.boxes() + m_scene.notes())
        (m_app.selection.items().contains(id) ? all : others) |= m_scene.boxOf(id);
    if (all.isNull() || (byPointer && visibleScene().intersects(all)))
        return;
    const double margins = 2.0 * kSeenMargin / zoom();
    const QRectF seen = visibleScene();
    const QSizeF room = seen.size() - QSizeF(margins, margins);
    const auto hasRoom = [&room](const QRectF& area) { return area.size().boundedTo(room) == area.size(); };
    const bool sawAll = others.isNull() || seen.contains(others);
    if (sawAll && !seen.contains(all) && !hasRoom(others | all))
        return fit();
    if (hasRoom(all))
        ensureVisible(all, kSeenMargin, kSeenMargin);
    else if (!seen.contains(all))
        showWhole(all, kSeenMargin, zoom());
}

void TopologyCanvas::chooseItem(const QString& id) {
    m_app.selection.setItems({id});
    QRectF box = m_scene.boxOf(id);
    if (const LinkItem* link = m_scene.linkItem(id); link && box.isNull())
        box = link->sceneBoundingRect();
    if (!box.isNull())
        ensureVisible(box, kSeenMargin, kSeenMargin);
}

void TopologyCanvas::findItem(const QString& id) {
    constexpr double kReadable = 0.5; // short labels have letters of full size from there on
    if (zoom() < kReadable) {
        setZoom(kReadable);
        const LinkItem* link = m_scene.linkItem(id);
        const QRectF box = m_scene.boxOf(id);
        if (!box.isNull() || link)
            centerOn(box.isNull() ? link->sceneBoundingRect().center() : box.center());
    }
    chooseItem(id);
}

// The middle stays in the middle where the window or a dock gets another size, and who saw everything still
// does. A bar that comes above the sheet only covers a strip of it, also where all was seen: the next click
// is on its way. So does the legend below it where the drawing is not fitted.
void TopologyCanvas::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    const QSize room = parentWidget() ? parentWidget()->size() : size();
    const bool fromOutside = std::exchange(m_room, room) != room;
    const QSize before = event->oldSize(), now = event->size();
    const int lowered = std::exchange(m_lowered, 0);
    const bool underABar = !fromOutside && lowered != 0 && before.height() - now.height() == lowered;
    if (m_fits && !underABar)
        fit();
    else if (!m_fits && fromOutside && before.isValid()) {
        const bool sawAll = mapToScene(QRect(QPoint(), before)).boundingRect().contains(m_scene.content());
        scrollBy({before.width() / 2 - now.width() / 2, before.height() / 2 - now.height() / 2});
        if (sawAll && !visibleScene().contains(m_scene.content()))
            showWhole(m_scene.content(), kFitMargin, zoom());
    }
}

// Within the view, by a bar above it: on the screen the drawing stays.
void TopologyCanvas::moveEvent(QMoveEvent* event) {
    QGraphicsView::moveEvent(event);
    if (isWindow())
        return;
    scrollBy(event->pos() - event->oldPos());
    m_lowered = event->pos().y() - event->oldPos().y(); // the new size is told next
}

void TopologyCanvas::showEvent(QShowEvent* event) {
    QGraphicsView::showEvent(event);
    if (m_fits)
        fit();
}

} // namespace pw
