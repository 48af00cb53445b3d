// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_points.h"

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

} // namespace pw
