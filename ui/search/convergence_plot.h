// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/search_runner.h"
#include "ui/widgets/plot_widget.h"

#include <QWidget>

class QCPGraph;
class QCPItemText;
class QCustomPlot;

namespace pw {

// The best iteration time and the bound over the work done: staircases, with the gap between them hatched.
class ConvergencePlot : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit ConvergencePlot(QWidget* parent = nullptr);
    void setHistory(const std::vector<SearchRunner::HistoryPoint>& history, const SearchProgress& now);

private:
    void recolour();
    QString text() const; // what it says, and a line an improvement
    void label(QCPItemText* item, const QString& text, double x, double y, bool above);

    QCustomPlot* m_plot;
    QCPGraph* m_best;
    QCPGraph* m_corners;
    QCPGraph* m_bound;
    QCPItemText* m_bestLabel;
    QCPItemText* m_boundLabel;
};

} // namespace pw
