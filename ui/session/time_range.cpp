// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/time_range.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::int64_t kNarrowest = 100; // ns, as TimeWindow::zoomed

TimeWindow clamped(TimeWindow window, std::int64_t limit) {
    const std::int64_t span = std::clamp(window.span(), std::min(kNarrowest, limit), limit);
    const std::int64_t begin = std::clamp<std::int64_t>(window.begin, 0, limit - span);
    return {begin, begin + span};
}

} // namespace

void TimeRange::setTrace(std::int64_t end) {
    end = std::max<std::int64_t>(end, 1);
    if (end == m_end)
        return;
    m_end = end;
    m_visible = {0, end};
    m_selected = {0, 0};
    m_firstTrack = m_lastTrack = -1;
    m_cursor = -1;
    Q_EMIT visibleChanged();
    Q_EMIT selectedChanged();
    Q_EMIT cursorChanged();
}

void TimeRange::stretchTrace(std::int64_t end) {
    end = std::max<std::int64_t>(end, 1);
    if (end == m_end)
        return;
    const bool all = m_visible == TimeWindow{0, m_end};
    m_end = end;
    m_visible = all ? TimeWindow{0, end} : clamped(m_visible, end);
    m_cursor = std::min(m_cursor, end);
    Q_EMIT visibleChanged();
    setSelected(m_selected, m_firstTrack, m_lastTrack);
}

void TimeRange::setVisible(TimeWindow window) {
    window = clamped(window, m_end);
    if (window == m_visible)
        return;
    m_visible = window;
    Q_EMIT visibleChanged();
}

void TimeRange::setSelected(TimeWindow window, int firstTrack, int lastTrack) {
    window.begin = std::clamp<std::int64_t>(window.begin, 0, m_end);
    window.end = std::clamp<std::int64_t>(window.end, window.begin, m_end);
    if (window == m_selected && firstTrack == m_firstTrack && lastTrack == m_lastTrack)
        return;
    m_selected = window;
    m_firstTrack = firstTrack;
    m_lastTrack = lastTrack;
    Q_EMIT selectedChanged();
}

void TimeRange::setMarks(std::vector<AxisMark> marks) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const AxisMark& a, const AxisMark& b) { return a.at < b.at; });
    if (marks == m_marks)
        return;
    m_marks = std::move(marks);
    Q_EMIT marksChanged();
}

void TimeRange::setCursor(std::int64_t t) {
    t = std::min(t, m_end);
    if (t == m_cursor)
        return;
    m_cursor = t;
    Q_EMIT cursorChanged();
}

void TimeRange::setLabelWidth(int width) {
    if (width == m_labelWidth)
        return;
    m_labelWidth = width;
    Q_EMIT labelWidthChanged();
}

void TimeRange::fit() {
    setVisible({0, m_end});
}

} // namespace pw
