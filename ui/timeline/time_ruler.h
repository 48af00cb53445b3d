// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/time_range.h"

#include <QPixmap>
#include <QWidget>

namespace pw {

// Ticks and their times over the tracks, and the flags of marks. A drag moves the axis under the mouse, a
// click sets a mark, a double click on a flag names it.
class TimeRuler : public QWidget {
    Q_OBJECT

public:
    explicit TimeRuler(TimeRange& range, QWidget* parent = nullptr);
    void setShown(bool shown); // an empty timeline has no ticks

    // Shares of so long an iteration in place of times; 0 = times. Lanes on such an axis have no common time.
    void setWhole(std::int64_t iteration);

    int markAt(double x) const; // index of the flag there, or -1

Q_SIGNALS:
    void markRequested(std::int64_t at);
    void markActivated(int index);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void paintFlag(QPainter& painter, const AxisMark& mark, int x) const;
    void paintLabel(QPainter& painter, int x, const QString& label) const;
    void paintShares(QPainter& painter, const TimeWindow& window) const;

    TimeRange& m_range;
    bool m_shown = false;
    std::int64_t m_whole = 0; // ns
    bool m_clicked = false;   // pressed and not moved yet
    double m_pressX = 0.0;
    TimeWindow m_pressWindow;
};

// The whole iteration in 50 px with the visible part framed; the frame and its two handles can be dragged, a
// click elsewhere jumps. Rows are in the order of the tracks.
class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    explicit OverviewStrip(TimeRange& range, QWidget* parent = nullptr);
    // `shift`: where its beginning lies on the range's axis, ns.
    void setTimeline(std::shared_ptr<const Timeline> timeline, bool stale, std::int64_t shift = 0);

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
    std::int64_t m_shift = 0;
    bool m_stale = false;
    QPixmap m_bars;
    Grip m_grip = Grip::None;
    std::int64_t m_grabbed = 0; // from the window's begin to the mouse
};

} // namespace pw
