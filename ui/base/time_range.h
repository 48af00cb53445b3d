// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <QObject>

namespace pw {

// The time axis that timeline, overview and memory share: the whole trace, what is visible, and a dragged
// area.
class TimeRange : public QObject {
    Q_OBJECT

public:
    explicit TimeRange(QObject* parent = nullptr) : QObject(parent) {}

    std::int64_t traceEnd() const { return m_end; } // ns
    TimeWindow visible() const { return m_visible; }
    bool hasSelected() const { return m_selected.end > m_selected.begin; }
    TimeWindow selected() const { return m_selected; } // empty window (begin == end) = none
    std::int64_t cursor() const { return m_cursor; }   // under the mouse, -1 = none

    void setTrace(std::int64_t end);    // shows all of it, unless the end is what it was
    void setVisible(TimeWindow window); // clamped to the trace
    void setSelected(TimeWindow window);
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

private:
    std::int64_t m_end = 1;
    TimeWindow m_visible{0, 1};
    TimeWindow m_selected{0, 0};
    std::int64_t m_cursor = -1;
    int m_labelWidth = 124;
};

} // namespace pw
