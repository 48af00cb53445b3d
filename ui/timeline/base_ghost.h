// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/gantt_painter.h"

namespace pw {

// What an edited plan was made from, over its rows: a thin grey line where the base's stage of the same
// number computes, and a dashed one where the base's iteration ends.
void paintBaseGhost(QPainter& painter, const Timeline& base, const GanttViewport& viewport,
                    const Theme& theme);

} // namespace pw
