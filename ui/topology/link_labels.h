// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <cstddef>
#include <vector>

namespace pw {

// A link whose label seeks a place. Sizes are the screen's: labels keep theirs where the drawing is small.
struct LabelWish {
    QPolygonF way;
    QSizeF label;         // px
    QSizeF mark;          // px, of the sign of a warning; empty: there is none
    bool first = false;   // before the others
    QSizeF brief{};       // px, of a shorter label for where the first has no room; empty: there is none
    std::size_t text = 0; // the same of links whose labels say the same
};
struct LabelPlace {
    QPointF at;         // the middle, in the scene
    bool label = false; // there is room for the label, and for the mark in front of it
    bool mark = false;
    bool brief = false; // the shorter one
    bool operator==(const LabelPlace&) const = default;
};

// Where labels go at a scale: onto legs of their own way, where they cover neither a box nor another label
// nor a way that is not theirs. A shorter one may also stand beside its leg, and lie across ways of which it
// says the same: a fan of equal links has some labels then instead of none. What does not fit is left out;
// its mark may still fit alone. One pass, which tries the shorter one for no more than some thousand links.
std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes,
                                    double scale);

} // namespace pw
