// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPolygonF>
#include <QRectF>

#include <cstddef>
#include <vector>

namespace pw {

// Sizes and ways of the drawing in scene units (px at 100 %). Pure: no items, no widgets. An item's position
// is the top left corner of its box, which is what Node::at and Switch::at hold.
inline constexpr double kGrid = 16.0;
inline constexpr double kNodeWidth = 256.0;
inline constexpr double kNodeHeader = 32.0;
inline constexpr int kTilesPerRow = 4;

QSizeF nodeSize(int gpus);
QRectF tileRect(int slot);            // of a GPU within its node
int tileAt(QPointF inNode, int gpus); // slot under the point, or -1
inline constexpr QSizeF kSwitchSize{112.0, 52.0};

double snapped(double v); // to the grid

// The boxes that a link joins, as indices into the list of boxes.
struct LinkEnds {
    std::size_t a = 0, b = 0;
    bool slants = false; // it may: both are switches, or one is a node of many cables
};

bool isSlanted(const QLineF& leg); // neither level nor upright
// What the leg may lie on: one box round it, or several where it is slanted.
std::vector<QRectF> legBoxes(const QLineF& leg);

// Right-angled ways between boxes, one polyline a link, from a's edge to b's edge. Links on one side of a box
// spread along it in the order of what they lead to, so that they do not cross at the box. What stands
// between is passed (detours.h), and ways that would lie on each other run beside each other (tracks.h).
// Switches above each other, as leaves and spines, and nodes under many rails are joined by straight lines
// where nothing stands between: each joins each, and right-angled ways of so many are a tangle that nobody
// follows.
std::vector<QPolygonF> routeLinks(const std::vector<QRectF>& boxes, const std::vector<LinkEnds>& links);
// What each of the ways has for its thickness: from its ends to the nearest other end on the same box, or
// infinite where it is alone at both.
std::vector<double> roomAtEnds(const std::vector<QPolygonF>& ways, const std::vector<LinkEnds>& links);
QPolygonF routeToPoint(const QRectF& box, QPointF end); // for a link that is being drawn
double distanceTo(const QPolygonF& way, QPointF at);    // of its nearest point; infinite without one

} // namespace pw
