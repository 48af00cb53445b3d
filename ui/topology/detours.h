// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/box_index.h"
#include "ui/topology/geometry.h"

namespace pw {

// Ways around the boxes that stand between the ends of a link. A way leaves its box by a short stub,
//
//     a ──┐        along the row of the stub to a free column, along that to the row of the other stub
//         │ [c]    (or column, row, column), whichever is shortest. Where no free column and no free row
//         └── b    leads there, it walks towards b and around each box that it meets.
//
// None of its legs crosses a box if boxes stand at least kGrid apart; where they stand closer or on each
// other, the direct way is what remains. Of n boxes a link looks at some dozens: those along a few legs.
class Detours {
public:
    explicit Detours(const std::vector<QRectF>& boxes);

    // `direct` if it meets no other box, else a way around with the same ends. `lane`, from 0 to kLanes - 1,
    // keeps links of different switches beside each other in the gaps between boxes.
    static constexpr int kLanes = 3;
    QPolygonF around(const QPolygonF& direct, LinkEnds ends, bool sideways, int lane) const;
    bool isClear(const QPolygonF& way, LinkEnds ends) const; // meets no box but at its ends
    const QRectF& box(std::size_t index) const { return m_index.box(index); }

private:
    class Path;
    BoxIndex m_index;
};

} // namespace pw
