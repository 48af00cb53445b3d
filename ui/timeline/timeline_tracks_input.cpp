// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tracks.h"

#include "ui/base/format.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

// What mouse, wheel and keys do to the tracks.

namespace pw {

namespace {

constexpr double kZoomStep = 1.2;
constexpr int kSnap = 8;          // px
constexpr int kDragThreshold = 3; // px

// The key by its place on the keyboard where the platform tells it, so that W, A, S and D keep the shape of
// the hand on other layouts; X11 and Wayland count evdev codes from 8.
int physicalKey(const QKeyEvent& event) {
    static const bool evdev = QGuiApplication::platformName() == QLatin1String("xcb") ||
                              QGuiApplication::platformName().startsWith(QLatin1String("wayland"));
    if (evdev)
        switch (event.nativeScanCode()) {
        case 25:
            return Qt::Key_W;
        case 38:
            return Qt::Key_A;
        case 39:
            return Qt::Key_S;
        case 40:
            return Qt::Key_D;
        default:
            break;
        }
    return event.key();
}

bool isOurKey(int key) {
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_S:
    case Qt::Key_A:
    case Qt::Key_D:
    case Qt::Key_F:
    case Qt::Key_R:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Comma:
    case Qt::Key_Period:
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
    case Qt::Key_Home:
    case Qt::Key_Escape:
        return true;
    default:
        return false;
    }
}

} // namespace

bool TimelineTracks::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        auto& key = static_cast<QKeyEvent&>(*event);
        if (!(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) && isOurKey(physicalKey(key))) {
            event->accept();
            return true;
        }
    } else if (event->type() == QEvent::ToolTip) {
        const auto& help = static_cast<const QHelpEvent&>(*event);
        QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this);
        return true;
    }
    return QWidget::event(event);
}

QString TimelineTracks::toolTipAt(const QPoint& at) const {
    const BarRef ref = barAt(at);
    if (!ref)
        return {};
    // All bars that share the pixels under the mouse are named together.
    const Lane& lane = laneOf(*timeline(), ref);
    const std::int64_t t0 = m_view.timeAt(at.x() - 1), t1 = m_view.timeAt(at.x() + 2);
    const std::size_t first = lane.firstEndingAfter(t0);
    std::size_t last = first;
    while (last < lane.size() && lane.start(last) < t1)
        ++last;
    if (last - first <= 1 || barRect(ref).width() >= 3)
        return barDescription(*timeline(), ref);
    const RangeStatistics sums = rangeStatistics(lane, t0, t1);
    return tr("%1 bars, %2 busy")
        .arg(countText(static_cast<std::int64_t>(last - first)),
             shareText(static_cast<double>(sums.busy) / static_cast<double>(t1 - t0)));
}

void TimelineTracks::select(BarRef ref) {
    m_selection.setBar(selectionOf(ref));
    if (ref)
        bringIntoView(ref);
}

