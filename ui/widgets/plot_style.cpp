// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_style.h"

#include "ui/base/theme.h"

namespace pw {

QCPGraph* addPoints(QCustomPlot& plot, QCPScatterStyle::ScatterShape shape, double size) {
    QCPGraph* graph = plot.addGraph();
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setAdaptiveSampling(false);
    graph->setScatterStyle(QCPScatterStyle(shape, size));
    return graph;
}

void stylePoints(QCPGraph& points, const QPen& pen, const QBrush& brush) {
    QCPScatterStyle style = points.scatterStyle();
    style.setPen(pen);
    style.setBrush(brush);
    points.setScatterStyle(style);
}

void styleAxis(QCPAxis& axis, const Theme& theme, bool active) {
    axis.setBasePen(QPen(active ? theme.accent : theme.line, 1));
    axis.setTickPen(Qt::NoPen);
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLabelColor(theme.text2);
    axis.setTickLabelFont(smallFont());
    axis.setLabelColor(theme.text2);
    axis.setLabelFont(smallFont());
    axis.grid()->setPen(QPen(theme.grid, 1));
    axis.grid()->setZeroLinePen(Qt::NoPen);
}

} // namespace pw
