// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QStringList>

#include <vector>

class QPainter;

namespace pw {

// Letters of one size on a drawing of any scale: what boxes are called where they are small.

inline constexpr double kNameGround = 13.0; // px, the height of a name's ground

// Draws in device pixels in the middle of a band of the scene, so that a name can be read when the drawing is
// small; behind it the first text of `more` that fits. For `kept`, the shortest of them, a name is cut in its
// middle as long as something can be made out of it; one that would be less gives way, unless all of it has
// room. Letters that are higher than the band stand on a ground of their own: lines end at the edge of a box.
void drawUnscaled(QPainter& painter, const QRectF& band, double scale, const QString& name,
                  const QStringList& more, const QString& kept = {});

// Boxes that are alike say the same behind their names, however long these are.
struct AlikeNames {
    double widest = 0.0; // px, of the names
    double room = 0.0;   // of the narrowest band, in the scene
};
double nameWidth(const QString& name); // px, as drawUnscaled() writes it
// The first of `more` that has room behind all of the names, else that which is kept; more.size(): none.
qsizetype wordsBehind(const AlikeNames& names, double scale, const QStringList& more,
                      const QString& kept = {});

// In the middle of a box of an outline, on a ground of its own, one below the other: the first of the lists
// of lines that has room.
void drawInMiddle(QPainter& painter, const QRectF& box, double scale, const std::vector<QStringList>& texts);

} // namespace pw
