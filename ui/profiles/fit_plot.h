// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/links/link_measurement.h"
#include "core/profile/profile.h"
#include "ui/widgets/plot_widget.h"

#include <QWidget>

#include <optional>
#include <vector>

class QCPAxisRect;
class QCPGraph;
class QCustomPlot;
class QLabel;

namespace pw {

// Measured times over a size, and the line alpha + size / beta through them.
struct FitCurve {
    QString title;   // "all_reduce over 4 ranks"
    QString figures; // "alpha 24 us, beta 200 GB/s on the bus, largest residual 0.1 %"
    QString sizes;   // what the horizontal axis counts
    bool logarithmic = false;
    std::vector<std::pair<double, double>> points; // size, s; ascending
    bool fitted = false;
    double alpha = 0.0, slope = 0.0; // s, s a unit of size
    double at(double size) const { return alpha + slope * size; }
};
// Both halves of a timed collective; nothing where neither was sampled.
std::vector<FitCurve> fitCurves(const LinkMeasurement& measurement);
// Of a model's layer on a device kind at one tensor-parallel size: forward and backward over the micro-batch.
std::optional<FitCurve> fitCurve(const std::vector<ProfileRow>& rows, const std::string& model,
                                 const std::string& kind, int layer, int tp, const QString& layerName);

// Points, line and, below on the same axis, what the line leaves over.
class FitPlot : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit FitPlot(const char* place = "fit", QWidget* parent = nullptr); // place: of its menu

    void setCurve(std::optional<FitCurve> curve, const QString& whyNone = {});
    const std::optional<FitCurve>& curve() const { return m_curve; }

private:
    void recolour();
    QString textOf(const FitCurve& curve) const; // its figures, and a line a point

    std::optional<FitCurve> m_curve;
    QLabel* m_title;
    QLabel* m_figures;
    QCustomPlot* m_plot;
    QCPAxisRect* m_below;
    QCPGraph* m_points;
    QCPGraph* m_line;
    QCPGraph* m_rest;
    QCPGraph* m_zero;
};

} // namespace pw
