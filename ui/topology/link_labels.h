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
    QSizeF mark;        // px, of the sign of a warning in front of the label; empty: there is none
    bool first = false; // chosen: before the others where it would be left out
    QSizeF brief{};     // px, of a shorter label for where the first has no room; empty: there is none
};
struct LabelPlace {
    QPointF at;         // the middle, in the scene
    bool label = false; // there is room for the label, and for the mark in front of it
    bool brief = false; // the shorter one
    bool operator==(const LabelPlace&) const = default;
};

// Where labels go at a scale: onto legs of their own way, where they cover neither a box nor another label
// nor a way that is not theirs, also not one that says the same: nobody could tell whose they are. Places
// that no other way comes near are taken before others. A shorter one may also stand beside its leg, only
// where no other way is near. Links with a mark come before those without, and the shorter labels of these
// and of the link that is chosen, which is seen to be theirs, may lie across any way rather than be left out.
// What does not fit has no place: a mark never stands without its label. Few links are tried at more places
// of their ways than many, and those that are left out once more before the others, which may have room
// elsewhere; no more than some thousand are tried for the shorter label.
std::vector<LabelPlace> placeLabels(const std::vector<LabelWish>& wishes, const std::vector<QRectF>& boxes,
                                    double scale);

} // namespace pw