void TimelineTracks::bringIntoView(BarRef ref) {
    const int top = ref.track * m_view.rowHeight;
    if (top < m_view.scroll)
        setScroll(top);
    else if (top + m_view.rowHeight > m_view.scroll + height())
        setScroll(top + m_view.rowHeight - height());
    const Lane& lane = laneOf(*timeline(), ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    const TimeWindow window = m_range.visible();
    if (lane.end(i) <= window.begin || lane.start(i) >= window.end) {
        const std::int64_t middle = (lane.start(i) + lane.end(i)) / 2;
        m_range.setVisible({middle - window.span() / 2, middle - window.span() / 2 + window.span()});
    }
}

void TimelineTracks::setHover(BarRef ref) {
    if (ref == m_hover)
        return;
    m_hover = ref;
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
        return setHover(barAt(at));
    if (m_drag == Drag::Pressed) {
        if ((at - m_press).manhattanLength() < kDragThreshold)
            return;
        const bool area = m_button == Qt::LeftButton && !(event->modifiers() & Qt::ShiftModifier);
        m_drag = area ? Drag::Area : Drag::Pan;
        setHover({});
        if (!area)
            setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::Area)
        return dragArea(*event);
    const double perPixel = static_cast<double>(m_pressWindow.span()) / std::max(width(), 1);
    const auto by = static_cast<std::int64_t>(std::llround((m_press.x() - at.x()) * perPixel));
    m_range.setVisible(m_pressWindow.panned(by, m_range.traceEnd()));
    setScroll(m_pressScroll + m_press.y() - at.y());
}

void TimelineTracks::dragArea(const QMouseEvent& event) {
    const QPoint at = event.position().toPoint();
    const int last = trackCount() - 1;
    const int from = std::clamp(m_view.trackAt(m_press.y()), 0, last);
    const int to = std::clamp(m_view.trackAt(std::max(at.y(), 0)), 0, last);
    m_areaFirst = std::min(from, to);
    m_areaLast = std::max(from, to);
    std::int64_t a = m_view.timeAt(m_press.x()), b = m_view.timeAt(at.x());
    if (!(event.modifiers() & Qt::AltModifier)) {
        std::vector<const Lane*> lanes;
        for (int t = m_areaFirst; t <= m_areaLast; ++t)
            for (const LaneRole role : {LaneRole::Compute, LaneRole::Sync})
                lanes.push_back(&timeline()->tracks[static_cast<std::size_t>(t)].lane(role));
        const std::int64_t slack = m_view.window.span() * kSnap / std::max(width(), 1);
        a = snapToEdge(lanes, a, slack);
        b = snapToEdge(lanes, b, slack);
    }
    m_range.setSelected({std::min(a, b), std::max(a, b)});
    update();
}

void TimelineTracks::mouseReleaseEvent(QMouseEvent* event) {
    const Drag ended = m_drag;
    if (event->button() != m_button)
        return;
    m_drag = Drag::None;
    unsetCursor();
    if (ended != Drag::Pressed || !timeline())
        return;
    const BarRef ref = barAt(m_press);
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
    m_areaFirst = m_areaLast = track;
    m_range.setSelected({begin, end});
    update();
}

void TimelineTracks::leaveEvent(QEvent* event) {
    m_range.setCursor(-1);
    setHover({});
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
            m_range.visible().zoomed(std::pow(kZoomStep, -degrees / 15.0), fixed, m_range.traceEnd()));
    } else if (event->modifiers() & Qt::ShiftModifier || std::abs(angle.x()) > std::abs(angle.y())) {
        const int along = angle.x() != 0 ? angle.x() : angle.y();
        pan(-along / 120.0 * 0.1);
    } else {
        setScroll(m_view.scroll - static_cast<int>(std::lround(degrees / 15.0 * m_view.rowHeight)));
    }
    event->accept();
}

void TimelineTracks::zoom(double steps) {
    const TimeWindow window = m_range.visible();
    std::int64_t fixed = window.begin + window.span() / 2;
    if (m_range.cursor() >= window.begin && m_range.cursor() <= window.end)
        fixed = m_range.cursor();
    m_range.setVisible(window.zoomed(std::pow(kZoomStep, -steps), fixed, m_range.traceEnd()));
}

void TimelineTracks::pan(double widths) {
    const TimeWindow window = m_range.visible();
    const auto by = static_cast<std::int64_t>(std::llround(static_cast<double>(window.span()) * widths));
    m_range.setVisible(window.panned(by, m_range.traceEnd()));
}

void TimelineTracks::step(int by) {
    if (!timeline() || trackCount() == 0)
        return;
    BarRef ref = refOf(m_selection.bar());
    if (!isBar(*timeline(), ref)) {
        // Nothing chosen yet: the first bar that is visible on the chosen row.
        const int track = std::clamp(m_selection.stage(), 0, trackCount() - 1);
        const Lane& lane = timeline()->tracks[static_cast<std::size_t>(track)].lane(LaneRole::Compute);
        ref = {track, LaneRole::Compute,
               static_cast<std::ptrdiff_t>(lane.firstEndingAfter(m_range.visible().begin))};
    } else {
        ref.bar += by;
    }
    if (isBar(*timeline(), ref))
        select(ref);
}

void TimelineTracks::stepRow(int by) {
    if (!timeline() || trackCount() == 0)
        return;
    const BarRef chosen = refOf(m_selection.bar());
    if (!isBar(*timeline(), chosen)) {
        m_selection.setStage(std::clamp(m_selection.stage() + by, 0, trackCount() - 1));
        return;
    }
    const int track = std::clamp(chosen.track + by, 0, trackCount() - 1);
    const Lane& from = laneOf(*timeline(), chosen);
    const auto i = static_cast<std::size_t>(chosen.bar);
    const Lane& to = timeline()->tracks[static_cast<std::size_t>(track)].lane(LaneRole::Compute);
    if (track == chosen.track || to.size() == 0)
        return;
    const std::size_t at = to.firstEndingAfter((from.start(i) + from.end(i)) / 2);
    select({track, LaneRole::Compute, static_cast<std::ptrdiff_t>(std::min(at, to.size() - 1))});
}

