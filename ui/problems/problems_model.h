// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "ui/problems/fixes.h"

#include <QAbstractTableModel>

#include <memory>

namespace pw {

// Everything that stops or weakens a search, worst first, in the order of the check within a severity, with
// what mends it.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Sign, Place, Problem, Value, Limit, Mend, Explain, ColumnCount };
    enum Role { WhereRole = Qt::UserRole, SeverityRole };

    using QAbstractTableModel::QAbstractTableModel;
    // `project`: what the list was found in, for the fixes; null: there are none.
    void setDiagnostics(const Diagnostics& list, std::shared_ptr<const Project> project = nullptr);
    std::optional<Fix> fixAt(int row) const;
    int count(Severity severity) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Diagnostics m_list;
    std::shared_ptr<const Project> m_project;
};

QString severityName(Severity severity);                    // "error", "warning", "note"
QString problemCounts(int errors, int warnings, int notes); // "1 error, 3 warnings, 2 notes"; empty if none

} // namespace pw
