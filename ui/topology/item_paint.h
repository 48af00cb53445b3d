// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"

class QPainter;
class QRectF;
class QStyleOptionGraphicsItem;

namespace pw {

// What the items of the drawing paint alike.

inline constexpr double kHalo = 10.0; // room around a box for outline, ports and marks

double scaleOf(const QStyleOptionGraphicsItem* option, const QPainter* painter);

// An error is a circle with a cross, a warning a triangle with a bar: told apart without colour.
void paintSeverity(QPainter& painter, const QRectF& rect, Severity severity);

} // namespace pw
