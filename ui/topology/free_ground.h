// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

#include <QRectF>

#include <vector>

namespace pw {

// Where new boxes of the drawing stand: nothing that is placed, pasted, duplicated or imported lands on a box
// that is there. Notes are under the boxes and in nobody's way.

// There if nothing stands in the way, else in the same row, else in the next row below that has room. On the
// grid, a step of it away from every box.
QPointF freeSpot(const std::vector<QRectF>& taken, QPointF wanted, QSizeF size);

// The edit as it is if none of the boxes that it adds touches one of `before` or comes nearer than `gap` to
// it; else with all that it adds moved together, as they stand to each other, to where freeSpot() has room
// for the whole.
Result<Project> onFreeGround(const Project& before, Result<Project> edited, double gap = 0.0);

// The edit with all that it adds moved together, so that the middle of it is there, on the grid.
Result<Project> centredAt(const Project& before, Result<Project> edited, QPointF middle);

// The edit with all that it adds moved together, so that the whole of it begins there.
Result<Project> cornerAt(const Project& before, Result<Project> edited, QPointF corner);

// What all nodes and switches cover.
QRectF clusterExtent(const Cluster& cluster);

// Tidied, all of it.
Result<Project> inRows(const Result<Project>& edited);
// The same where two boxes stand at the very same place, as in files without places; else as it is.
Result<Project> spreadOut(const Result<Project>& edited);

} // namespace pw
