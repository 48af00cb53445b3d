// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/build.h"
#include "ui/timeline/gantt_painter.h"

namespace pw {

// Where a bar is drawn, null if it is not in the viewport's band, and which one is drawn at or within 3 px of
// a point.
QRect barRect(const Timeline& timeline, const GanttViewport& viewport, BarRef ref);
BarRef barAt(const Timeline& timeline, const GanttViewport& viewport, const QPoint& at);

} // namespace pw
