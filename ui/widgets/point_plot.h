// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/plot_widget.h"

#include <QWidget>

class QCPGraph;
class QCustomPlot;

namespace pw {

struct Theme;

// A plot of points of which one is chosen: the widget takes mouse and keys itself, the plot library draws.
// Colours follow the theme, and the base lines of the axes show the focus.
class PointPlot : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    static constexpr double kReach = 9.0; // px from a point that still hit it

protected:
    PointPlot(const QMargins& around, QWidget* parent); // px between the widget's edge and the axes

    QCustomPlot& plot() const { return *m_plot; }
    // After all other points, so that it lies on them; it is drawn without them.
    void addRing(double size);
    void showRing(double x, double y);
    void hideRing();
    void setAround(const QMargins& around);
    // Once by whoever derives, as soon as everything has been added.
    void applyTheme();
    virtual void recolour(const Theme& theme) = 0; // what was added; axes and ring are done

    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QCustomPlot* m_plot; // this widget's child, and owns the rest
    QCPGraph* m_ring = nullptr;
};

} // namespace pw
