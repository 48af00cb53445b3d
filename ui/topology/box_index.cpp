// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/box_index.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {
constexpr double kLeastCell = 160.0;  // scene units
constexpr double kMostCells = 1024.0; // along one side
} // namespace

BoxIndex::BoxIndex(const QRectF& bounds, std::size_t expected)
    : m_bounds(bounds), m_cell(std::max({kLeastCell,
                                         std::sqrt(bounds.width() * bounds.height() /
                                                   static_cast<double>(std::max<std::size_t>(1, expected))),
                                         bounds.width() / kMostCells, bounds.height() / kMostCells})),
      m_columns(static_cast<std::size_t>(bounds.width() / m_cell) + 1),
      m_rows(static_cast<std::size_t>(bounds.height() / m_cell) + 1), m_cells(m_columns * m_rows) {
    m_boxes.reserve(expected);
}

BoxIndex BoxIndex::of(const std::vector<QRectF>& boxes) {
    QRectF all;
    for (const QRectF& box : boxes)
        all |= box;
    BoxIndex index(all, boxes.size());
    for (const QRectF& box : boxes)
        index.add(box);
    return index;
}

void BoxIndex::add(const QRectF& box) {
    const Cells cells = cellsOf(box);
    for (std::size_t row = cells.top; row <= cells.bottom; ++row)
        for (std::size_t column = cells.left; column <= cells.right; ++column)
            m_cells[row * m_columns + column].push_back(m_boxes.size());
    m_boxes.push_back(box);
}

BoxIndex::Cells BoxIndex::cellsOf(const QRectF& area) const {
    const auto cell = [this](double distance, std::size_t count) {
        return static_cast<std::size_t>(
            std::clamp(std::floor(distance / m_cell), 0.0, static_cast<double>(count - 1)));
    };
    return {cell(area.left() - m_bounds.left(), m_columns), cell(area.right() - m_bounds.left(), m_columns),
            cell(area.top() - m_bounds.top(), m_rows), cell(area.bottom() - m_bounds.top(), m_rows)};
}

} // namespace pw
