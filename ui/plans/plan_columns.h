// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <functional>
#include <map>

class QHeaderView;
class QMenu;
class QTableView;

namespace pw {

class Candidates;

void widenColumns(QHeaderView& header); // to the pixels that they begin with
// Of the names' column, in a table that has the room beside its scroll bar.
int namesWidth(const QHeaderView& header, const Candidates& plans, int room);

// Which columns of the table of plans are seen: those that the user wants, none that they do not want, and of
// the others as many as the table has room for.
class PlanColumns {
public:
    void fit(QTableView& table, int room) const;
    // An entry a column that may be hidden, and one that forgets all choices. `changed`: fit() is due.
    void offer(QMenu& menu, const QTableView& table, const std::function<void()>& changed);
    // "Origin=1 Rank=0", by the names of PlanTableModel::Column; what is not understood is passed over.
    QByteArray kept() const;
    void restore(const QByteArray& kept);

private:
    std::map<int, bool> m_wanted; // by column
};

} // namespace pw
