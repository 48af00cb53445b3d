// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QHeaderView;
class QTableView;

namespace pw {

class Candidates;

// How wide the columns of the table of plans are, in pixels, and which of them a narrow table gives up.

void widenColumns(QHeaderView& header); // to the widths that they begin with
void hideColumns(QTableView& table, int room);
// Of the names' column, in a table that has the room beside its scroll bar.
int namesWidth(const QHeaderView& header, const Candidates& plans, int room);

} // namespace pw
