// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace pw {

struct TournamentRow;

// One row an entrant of the tournament, in its order: one that waits has its name only, one that searches its
// progress, one that has ended all figures or why there are none.
class TournamentModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Planner,
        Standing,
        Ended,
        Time,
        Candidates,
        Judged,
        Operators,
        CacheHits,
        Iteration,
        Behind, // the fastest of the table
        Gap,    // to the highest bound that any proved
        PeakMemory,
        Schedule,
        Gpus,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole + 1, // raw value; invalid where there is no figure
        ReasonRole,                  // why there is no plan; empty = there is one, or none yet
        InfeasibleRole,              // the reason is that nothing fits
        BestRole,                    // the fastest
        PartialRole,                 // a planner without some of its parts
        SearchingRole,
        TightRole, // a device is at 95 % of its memory or above
    };

    explicit TournamentModel(AppContext& context, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    const TournamentRow* ended(int row) const; // null while it waits or searches

private:
    QString displayText(int row, int column) const;
    QString endedText(int row, int column) const;
    QString progressText(int column) const;
    QVariant sortValue(int row, int column) const;
    void reload();
    void refresh();

    AppContext& m_context;
    int m_rows = 0;         // only changes within a reset
    double m_fastest = 0.0; // seconds, 0 = none
};

// Rows without a figure stay last, whichever way is sorted.
class TournamentOrder : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit TournamentOrder(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace pw
