// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/accessible_parts.h"

#include <QWidget>

#include <vector>

namespace pw {

// Times over the values of one parameter, the values side by side at equal distances. The plan as it is has a
// ring; what does not fit into the memory is hollow.
class SlicePlot : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    struct Point {
        QString value, time, change; // "4 sequences", "∴ 13.20 s", "+1.2 %"
        double seconds = 0.0;
        bool fits = true, now = false;
    };

    explicit SlicePlot(QWidget* parent = nullptr);

    void setPoints(std::vector<Point> points);
    void setChosen(int index); // -1: none
    QPointF place(int index) const;
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override { Q_EMIT clicked(key.toInt()); }

Q_SIGNALS:
    void clicked(int index);
    void doubleClicked(int index);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    int at(QPointF where) const; // the nearest in reach, -1: none
    QRectF room() const;

    std::vector<Point> m_points;
    double m_low = 0.0, m_high = 1.0; // of the axis, s
    int m_chosen = -1;
};

} // namespace pw
