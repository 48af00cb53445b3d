// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/plots/plan_axis.h"
#include "ui/session/plan_order.h"
#include "ui/widgets/point_plot.h"

#include <memory>

namespace pw {

// Plans as points over two quantities, with the front of those that no other beats in both, among the plans
// of the project that answer its question. A click chooses the plan, a drag brushes, Esc or a click on empty
// ground frees the brush. Infeasible plans are crosses, what answers another question is pale, what the brush
// leaves out is faint.
class ParetoPlot : public PointPlot {
    Q_OBJECT

public:
    explicit ParetoPlot(AppContext& context, QWidget* parent = nullptr);
    ~ParetoPlot() override;

    PlanAxis xAxis() const { return m_x; }
    PlanAxis yAxis() const { return m_y; }
    void setAxes(PlanAxis x, PlanAxis y);
    void setLogarithmic(bool on);              // both axes, where all values are positive
    void setDominatedShown(bool on);           // off: the front alone
    QPointF positionOf(int plan) const;        // px; null if it has no point
    int planAt(const QPointF& position) const; // -1 if none is near
    std::vector<int> front() const;            // ids, along x
    int pointCount() const { return static_cast<int>(m_points.size()); }

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void recolour(const Theme& theme) override;

private:
    struct Parts; // of the plot library, whose header takes seconds to compile
    struct Point {
        int id = -1;
        double x = 0.0, y = 0.0;
        PlanPlace place = PlanPlace::Own;
        bool feasible = true, brushed = true, onFront = false;
    };
    void refresh();
    void makeMenu();
    void showPoints();
    void showPlan();
    void showBrush();
    void fit();
    QPointF pixelOf(const Point& point) const;
    QString textOf(int plan) const;

    AppContext& m_context;
    PlanBrush& m_brush;
    std::unique_ptr<Parts> m_parts;
    std::vector<Point> m_points;
    PlanAxis m_x = PlanAxis::PeakShare, m_y = PlanAxis::Iteration;
    bool m_log = false, m_dominated = true;
    QPointF m_pressed;
    bool m_brushing = false;
};

} // namespace pw
