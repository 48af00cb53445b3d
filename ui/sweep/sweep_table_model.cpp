// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_table_model.h"

#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/sweep/sweep_words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

SweepTableModel::SweepTableModel(SweepStudy& study, QObject* parent)
    : QAbstractTableModel(parent), m_study(study) {
    connect(&study, &SweepStudy::opened, this, [this] {
        m_only.reset();
        reload();
    });
    connect(&study, &SweepStudy::changed, this, &SweepTableModel::refresh);
    reload();
}

int SweepTableModel::standingColumn() const {
    return m_study.isOpen() ? static_cast<int>(m_study.sweep().axes.size()) + 1 : 0;
}

int SweepTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int SweepTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_study.isOpen() ? 0
                                                 : standingColumn() + 1 + static_cast<int>(m_figures.size());
}

std::optional<SweepFigure> SweepTableModel::figureOf(int column) const {
    const int index = column - standingColumn() - 1;
    return index >= 0 && index < static_cast<int>(m_figures.size())
               ? std::optional(m_figures[static_cast<std::size_t>(index)])
               : std::nullopt;
}

int SweepTableModel::columnOf(SweepFigure figure) const {
    const auto at = std::ranges::find(m_figures, figure);
    return at == m_figures.end() ? -1 : standingColumn() + 1 + static_cast<int>(at - m_figures.begin());
}

int SweepTableModel::taskAt(int row) const {
    return row >= 0 && row < rowCount() ? static_cast<int>(m_order[static_cast<std::size_t>(row)]) : -1;
}

int SweepTableModel::rowOf(int task) const {
    return task >= 0 && task < static_cast<int>(m_rowOf.size()) ? m_rowOf[static_cast<std::size_t>(task)]
                                                                : -1;
}

QVariant SweepTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto task = static_cast<std::size_t>(taskAt(index.row()));
    const SweepRow& row = m_study.rows()[task];
    const int column = index.column();
    if (role == Qt::DisplayRole) {
        if (column == 0)
            return QString::number(task);
        if (column < standingColumn()) {
            const auto axis = static_cast<std::size_t>(column - 1);
            return valueText(m_study.sweep().axes[axis], m_study.tasks()[task].at[axis]);
        }
        if (column == standingColumn())
            return standingText(row.standing);
        return figureCell(*figureOf(column), row.figure(*figureOf(column)));
    }
    if (role == Qt::TextAlignmentRole)
        return QVariant(static_cast<int>((column == 0 || figureOf(column) ? Qt::AlignRight : Qt::AlignLeft) |
                                         Qt::AlignVCenter));
    if (role == Qt::ForegroundRole && row.standing != TaskStanding::Plan)
        return row.standing == TaskStanding::Failed ? theme().err : theme().text2;
    if (role == Qt::ToolTipRole && !row.reason.empty())
        return q(row.reason);
    return {};
}

QVariant SweepTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !m_study.isOpen())
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(static_cast<int>(
            (section == 0 || figureOf(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    if (section == 0)
        return tr("Task");
    if (section < standingColumn())
        return q(m_study.sweep().axes[static_cast<std::size_t>(section - 1)].name);
    return section == standingColumn() ? tr("Result") : figureName(*figureOf(section));
}

double SweepTableModel::sortKey(std::size_t task) const {
    if (const std::optional<SweepFigure> figure = figureOf(m_column))
        return m_study.rows()[task].figure(*figure);
    if (m_column == 0)
        return static_cast<double>(task);
    return m_column < standingColumn() ? m_study.tasks()[task].at[static_cast<std::size_t>(m_column - 1)]
                                       : static_cast<double>(m_study.rows()[task].standing);
}

void SweepTableModel::arrange() {
    if (m_only) {
        m_order = *m_only;
    } else {
        m_order.resize(m_study.isOpen() ? m_study.tasks().size() : 0);
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    }
    std::vector<double> keys(m_study.rows().size());
    for (const std::size_t task : m_order)
        keys[task] = sortKey(task);
    const bool down = m_direction == Qt::DescendingOrder;
    std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) {
        if (std::isnan(keys[a]) || std::isnan(keys[b]))
            return !std::isnan(keys[a]) && std::isnan(keys[b]);
        return down ? keys[a] > keys[b] : keys[a] < keys[b];
    });
    m_rowOf.assign(m_study.rows().size(), -1);
    for (std::size_t row = 0; row < m_order.size(); ++row)
        m_rowOf[m_order[row]] = static_cast<int>(row);
}

void SweepTableModel::reload() {
    beginResetModel();
    m_figures.clear();
    for (const SweepFigureRow& row : sweepFigureTable())
        if (m_study.isOpen() && m_study.has(row.figure))
            m_figures.push_back(row.figure);
    arrange();
    endResetModel();
}

void SweepTableModel::refresh() {
    std::size_t known = 0;
    for (const SweepFigureRow& row : sweepFigureTable())
        known += m_study.has(row.figure) ? 1 : 0;
    if (known != m_figures.size())
        return reload();
    sort(m_column, m_direction);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void SweepTableModel::sort(int column, Qt::SortOrder order) {
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<int> tasks;
    for (const QModelIndex& index : before)
        tasks.push_back(taskAt(index.row()));
    m_column = std::max(0, column);
    m_direction = order;
    arrange();
    for (qsizetype i = 0; i < before.size(); ++i)
        changePersistentIndex(before[i],
                              index(rowOf(tasks[static_cast<std::size_t>(i)]), before[i].column()));
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void SweepTableModel::setTasks(std::vector<std::size_t> tasks) {
    m_only = std::move(tasks);
    reload();
}

} // namespace pw
