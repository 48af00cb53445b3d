// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/lane_layout.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pw {

LaneLayout::LaneLayout(std::vector<int> rows, int room) : m_rows(std::move(rows)), m_shown(m_rows.size()) {
    const auto lanes = static_cast<int>(m_rows.size());
    const int all = std::accumulate(m_rows.begin(), m_rows.end(), 0);
    int left = std::max(room - lanes * (kHead + kGap), lanes * kLeastRow);
    if (room > 0 && all > 0)
        m_row = std::clamp(left / all, kLeastRow, kMostRow);
    if (room <= 0)
        left = all * m_row;
    std::vector<std::size_t> order(m_rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [this](std::size_t lane) { return m_rows[lane]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t lane = order[i];
        m_shown[lane] = std::min(m_rows[lane] * m_row, left / static_cast<int>(order.size() - i));
        left -= m_shown[lane];
        m_most = std::max(m_most, hidden(lane));
    }
}

int LaneLayout::top(std::size_t lane) const {
    int top = 0;
    for (std::size_t i = 0; i < lane; ++i)
        top += kHead + m_shown[i] + kGap;
    return top;
}

int LaneLayout::scroll(std::size_t lane, int scrolled) const {
    return std::min(scrolled, hidden(lane));
}

int LaneLayout::height() const {
    return top(m_rows.size());
}

} // namespace pw
