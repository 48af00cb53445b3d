// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/lane_layout.h"
#include "ui/timeline/gantt_painter.h"
#include "ui/widgets/accessible_parts.h"

#include <QWidget>

namespace pw {

class CompareSet;

// The plans' timelines under each other on one axis: a head with the figures and their signed deltas, then a
// row a stage. One zoom, one selection for all: a click on a bar marks its micro-batch in every lane, and the
// chosen difference frames the row of each plan where it is largest. It stands in a scroll area, whose height
// the plans share (lane_layout.h): what the area scrolls are the rows below their heads, which stay.
class CompareLanes : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    static constexpr int kLabels = 132; // px, the column beside the bars
    explicit CompareLanes(CompareSet& set, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    void setRoom(int height);            // that is seen of it
    int laneTop(std::size_t lane) const; // of its head
    QRect headRect(std::size_t lane) const;
    QRect rowRect(std::size_t lane, int track) const; // partly seen, perhaps, or not at all
    QRect rowsRect(std::size_t lane) const;           // what is seen of its rows
    GanttViewport viewport(std::size_t lane) const;   // of its bars
    void zoom(double steps);                          // at the mouse, or in the middle
    void pan(double widths);
    QString headText(std::size_t lane) const; // "Lane 1: plan 17 (base), iteration 15.82 s, ..."
    std::vector<AccessiblePart> accessibleParts() const override; // a part a lane
    void activatePart(const QString& key) override;

Q_SIGNALS:
    void scrollWanted(int scrolled); // of the scroll area, for a row that is out of sight

protected:
    void moveEvent(QMoveEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override;

private:
    int barsWidth() const;
    int scrolled() const; // of the rows
    int tracks(std::size_t lane) const;
    struct Place {
        int lane = -1, track = -1; // track -1: the head
    };
    Place placeAt(int y) const;
    QRect closeRect(std::size_t lane) const;
    void resized();
    void showChosen(); // the row of the chosen difference, of the first plan that has one
    void makeMenu();
    void describe();
    QString differenceText() const; // of the chosen one; empty: none is
    void paintHead(QPainter& painter, std::size_t lane);
    void paintRow(QPainter& painter, std::size_t lane, int track);
    void paintMarks(QPainter& painter, std::size_t lane);

    CompareSet& m_set;
    LaneLayout m_layout;
    int m_room = 0;
    QPoint m_press;
    TimeWindow m_pressWindow;
    bool m_panning = false;
};

} // namespace pw
