// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/time_range.h"

#include <QWidget>

namespace pw {

// Ticks and their times over the tracks; a drag moves the axis under the mouse.
class TimeRuler : public QWidget {
    Q_OBJECT

public:
    explicit TimeRuler(TimeRange& range, QWidget* parent = nullptr);
    void setShown(bool shown); // an empty timeline has no ticks

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    TimeRange& m_range;
    bool m_shown = false;
    double m_pressX = 0.0;
    TimeWindow m_pressWindow;
};

// The whole iteration in 50 px with the visible part framed; the frame and its two handles can be dragged, a
// click elsewhere jumps. Rows are in the order of the tracks.
class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    explicit OverviewStrip(TimeRange& range, QWidget* parent = nullptr);
    void setTimeline(std::shared_ptr<const Timeline> timeline);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    enum class Grip { None, Left, Right, Middle };
    double x(std::int64_t t) const;
    std::int64_t timeAt(double x) const;
    Grip gripAt(double x) const;
    void drawBars();

    TimeRange& m_range;
    std::shared_ptr<const Timeline> m_timeline;
    QPixmap m_bars;
    Grip m_grip = Grip::None;
    std::int64_t m_grabbed = 0; // from the window's begin to the mouse
};

} // namespace pw
