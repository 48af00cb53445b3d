// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep_rows.h"

#include <QString>

namespace pw {

QString numberText(std::size_t count); // "59,049"

// How the views of a sweep word its figures, the unit with the name or with the value.
QString figureName(SweepFigure figure);                      // "Iteration, s"
QString figureText(SweepFigure figure, double value);        // "1.204 s"; empty where there is none
QString figureCell(SweepFigure figure, double value);        // "1.204", under a heading with the unit
double figureFactor(SweepFigure figure);                     // from core's unit to the shown one
QString standingText(TaskStanding standing);                 // "no plan"
QString valueText(const SweepAxis& axis, std::size_t value); // of a file its name alone
// "batch 64, V100 nodes 2"
QString taskText(const SweepDocument& sweep, const Assignment& at);

} // namespace pw
