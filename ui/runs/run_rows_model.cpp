// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_rows_model.h"

#include "ui/base/theme.h"

namespace pw {

void RunRowsModel::setTable(PlanRunTable table) {
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int RunRowsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int RunRowsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_table.headings.size());
}

int RunRowsModel::alignment(int column) const {
    const bool figure = column >= m_figures && column < m_figuresEnd;
    return int((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

QVariant RunRowsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PlanRunRow& row = m_table.rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        return row.cells[index.column()];
    case Qt::AccessibleTextRole: {
        const QString text = row.cells[index.column()];
        return text.isEmpty() ? QVariant() : tr("%1: %2").arg(m_table.headings[index.column()], text);
    }
    case Qt::TextAlignmentRole:
        return alignment(index.column());
    case Qt::ForegroundRole:
        if (m_table.headings.size() > 6 && index.column() == 6 && row.tone != 0)
            return row.tone > 0 ? theme().err : theme().ok;
        return theme().text;
    case TrackRole:
        return row.track;
    default:
        return {};
    }
}

QVariant RunRowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= m_table.headings.size())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignment(section);
    if (role == Qt::ToolTipRole && section < m_table.hints.size() && !m_table.hints[section].isEmpty())
        return m_table.hints[section];
    return role == Qt::DisplayRole ? m_table.headings[section] : QVariant();
}

} // namespace pw
