// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace pw {

// How compared plans share the height that is seen, in px: a head each and rows below it. Rows get lower,
// down to kLeastRow, until all are seen; where that is not enough each plan shows a part of its rows, at
// least one, and all are scrolled together, so that the same stages stay in view:
//
//     | head of plan 17                |
//     | stage 2, 3, 4 of 8             |  kMostRow to kLeastRow each
//     | head of plan 23                |
//     | stage 2, 3, 4 of 6             |
//
// A plan with few rows leaves its room to the others.
class LaneLayout {
public:
    static constexpr int kHead = 28, kGap = 6, kMostRow = 42, kLeastRow = 24;

    LaneLayout() = default;
    // Rows of each plan, and the height that is seen; 0: not known, all rows at their full height.
    LaneLayout(std::vector<int> rows, int room);

    int rowHeight() const { return m_row; }
    int top(std::size_t lane) const;                            // of its head, unscrolled
    int shown(std::size_t lane) const { return m_shown[lane]; } // height of the part of its rows that is seen
    int scroll(std::size_t lane, int scrolled) const; // of its rows, which stop where the last one is seen
    int most() const { return m_most; }               // that rows can be scrolled by
    int height() const;                               // of all, without what is scrolled

private:
    int hidden(std::size_t lane) const { return m_rows[lane] * m_row - m_shown[lane]; }
    std::vector<int> m_rows, m_shown;
    int m_row = kMostRow, m_most = 0;
};

} // namespace pw
