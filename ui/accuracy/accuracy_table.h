// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QTableView;

namespace pw {

struct AccuracyColumn {
    int column = 0, pixels = 0;
};
using AccuracyColumns = std::vector<AccuracyColumn>;

// What the tables of sources and runs share: quiet rows, the delegate, widths, one column that takes the
// rest.
void prepareAccuracyTable(QTableView* table, const AccuracyColumns& columns, int stretched);
// Hides columns in this order until the others fit `room` pixels.
void hideAccuracyColumns(QTableView* table, const AccuracyColumns& columns, const std::vector<int>& order,
                         int room);

} // namespace pw
