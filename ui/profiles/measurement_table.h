// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace pw {

// Measured rows as they are, one a line.
class MeasurementModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Kind,
        Layer,
        Operator,
        Tp,
        Mbs,
        Tokens,
        Precision,
        Forward,
        Backward,
        Memory,
        Source,
        Date,
        ColumnCount
    };
    enum Role { SortRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setRows(std::vector<ProfileRow> rows);
    const std::vector<ProfileRow>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<ProfileRow> m_rows;
};

// The rows of a source, or of the project, to be filtered, sorted and looked at one by one.
class MeasurementTable : public QWidget {
    Q_OBJECT

public:
    explicit MeasurementTable(QWidget* parent = nullptr);

    // `more`: rows of the source that are not among these.
    void setRows(std::vector<ProfileRow> rows, std::int64_t more, const QString& whyNone);
    const std::vector<ProfileRow>& rows() const { return m_model->rows(); }

Q_SIGNALS:
    void chosen(const pw::ProfileRow& row);

private:
    void refreshCount();

    MeasurementModel* m_model;
    QSortFilterProxyModel* m_sorted;
    QLineEdit* m_filter;
    QLabel* m_count;
    QLabel* m_none;
    QTableView* m_table;
    std::int64_t m_more = 0;
};

} // namespace pw
