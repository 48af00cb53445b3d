// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/selection.h"
#include "ui/session/shown_plan.h"
#include "ui/widgets/accessible_parts.h"

#include <QWidget>

namespace pw {

class TimelineTracks;

// The column beside the tracks: stage badge, devices, busy share and the names of the lanes. Rows stand where
// the tracks' rows stand; a click chooses the stage, a drag puts the row elsewhere, a drag of an edge makes
// all rows taller or lower.
class TimelineLabels : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    TimelineLabels(Selection& selection, TimelineTracks& tracks, QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override; // chooses the row's stage

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void paintRow(QPainter& painter, int track) const;
    void paintRan(QPainter& painter, int track) const;
    const Track& ranTrack(int track) const;
    QString rankText(int track) const; // "emulated, rank 3"
    QString rowText(int track) const;
    int trackAt(const QPoint& at) const; // -1 beside the rows
    int edgeAt(const QPoint& at) const;

    Selection& m_selection;
    TimelineTracks& m_tracks;
    std::shared_ptr<const ShownPlan> m_plan;
    int m_pressed = -1, m_dropRow = -1; // a row that is dragged, and where to
    QPoint m_press;
    int m_heightBefore = 0; // of a row whose edge is dragged; 0: none is
};

} // namespace pw
