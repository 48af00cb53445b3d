// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <QObject>
#include <QString>

#include <vector>

namespace pw {

// An instant that is marked on the axis; a kept one is in the project file.
struct AxisMark {
    std::int64_t at = 0; // ns
    QString text;
    bool kept = false;
    bool operator==(const AxisMark&) const = default;
};

// The time axis that timeline, overview and memory share: the whole trace, what is visible, a dragged area
// with the rows that it covers, and marks.
class TimeRange : public QObject {
    Q_OBJECT

public:
    explicit TimeRange(QObject* parent = nullptr) : QObject(parent) {}

    std::int64_t traceEnd() const { return m_end; } // ns
    TimeWindow visible() const { return m_visible; }
    bool hasSelected() const { return m_selected.end > m_selected.begin; }
    TimeWindow selected() const { return m_selected; } // empty window (begin == end) = none
    int firstTrack() const { return m_firstTrack; }    // rows of the area; -1: the area is of time alone
    int lastTrack() const { return m_lastTrack; }
    std::int64_t cursor() const { return m_cursor; } // under the mouse, -1 = none

    void setTrace(std::int64_t end); // shows all of it, unless the end is what it was
    // The same axis grown or shortened: what is visible stays, and all of it stays all.
    void stretchTrace(std::int64_t end);
    void setVisible(TimeWindow window); // clamped to the trace
    void setSelected(TimeWindow window, int firstTrack = -1, int lastTrack = -1);
    const std::vector<AxisMark>& marks() const { return m_marks; } // in order of time
    void setMarks(std::vector<AxisMark> marks);
    void setCursor(std::int64_t t);
    void fit();

    // Width of the column beside the axis, px: views with the same axis stand under each other only if it is
    // the same.
    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);

Q_SIGNALS:
    void visibleChanged();
    void selectedChanged();
    void cursorChanged();
    void labelWidthChanged();
    void marksChanged();

private:
    std::int64_t m_end = 1;
    TimeWindow m_visible{0, 1};
    TimeWindow m_selected{0, 0};
    int m_firstTrack = -1, m_lastTrack = -1;
    std::vector<AxisMark> m_marks;
    std::int64_t m_cursor = -1;
    int m_labelWidth = 124;
};

} // namespace pw