void TimelineTracks::follow(bool forward) {
    if (!timeline())
        return;
    const BarRef chosen = refOf(m_selection.bar());
    if (!isBar(*timeline(), chosen))
        return;
    const BarRef next = forward ? dataTarget(*timeline(), chosen) : dataSource(*timeline(), chosen);
    if (isBar(*timeline(), next))
        select(next);
}

void TimelineTracks::centre() {
    if (!timeline())
        return;
    TimeWindow target = m_range.selected();
    const BarRef chosen = refOf(m_selection.bar());
    if (isBar(*timeline(), chosen)) {
        const auto i = static_cast<std::size_t>(chosen.bar);
        target = {laneOf(*timeline(), chosen).start(i), laneOf(*timeline(), chosen).end(i)};
    } else if (!m_range.hasSelected()) {
        return;
    }
    const TimeWindow window = m_range.visible();
    const std::int64_t middle = (target.begin + target.end) / 2;
    const TimeWindow centred{middle - window.span() / 2, middle - window.span() / 2 + window.span()};
    m_range.setVisible(centred);
    if (m_range.visible() == window) // it was there already: fill the view with it
        m_range.setVisible({target.begin - target.span() / 2, target.end + target.span() / 2});
}

void TimelineTracks::selectRange() {
    if (!timeline())
        return;
    const BarRef chosen = refOf(m_selection.bar());
    if (!isBar(*timeline(), chosen))
        return;
    const auto i = static_cast<std::size_t>(chosen.bar);
    m_areaFirst = m_areaLast = chosen.track;
    m_range.setSelected({laneOf(*timeline(), chosen).start(i), laneOf(*timeline(), chosen).end(i)});
    update();
}

void TimelineTracks::clear() {
    if (m_range.hasSelected())
        m_range.setSelected({0, 0});
    else
        m_selection.setBar({});
}

bool TimelineTracks::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    const double fast = modifiers & Qt::ShiftModifier ? 3.0 : 1.0;
    switch (key) {
    case Qt::Key_W:
        zoom(2.0 * fast);
        return true;
    case Qt::Key_S:
        zoom(-2.0 * fast);
        return true;
    case Qt::Key_A:
        pan(-0.1 * fast);
        return true;
    case Qt::Key_D:
        pan(0.1 * fast);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Comma:
        step(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Period:
        step(1);
        return true;
    case Qt::Key_Up:
        stepRow(-1);
        return true;
    case Qt::Key_Down:
        stepRow(1);
        return true;
    case Qt::Key_BracketLeft:
        follow(false);
        return true;
    case Qt::Key_BracketRight:
        follow(true);
        return true;
    case Qt::Key_F:
        centre();
        return true;
    case Qt::Key_R:
        selectRange();
        return true;
    case Qt::Key_Home:
        m_range.fit();
        return true;
    case Qt::Key_Escape:
        clear();
        return true;
    default:
        return false;
    }
}

void TimelineTracks::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier) ||
        !handleKey(physicalKey(*event), event->modifiers()))
        QWidget::keyPressEvent(event);
}

// Tab goes on along the row while a bar is chosen and leaves the view behind its last bar, or after Esc.
bool TimelineTracks::focusNextPrevChild(bool next) {
    if (timeline()) {
        BarRef ref = refOf(m_selection.bar());
        if (isBar(*timeline(), ref)) {
            ref.bar += next ? 1 : -1;
            if (isBar(*timeline(), ref)) {
                select(ref);
                return true;
            }
        }
    }
    return QWidget::focusNextPrevChild(next);
}

void TimelineTracks::contextMenuEvent(QContextMenuEvent* event) {
    // The right button pans; its menu comes only when it did not move.
    if (event->reason() == QContextMenuEvent::Mouse &&
        (event->pos() - m_press).manhattanLength() >= kDragThreshold)
        return;
    m_drag = Drag::None;
    QMenu menu(this);
    menu.addAction(tr("Fit all"), this, [this] { m_range.fit(); });
    menu.addAction(tr("Zoom to selection"), this, [this] {
        centre();
        centre();
    });
    menu.addAction(tr("Clear selection"), this, [this] {
        m_range.setSelected({0, 0});
        m_selection.setBar({});
    });
    menu.exec(event->globalPos());
}

} // namespace pw
