// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QAbstractItemDelegate;
class QAbstractItemView;
class QTableView;

namespace pw {

struct FigureColumn {
    int column = 0, pixels = 0;
};
using FigureColumns = std::vector<FigureColumn>;

// What tables of rows to look at share: no grid or frame, single rows of one height selected, nothing edited,
// no headings of rows, and Tab leads out.
void quietTable(QTableView* table, int rowHeight, int headerHeight = 24);
// What tables of figures share beyond that: quiet rows, widths, one column that takes the rest. The delegate
// paints everything.
void prepareFigureTable(QTableView* table, QAbstractItemDelegate* delegate, const FigureColumns& columns,
                        int stretched);
// Selects the next row, or with `by` -1 the one before; round the ends. The row, -1 in an empty table.
int stepRow(QAbstractItemView* table, int by);
// Hides columns in this order until the others fit `room` pixels.
void hideFigureColumns(QTableView* table, const FigureColumns& columns, const std::vector<int>& order,
                       int room);

} // namespace pw
