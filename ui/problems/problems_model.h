// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"

#include <QAbstractTableModel>

namespace pw {

// Everything that stops or weakens a search, worst first, in the order of the check within a severity.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Sign, Place, Problem, Value, Limit, Explain, ColumnCount };
    enum Role { WhereRole = Qt::UserRole, SeverityRole };

    using QAbstractTableModel::QAbstractTableModel;
    void setDiagnostics(const Diagnostics& list);
    int count(Severity severity) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Diagnostics m_list;
};

QString severityName(Severity severity);                    // "error", "warning", "note"
QString problemCounts(int errors, int warnings, int notes); // "1 error, 3 warnings, 2 notes"; empty if none

} // namespace pw
