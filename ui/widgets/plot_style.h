// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/qcustomplot.h"

namespace pw {

struct Theme;

// Points without lines between them, as every plot of plans and runs has them. All are drawn: QCustomPlot
// would thin them out.
QCPGraph* addPoints(QCustomPlot& plot, QCPScatterStyle::ScatterShape shape, double size);
void stylePoints(QCPGraph& points, const QPen& pen, const QBrush& brush);

// An axis as all plots have it: its line, small labels and a faint grid, no ticks.
void styleAxis(QCPAxis& axis, const Theme& theme, bool active = false);

} // namespace pw
