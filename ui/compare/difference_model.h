// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <cstddef>
#include <vector>

namespace pw {

class CompareSet;

// Rows of seconds: the cause, a column a plan, and a column a plan but the base with the signed change. The
// last row is the iteration, which the others add up to.
class DifferenceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        ChangeRole = Qt::UserRole + 1, // s, of a change column; invalid elsewhere
        ScaleRole,                     // s, the largest change of all: of the bars
        TotalRole                      // the row is the iteration
    };
    explicit DifferenceModel(CompareSet& set, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    int plans() const;
    // Of a change column the plan that it is of, else -1.
    int changedPlan(int column) const;
    double seconds(int row, int plan) const;

    CompareSet& m_set;
    int m_rows = 0, m_plans = 0;
};

// The plans' properties in brief, a column a plan: first those that differ, then, quiet, those that are equal
// in all of them. Tool tips have the whole of each.
class FieldModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { DiffersRole = Qt::UserRole + 9 }; // one delegate paints both models
    explicit FieldModel(CompareSet& set, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    CompareSet& m_set;
    std::vector<std::size_t> m_order; // by row, of the comparison's fields
    int m_plans = 0;
};

} // namespace pw
