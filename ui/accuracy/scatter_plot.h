// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_study.h"
#include "ui/widgets/point_plot.h"

#include <memory>

namespace pw {

// Predicted over measured, both logarithmic on one scale and in a square, with bands of 10 and 25 %. The
// chosen source is filled with the accent, compared ones stand out by shape, all others are grey; runs that
// no score rests on are crosses. A click chooses the run, a double click opens it.
class ScatterPlot : public PointPlot {
    Q_OBJECT

public:
    explicit ScatterPlot(AccuracyStudy& study, QWidget* parent = nullptr);
    ~ScatterPlot() override;

    void fit(); // shows all points
    // Where the run is drawn, in this widget's pixels; null if it has no point.
    QPointF positionOf(RunRef run) const;
    RunRef runAt(const QPointF& position) const; // the nearest point within a few pixels
    int pointCount() const;
    QRect area() const; // the square

Q_SIGNALS:
    void areaChanged();

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void recolour(const Theme& theme) override;

private:
    struct Parts; // of the plot library, whose header takes seconds to compile
    struct Point {
        RunRef run;
        double measured = 0.0, predicted = 0.0;
    };
    void refresh();
    void showRun();
    void describe();
    void setRange(double low, double high, double lowPredicted, double highPredicted);
    QPointF pixelOf(const Point& point) const;
    QString pointText(RunRef run) const;
    QRect current() const;
    void step(int by);

    AccuracyStudy& m_study;
    std::unique_ptr<Parts> m_parts;
    std::vector<Point> m_points;
    bool m_fitted = true; // until the user zooms
    QPointF m_pressed;
    bool m_panning = false;
};

} // namespace pw
