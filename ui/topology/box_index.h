// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <cstddef>
#include <vector>

namespace pw {

// Boxes by place, in a grid of about as many cells as boxes: whoever asks what lies in an area looks at the
// boxes of its cells only. The same answers in the same order, whenever asked.
class BoxIndex {
public:
    // `bounds`: about where the boxes lie (what lies outside is found, too, but slower); `expected`: how
    // many.
    BoxIndex(const QRectF& bounds, std::size_t expected);
    static BoxIndex of(const std::vector<QRectF>& boxes); // all of them, by their places in the list
    void add(const QRectF& box);                          // numbered from 0 in the order in which they come

    const QRectF& box(std::size_t index) const { return m_boxes[index]; }
    // Calls take(index) for boxes that share more than an edge with the area, some of them more than once,
    // until it returns true. Says whether it did.
    template <class Take>
    bool any(const QRectF& area, Take take) const {
        const Cells cells = cellsOf(area);
        for (std::size_t row = cells.top; row <= cells.bottom; ++row)
            for (std::size_t column = cells.left; column <= cells.right; ++column)
                for (const std::size_t index : m_cells[row * m_columns + column])
                    if (overlap(m_boxes[index], area) && take(index))
                        return true;
        return false;
    }

private:
    struct Cells {
        std::size_t left, right, top, bottom;
    };
    Cells cellsOf(const QRectF& area) const;
    static bool overlap(const QRectF& a, const QRectF& b) {
        return a.left() < b.right() && b.left() < a.right() && a.top() < b.bottom() && b.top() < a.bottom();
    }

    QRectF m_bounds;
    double m_cell;
    std::size_t m_columns, m_rows;
    std::vector<QRectF> m_boxes;
    std::vector<std::vector<std::size_t>> m_cells;
};

} // namespace pw
