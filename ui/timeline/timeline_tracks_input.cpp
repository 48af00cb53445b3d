// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tracks.h"

#include "ui/base/format.h"
#include "ui/timeline/bar_place.h"
#include "ui/timeline/run_text.h"
#include "ui/timeline/time_axis.h"

#include <QContextMenuEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

// What the mouse does to the tracks.

namespace pw {

namespace {

constexpr int kSnap = 8;          // px
constexpr int kDragThreshold = 3; // px

} // namespace

QString TimelineTracks::toolTipAt(const QPoint& at) const {
    if (const BarRef ref = barAt(at)) {
        const QString folded = foldedText(*timeline(), m_view, ref, at);
        return folded.isEmpty() ? describedBar(ref) : folded;
    }
    const BarRef ran = ranAt(at);
    if (!ran)
        return {};
    const QString folded = foldedText(m_run->rows.timeline, ranViewport(), ran, at);
    return tr("%1 on stage %2\n%3")
        .arg(barName(m_run->rows.timeline, ran))
        .arg(m_run->rows.timeline.tracks[static_cast<std::size_t>(ran.track)].stage)
        .arg(folded.isEmpty() ? operationText(*timeline(), predictedOf(ran), *m_run, ran)
                              : tr("%1: %2").arg(standingText(*m_run->record), folded));
}

// All bars that share the pixels under the mouse are named together; empty where there is one.
QString TimelineTracks::foldedText(const Timeline& timeline, const GanttViewport& view, BarRef ref,
                                   const QPoint& at) const {
    const Lane& lane = laneOf(timeline, ref);
    const std::int64_t t0 = view.timeAt(at.x() - 1), t1 = view.timeAt(at.x() + 2);
    const std::size_t first = lane.firstEndingAfter(t0);
    std::size_t last = first;
    while (last < lane.size() && lane.start(last) < t1)
        ++last;
    if (last - first <= 1 || pw::barRect(timeline, view, ref).width() >= 3)
        return {};
    const RangeStatistics inside = rangeStatistics(lane, t0, t1);
    std::int64_t longest = 0;
    for (std::size_t i = first; i < last; ++i)
        longest = std::max(longest, lane.end(i) - lane.start(i));
    return tr("%1 bars, %2 busy; %3 in all, the longest %4")
        .arg(countText(static_cast<std::int64_t>(last - first)),
             shareText(static_cast<double>(inside.busy) / static_cast<double>(t1 - t0)),
             spanText(lane.busy(first, last)), spanText(longest));
}

void TimelineTracks::select(BarRef ref) {
    m_selection.setBar(selectionOf(ref));
    if (ref)
        bringIntoView(ref);
}

void TimelineTracks::scrollTo(int track) {
    const int row = m_view.rowOf(track), top = row * m_view.rowHeight;
    const int held = m_view.pinned * m_view.rowHeight;
    if (row < m_view.pinned)
        return; // always in view, or hidden
    if (top - held < m_view.scroll)
        setScroll(top - held);
    else if (top + m_view.rowHeight > m_view.scroll + height())
        setScroll(top + m_view.rowHeight - height());
}

void TimelineTracks::bringIntoView(BarRef ref) {
    if (m_view.rowOf(ref.track) < 0)
        m_rows.showAll(); // what is looked for is shown
    else
        scrollTo(ref.track);
    const BarRef ran = lanes() == Lanes::Ran ? ranOf(ref) : BarRef{};
    const Lane& lane = ran ? laneOf(m_run->rows.timeline, ran) : laneOf(*timeline(), ref);
    const auto i = static_cast<std::size_t>(ran ? ran.bar : ref.bar);
    const TimeWindow window = m_range.visible();
    if (lane.end(i) <= window.begin || lane.start(i) >= window.end) {
        const std::int64_t middle = (lane.start(i) + lane.end(i)) / 2;
        m_range.setVisible({middle - window.span() / 2, middle - window.span() / 2 + window.span()});
    }
}

void TimelineTracks::setHover(BarRef ref, BarRef ran) {
    if (ran)
        ref = predictedOf(ran);
    else if (ref)
        ran = ranOf(ref);
    if (ref == m_hover && ran == m_hoverRan)
        return;
    m_hover = ref;
    m_hoverRan = ran;
    m_hoverLinked = ofSameMicrobatch(ref);
    update();
}

void TimelineTracks::mousePressEvent(QMouseEvent* event) {
    if (!timeline() || m_drag != Drag::None)
        return;
    m_press = event->position().toPoint();
    m_button = event->button();
    m_pressWindow = m_range.visible();
    m_pressScroll = m_view.scroll;
    m_drag = Drag::Pressed;
}

void TimelineTracks::mouseMoveEvent(QMouseEvent* event) {
    if (!timeline())
        return;
    const QPoint at = event->position().toPoint();
    m_range.setCursor(m_view.timeAt(at.x()));
    if (m_drag == Drag::None)
        return setHover(barAt(at), ranAt(at));
    if (m_drag == Drag::Pressed) {
        if ((at - m_press).manhattanLength() < kDragThreshold)
            return;
        m_drag = dragOf(event->modifiers());
        setHover({}, {});
        if (m_drag == Drag::Pan)
            setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag != Drag::Pan)
        return dragArea(*event);
    const double perPixel = static_cast<double>(m_pressWindow.span()) / std::max(width(), 1);
    const auto by = static_cast<std::int64_t>(std::llround((m_press.x() - at.x()) * perPixel));
    m_range.setVisible(m_pressWindow.panned(by, m_range.traceEnd()));
    setScroll(m_pressScroll + m_press.y() - at.y());
}

TimelineTracks::Drag TimelineTracks::dragOf(Qt::KeyboardModifiers modifiers) const {
    if (m_button == Qt::MiddleButton)
        return Drag::Zoom;
    if (m_button != Qt::LeftButton || modifiers & Qt::ShiftModifier)
        return Drag::Pan;
    switch (m_tool) {
    case Tool::Pan:
        return Drag::Pan;
    case Tool::Zoom:
        return Drag::Zoom;
    case Tool::Timing:
        return Drag::Timing;
    case Tool::Select:
        break;
    }
    return Drag::Area;
}

void TimelineTracks::setTool(Tool tool) {
    m_tool = tool;
    showToolCursor();
    Q_EMIT toolChanged();
}

void TimelineTracks::showToolCursor() {
    setCursor(m_tool == Tool::Pan      ? Qt::OpenHandCursor
              : m_tool == Tool::Zoom   ? Qt::CrossCursor
              : m_tool == Tool::Timing ? Qt::SplitHCursor
                                       : Qt::ArrowCursor);
}

void TimelineTracks::dragArea(const QMouseEvent& event) {
    const QPoint at = event.position().toPoint();
    const int lastRow = rowCount() - 1;
    if (lastRow < 0)
        return;
    const int fromRow = std::clamp(m_view.rowAt(m_press.y()), 0, lastRow);
    const int toRow = std::clamp(m_view.rowAt(std::max(at.y(), 0)), 0, lastRow);
    int first = m_view.trackIn(fromRow), bottom = first;
    for (int row = std::min(fromRow, toRow); row <= std::max(fromRow, toRow); ++row) {
        first = std::min(first, m_view.trackIn(row));
        bottom = std::max(bottom, m_view.trackIn(row));
    }
    if (bottom - first != std::abs(toRow - fromRow)) // rows out of order: figures are of tracks in a row
        first = bottom = m_view.trackIn(fromRow);
    std::int64_t a = m_view.timeAt(m_press.x()), b = m_view.timeAt(at.x());
    if (!(event.modifiers() & Qt::AltModifier)) {
        std::vector<const Lane*> lanes;
        for (int t = first; t <= bottom; ++t)
            for (const LaneRole role : {LaneRole::Compute, LaneRole::Sync})
                lanes.push_back(&timeline()->tracks[static_cast<std::size_t>(t)].lane(role));
        const std::int64_t slack = m_view.window.span() * kSnap / std::max(width(), 1);
        a = snapToEdge(lanes, a, slack);
        b = snapToEdge(lanes, b, slack);
    }
    const TimeWindow dragged{std::min(a, b), std::max(a, b)};
    if (m_drag == Drag::Area)
        m_range.setSelected(dragged, first, bottom);
    else
        m_range.setSelected(dragged);
}

void TimelineTracks::mouseReleaseEvent(QMouseEvent* event) {
    const Drag ended = m_drag;
    if (event->button() != m_button)
        return;
    m_drag = Drag::None;
    showToolCursor();
    if (ended == Drag::Zoom && m_range.selected().span() > 0) {
        const TimeWindow to = m_range.selected(), from = m_range.visible();
        m_range.setSelected({0, 0});
        if (event->modifiers() & Qt::ControlModifier) { // out: what was visible shrinks into what was dragged
            const double by = static_cast<double>(from.span()) / static_cast<double>(to.span());
            m_range.setVisible(from.zoomed(by, (to.begin + to.end) / 2, m_range.traceEnd()));
        } else {
            m_range.setVisible(to);
        }
        return;
    }
    if (ended != Drag::Pressed || !timeline())
        return;
    BarRef ref = barAt(m_press);
    if (const BarRef ran = ranAt(m_press))
        ref = predictedOf(ran);
    if (m_button == Qt::LeftButton) {
        m_range.setSelected({0, 0});
        if (ref)
            select(ref);
        else
            selectGapOrRow(m_press);
    } else if (m_button == Qt::MiddleButton && ref) {
        select(ref);
        centre();
        centre();
    }
}

// A click beside the bars chooses the row; inside a gap of the computation it measures the gap.
void TimelineTracks::selectGapOrRow(const QPoint& at) {
    m_selection.setBar({});
    const int track = m_view.trackAt(at.y());
    if (track < 0 || track >= trackCount())
        return;
    m_selection.setStage(track);
    if (!m_view.band(track, LaneRole::Compute).contains(at))
        return;
    const Lane& lane = timeline()->tracks[static_cast<std::size_t>(track)].lane(LaneRole::Compute);
    const std::int64_t t = m_view.timeAt(at.x());
    const std::size_t next = lane.firstEndingAfter(t);
    const std::int64_t begin = next > 0 ? lane.end(next - 1) : 0;
    const std::int64_t end = next < lane.size() ? lane.start(next) : timeline()->end;
    if (begin > t || end <= t)
        return;
    m_range.setSelected({begin, end}, track, track);
}

void TimelineTracks::leaveEvent(QEvent* event) {
    m_range.setCursor(-1);
    setHover({}, {});
    QWidget::leaveEvent(event);
}

void TimelineTracks::wheelEvent(QWheelEvent* event) {
    if (!timeline())
        return;
    const QPoint angle = event->angleDelta();
    const double degrees = angle.y() / 8.0;
    if (event->modifiers() & Qt::ControlModifier) {
        const std::int64_t fixed = m_view.timeAt(event->position().x());
        m_range.setVisible(
            m_range.visible().zoomed(std::pow(kTimeZoomStep, -degrees / 15.0), fixed, m_range.traceEnd()));
    } else if (event->modifiers() & Qt::ShiftModifier || std::abs(angle.x()) > std::abs(angle.y())) {
        const int along = angle.x() != 0 ? angle.x() : angle.y();
        pan(-along / 120.0 * 0.1);
    } else {
        setScroll(m_view.scroll - static_cast<int>(std::lround(degrees / 15.0 * m_view.rowHeight)));
    }
    event->accept();
}

void TimelineTracks::contextMenuEvent(QContextMenuEvent* event) {
    // The right button pans; its menu comes only when it did not move.
    if (event->reason() == QContextMenuEvent::Mouse &&
        (event->pos() - m_press).manhattanLength() >= kDragThreshold)
        return;
    m_drag = Drag::None;
    Q_EMIT menuRequested(event->globalPos());
}

} // namespace pw
