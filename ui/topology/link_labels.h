// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace pw {

// A link whose label seeks a place. Sizes are the screen's: labels keep theirs where the drawing is small.
struct LabelWish {
    QPolygonF way;
    QSizeF label;       // px
    QSizeF mark;        // px, of the sign of a warning; empty: there is none
    bool first = false; // before the others
};
struct LabelPlace {
    QPointF at;         // the middle, in the scene
    bool label = false; // there is room for the label, and for the mark in front of it
    bool mark = false;
    bool operator==(const LabelPlace&) const = default;
};

// Where labels go at a scale: onto legs of their own way, where they cover neither a box nor another label
// nor a way that is not theirs. What does not fit is left out; its mark may still fit alone.
std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes,
                                    double scale);

} // namespace pw
