// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_tracks.h"

#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

// What keys and commands do to the tracks.

namespace pw {

namespace {

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

void TimelineTracks::zoom(double steps) {
    const TimeWindow window = m_range.visible();
    std::int64_t fixed = window.begin + window.span() / 2;
    if (m_range.cursor() >= window.begin && m_range.cursor() <= window.end)
        fixed = m_range.cursor();
    m_range.setVisible(window.zoomed(std::pow(kTimeZoomStep, -steps), fixed, m_range.traceEnd()));
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

int TimelineTracks::chosenTrack() const {
    const BarRef chosen = refOf(m_selection.bar());
    const int track = timeline() && isBar(*timeline(), chosen) ? chosen.track : m_selection.stage();
    return track >= 0 && track < trackCount() ? track : -1;
}

int TimelineTracks::trackBeside(int track, int by) const {
    return m_view.trackIn(std::clamp(m_view.rowOf(track) + by, 0, rowCount() - 1));
}

void TimelineTracks::stepRow(int by) {
    if (!timeline() || rowCount() == 0)
        return;
    const BarRef chosen = refOf(m_selection.bar());
    if (!isBar(*timeline(), chosen)) {
        m_selection.setStage(trackBeside(m_selection.stage(), by));
        return;
    }
    const int track = trackBeside(chosen.track, by);
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
    m_range.setSelected({laneOf(*timeline(), chosen).start(i), laneOf(*timeline(), chosen).end(i)},
                        chosen.track, chosen.track);
}

void TimelineTracks::clear() {
    if (m_range.hasSelected())
        m_range.setSelected({0, 0});
    else if (m_selection.bar().track >= 0)
        m_selection.setBar({});
    else
        m_selection.leaveStage();
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

std::vector<BarRef> TimelineTracks::firstOfEachRow() const {
    std::vector<BarRef> bars;
    const std::size_t most = kMostParts / static_cast<std::size_t>(trackCount());
    for (int t = 0; t < trackCount(); ++t) {
        const Lane& lane = timeline()->tracks[static_cast<std::size_t>(t)].lane(LaneRole::Compute);
        const std::size_t first = lane.firstEndingAfter(m_view.window.begin);
        for (std::size_t i = first; i < std::min(lane.size(), first + most); ++i)
            bars.push_back({t, LaneRole::Compute, static_cast<std::ptrdiff_t>(i)});
    }
    return bars;
}

std::vector<AccessiblePart> TimelineTracks::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    if (!timeline())
        return parts;
    const BarRef chosen = refOf(m_selection.bar());
    const auto add = [&](BarRef ref) {
        const QRect rect = shownRect(ref).intersected(this->rect());
        if (!rect.isEmpty())
            parts.push_back(
                {QStringLiteral("%1/%2/%3").arg(ref.track).arg(static_cast<int>(ref.lane)).arg(ref.bar),
                 describedBar(ref), barKindText(*timeline(), ref), rect, QAccessible::ListItem,
                 ref == chosen});
    };
    std::vector<BarRef> visible;
    for (int t = 0; t < trackCount() && visible.size() <= kMostParts; ++t)
        for (const LaneRole role :
             {LaneRole::Compute, LaneRole::ForwardSend, LaneRole::BackwardSend, LaneRole::Sync}) {
            const Lane& lane = timeline()->tracks[static_cast<std::size_t>(t)].lane(role);
            for (std::size_t i = lane.firstEndingAfter(m_view.window.begin);
                 i < lane.size() && lane.start(i) < m_view.window.end && visible.size() <= kMostParts; ++i)
                visible.push_back({t, role, static_cast<std::ptrdiff_t>(i)});
        }
    if (visible.size() > kMostParts) // what is chosen, else where each row begins
        visible = m_linked.empty() ? firstOfEachRow() : m_linked;
    for (const BarRef ref : visible)
        add(ref);
    return parts;
}

void TimelineTracks::activatePart(const QString& key) {
    const QStringList parts = key.split(QLatin1Char('/'));
    if (parts.size() == 3)
        show(refOf({parts[0].toInt(), parts[1].toInt(), static_cast<std::ptrdiff_t>(parts[2].toLongLong())}));
}

void TimelineTracks::show(BarRef ref) {
    if (timeline() && isBar(*timeline(), ref))
        select(ref);
}

std::int64_t TimelineTracks::markPlace() const {
    if (m_range.cursor() >= 0)
        return m_range.cursor();
    const BarRef chosen = refOf(m_selection.bar());
    if (timeline() && isBar(*timeline(), chosen))
        return laneOf(*timeline(), chosen).start(static_cast<std::size_t>(chosen.bar));
    return (m_range.visible().begin + m_range.visible().end) / 2;
}

} // namespace pw
