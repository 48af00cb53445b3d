// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plan_filter.h"

#include "ui/plans/plan_table_model.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace pw {

PlanFilter::PlanFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(PlanTableModel::SortRole);
    setDynamicSortFilter(true);
}

void PlanFilter::setFilter(const QString& text) {
    static const QRegularExpression comparison(QStringLiteral("^([a-z]+)([<>=])([0-9.]+)$"));
    static const std::pair<const char*, int> names[] = {
        {"iteration", PlanTableModel::Iteration}, {"tokens", PlanTableModel::Tokens},
        {"bubble", PlanTableModel::Bubble},       {"idle", PlanTableModel::Idle},
        {"fit", PlanTableModel::Chance},          {"memory", PlanTableModel::PeakMemory},
        {"stages", PlanTableModel::Stages},       {"measured", PlanTableModel::Measured}};
    m_text = text;
    m_words.clear();
    m_conditions.clear();
    m_top = 0.0;
    static const QRegularExpression top(QStringLiteral("^top([0-9.]+)%?$"));
    QString spaced = text.simplified().toLower();
    spaced.replace(QRegularExpression(QStringLiteral(" ?([<>=]) ?")), QStringLiteral("\\1"));
    for (const QString& word : spaced.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (const QRegularExpressionMatch share = top.match(word); share.hasMatch()) {
            m_top = share.captured(1).toDouble();
            continue;
        }
        const QRegularExpressionMatch match = comparison.match(word);
        int column = -1;
        for (const auto& [name, number] : names)
            if (match.hasMatch() && match.captured(1) == QLatin1String(name))
                column = number;
        if (column < 0)
            m_words.append(word);
        else
            m_conditions.append({column, match.captured(2).at(0), match.captured(3).toDouble()});
    }
    invalidateFilter();
}

void PlanFilter::unfold(int leader, bool on) {
    if (on)
        m_unfolded.insert(leader);
    else
        m_unfolded.remove(leader);
    invalidateFilter();
}

void PlanFilter::setAccepts(std::function<bool(int id)> accepts) {
    m_accepts = std::move(accepts);
    invalidateFilter();
}

bool PlanFilter::holds(const Condition& condition, int row) const {
    double value = sourceModel()->index(row, condition.column).data(PlanTableModel::SortRole).toDouble();
    // Shares are shown in per cent, tokens in thousands.
    if (condition.column == PlanTableModel::Bubble || condition.column == PlanTableModel::Idle ||
        condition.column == PlanTableModel::Chance || condition.column == PlanTableModel::Measured ||
        condition.column == PlanTableModel::PeakMemory)
        value *= 100.0;
    else if (condition.column == PlanTableModel::Tokens)
        value /= 1e3;
    if (condition.comparison == QLatin1Char('<'))
        return value < condition.value;
    if (condition.comparison == QLatin1Char('>'))
        return value > condition.value;
    return std::abs(value - condition.value) < 1e-9;
}

bool PlanFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    if (const bool filters = m_accepts || !m_text.isEmpty(); !filters) {
        const int leader = sourceModel()->index(row, 0).data(PlanTableModel::LeaderRole).toInt();
        return leader < 0 || m_unfolded.contains(leader);
    }
    if (m_top > 0.0 && sourceModel()->index(row, 0).data(PlanTableModel::AheadRole).toDouble() >= m_top)
        return false;
    if (m_accepts && !m_accepts(sourceModel()->index(row, 0).data(PlanTableModel::IdRole).toInt()))
        return false;
    for (const Condition& condition : m_conditions)
        if (!holds(condition, row))
            return false;
    if (m_words.isEmpty())
        return true;
    QString haystack;
    for (int column = 0; column < PlanTableModel::ColumnCount; ++column)
        haystack += sourceModel()->index(row, column).data().toString().toLower() + QLatin1Char('\n');
    const QModelIndex first = sourceModel()->index(row, PlanTableModel::Name);
    haystack +=
        sourceModel()->index(row, PlanTableModel::Trainers).data(Qt::ToolTipRole).toString().toLower() +
        QLatin1Char('\n');
    haystack += first.data(PlanTableModel::ReasonRole).toString().toLower() + QLatin1Char('\n') +
                first.data(PlanTableModel::DeviceRole).toString();
    return std::ranges::all_of(m_words, [&](const QString& word) {
        static const QRegularExpression number(QStringLiteral("^[0-9]+$"));
        if (!number.match(word).hasMatch())
            return haystack.contains(word);
        // "13" is plan 13 or another figure of the row, and no part of one.
        return haystack.contains(QRegularExpression(QStringLiteral("(?<![0-9.])%1(?![0-9.])").arg(word)));
    });
}

// What answers another question comes last (PlanPlace), whichever way the column is sorted: its figures are
// no rank among those of now.
bool PlanFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const int leftPlace = left.data(PlanTableModel::PlaceRole).toInt(),
              rightPlace = right.data(PlanTableModel::PlaceRole).toInt();
    if (leftPlace != rightPlace)
        return (sortOrder() == Qt::AscendingOrder) == (leftPlace < rightPlace);
    const QVariant a = left.data(PlanTableModel::SortRole), b = right.data(PlanTableModel::SortRole);
    const QPartialOrdering order = QVariant::compare(a, b);
    if (order != QPartialOrdering::Equivalent)
        return order == QPartialOrdering::Less;
    return left.row() < right.row();
}

} // namespace pw
