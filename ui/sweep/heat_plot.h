// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/heat_map.h"
#include "ui/sweep/sweep_study.h"
#include "ui/widgets/accessible_parts.h"

#include <QPixmap>
#include <QWidget>

namespace pw {

// The heat map of a sweep, with its scale below. A cell that has no value is hatched (nothing runs there),
// dotted (no result yet) or crossed (failed). Arrows walk the cells, from panel to panel at their ends; what
// is walked onto is chosen.
//
// Sixty thousand cells take some 20 ms to paint, so that they are painted once into a picture.
class HeatPlot : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    explicit HeatPlot(SweepStudy& study, QWidget* parent = nullptr);

    const HeatQuestion& question() const { return m_question; }
    void setQuestion(const HeatQuestion& question); // also anew, of what has come since
    const HeatMap& map() const { return m_map; }
    struct Place {
        std::size_t panel = 0, row = 0, column = 0;
        bool operator==(const Place&) const = default;
    };
    std::optional<Place> current() const { return m_current; }
    QRectF cellRect(const Place& place) const; // px
    std::optional<Place> placeAt(const QPointF& at) const;
    QString cellText(const Place& place) const; // what it stands for, and its value or why there is none
    int hiddenPanels() const;                   // beyond those that are shown
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override;

Q_SIGNALS:
    void activated(); // the current cell: open its plan

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void refresh();
    void layOut();
    void redraw();
    void paintCells(QPainter& painter) const;
    void paintLabels(QPainter& painter, std::size_t panel) const;
    void paintLegend(QPainter& painter) const;
    void makeMenu();
    void setCurrent(const Place& place);
    void showChosen();
    double shareOf(double value) const; // of the scale
    double valueAt(double share) const;
    QString valueOf(double value) const; // with its unit
    std::size_t shownPanels() const;
    QRectF panelRect(std::size_t panel) const; // of its cells

    SweepStudy& m_study;
    HeatQuestion m_question;
    HeatMap m_map;
    bool m_log = false; // the scale
    std::optional<Place> m_current;
    QPixmap m_picture; // null: make anew
    // Panels stand side by side and under each other, equal in size.
    int m_across = 1;
    double m_left = 0.0, m_cellWidth = 0.0, m_cellHeight = 0.0, m_stepX = 0.0, m_stepY = 0.0;
};

} // namespace pw
