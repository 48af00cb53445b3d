// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/runs/run_rows.h"

#include <QAbstractTableModel>

namespace pw {

// The rows of a PlanRunTable; columns from `figures` to `figuresEnd` (one behind the last) are of figures.
class RunRowsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { TrackRole = Qt::UserRole + 1 };

    RunRowsModel(int figures, int figuresEnd, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_figures(figures), m_figuresEnd(figuresEnd) {}
    void setTable(PlanRunTable table);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    int alignment(int column) const;

    PlanRunTable m_table;
    int m_figures, m_figuresEnd;
};

} // namespace pw
