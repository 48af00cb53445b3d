// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/plots/plan_axis.h"
#include "ui/widgets/plot_widget.h"

#include <QPixmap>
#include <QWidget>

class QMenu;

namespace pw {

struct Candidate;

// Every plan as a line across upright axes. A drag along an axis brushes it, a double click frees it; a click
// near a line chooses the plan. Infeasible plans are dotted, those that answer another question pale and
// below the others. An axis' menu makes it logarithmic.
class ParallelPlot : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit ParallelPlot(AppContext& context, QWidget* parent = nullptr);

    double axisX(PlanAxis axis) const;             // px
    double yOf(PlanAxis axis, double value) const; // px
    int planAt(QPointF position) const;            // -1 if no line is near
    bool isLogarithmic(PlanAxis axis) const { return m_log[static_cast<std::size_t>(axis)]; }
    void setLogarithmic(PlanAxis axis, bool on);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Scale {
        double low = 0.0, high = 1.0;
        bool log = false;
        bool single = false; // all plans have one value
    };
    void refresh();
    void makeMenu();
    void offerAxes(QMenu& menu, int near); // the axis `near`, all if -1
    QString textOf(const Candidate* plan) const;
    QString toolTipAt(const QPoint& at) const;
    void drawLines(QPainter& painter) const;
    int axisNear(double x) const; // -1 if none
    double valueAt(PlanAxis axis, double y) const;
    QPolygonF lineOf(std::size_t plan) const;

    AppContext& m_context;
    PlanBrush& m_brush;
    std::vector<std::array<double, kPlanAxes>> m_values; // by plan, in the candidates' order
    std::array<Scale, kPlanAxes> m_scales;
    std::array<bool, kPlanAxes> m_log{};
    QPixmap m_lines;  // null = make anew
    int m_axis = -1;  // of the drag
    int m_asked = -1; // of the click that asks for the menu
    QPointF m_pressed;
    bool m_brushing = false;
};

} // namespace pw
