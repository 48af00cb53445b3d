// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/gantt_painter.h"
#include "ui/widgets/accessible_parts.h"

#include <QWidget>

namespace pw {

class CompareSet;

// The plans' timelines under each other on one axis: a head with the figures and their signed deltas, then a
// row a stage. One zoom, one selection for all: a click on a bar marks its micro-batch in every lane, and the
// chosen difference frames the row of each plan where it is largest.
class CompareLanes : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    static constexpr int kLabels = 132; // px, the column beside the bars
    explicit CompareLanes(CompareSet& set, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    int laneTop(std::size_t lane) const; // of its head
    QRect headRect(std::size_t lane) const;
    QRect rowRect(std::size_t lane, int track) const;
    GanttViewport viewport(std::size_t lane) const; // of its bars
    void zoom(double steps);                        // at the mouse, or in the middle
    void pan(double widths);
    QString headText(std::size_t lane) const; // "Lane 1: plan 17 (base), iteration 15.82 s, ..."
    std::vector<AccessiblePart> accessibleParts() const override; // a part a lane
    void activatePart(const QString& key) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool event(QEvent* event) override;

private:
    int barsWidth() const;
    int tracks(std::size_t lane) const;
    struct Place {
        int lane = -1, track = -1; // track -1: the head
    };
    Place placeAt(int y) const;
    QRect closeRect(std::size_t lane) const;
    void resized();
    void makeMenu();
    void describe();
    void paintHead(QPainter& painter, std::size_t lane);
    void paintRow(QPainter& painter, std::size_t lane, int track);
    void paintMarks(QPainter& painter, std::size_t lane);

    CompareSet& m_set;
    QPoint m_press;
    TimeWindow m_pressWindow;
    bool m_panning = false;
};

} // namespace pw
