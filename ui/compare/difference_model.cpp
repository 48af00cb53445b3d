// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/difference_model.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/session/compare_set.h"
#include "ui/session/plan_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

QString capital(const std::string& text) {
    return sentence(text);
}

QString planHeading(const CompareSet& set, int plan) {
    const auto lane = static_cast<std::size_t>(plan);
    if (lane >= set.lanes().size())
        return {};
    const ShownPlan& shown = *set.lanes()[lane].plan;
    const QString name = shown.estimated ? QStringLiteral("∴ %1").arg(shown.name) : shown.name;
    return shown.isEarlier() ? DifferenceModel::tr("%1, %2").arg(name, staleWord()) : name;
}

} // namespace

DifferenceModel::DifferenceModel(CompareSet& set, QObject* parent) : QAbstractTableModel(parent), m_set(set) {
    const auto reload = [this] {
        beginResetModel();
        m_plans = m_set.comparison() ? static_cast<int>(m_set.comparison()->names.size()) : 0;
        m_rows = m_set.comparison() ? static_cast<int>(m_set.comparison()->time.size()) + 1 : 0;
        endResetModel();
    };
    connect(&set, &CompareSet::changed, this, reload);
    reload();
}

int DifferenceModel::plans() const {
    return m_plans;
}

int DifferenceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int DifferenceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_plans == 0 ? 0 : 1 + m_plans + m_plans - 1;
}

int DifferenceModel::changedPlan(int column) const {
    const int at = column - 1 - m_plans;
    if (at < 0)
        return -1;
    return at < static_cast<int>(m_set.base()) ? at : at + 1;
}

double DifferenceModel::seconds(int row, int plan) const {
    const Comparison& c = *m_set.comparison();
    const auto p = static_cast<std::size_t>(plan);
    return row + 1 == m_rows ? c.figures.front().values[p] : c.time[static_cast<std::size_t>(row)].seconds[p];
}

QVariant DifferenceModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Comparison& c = *m_set.comparison();
    const int row = index.row(), column = index.column(), changed = changedPlan(column);
    const bool total = row + 1 == m_rows;
    const double change =
        changed < 0 ? 0.0 : seconds(row, changed) - seconds(row, static_cast<int>(m_set.base()));
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        if (column == 0)
            return total ? tr("Iteration") : capital(label(c.time[static_cast<std::size_t>(row)].entry));
        if (changed < 0)
            return decimalText(seconds(row, column - 1), 3);
        return std::abs(change) < 5e-4 ? decimalText(0.0, 3) : signedText(change, 3);
    case Qt::AccessibleTextRole:
        if (column == 0) { // the row in a sentence
            QStringList figures = {data(index, Qt::DisplayRole).toString()};
            for (int other = 1; other < columnCount(); ++other)
                figures << tr("%1: %2 s")
                               .arg(headerData(other, Qt::Horizontal, Qt::DisplayRole).toString(),
                                    data(this->index(row, other), Qt::DisplayRole).toString());
            return figures.join(QStringLiteral(", "));
        }
        return tr("%1, %2: %3 s")
            .arg(data(this->index(row, 0), Qt::DisplayRole).toString(),
                 headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                 data(index, Qt::DisplayRole).toString());
    case Qt::TextAlignmentRole:
        return int((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole:
        return total ? bodyFont(600) : bodyFont();
    case Qt::ForegroundRole:
        if (changed >= 0)
            return std::abs(change) < 5e-4 ? theme().text2 : change < 0.0 ? theme().ok : theme().err;
        return column == 1 + static_cast<int>(m_set.base()) ? theme().text2 : theme().text;
    case ChangeRole:
        return changed < 0 ? QVariant() : QVariant(change);
    case ScaleRole:
        return c.time.empty() ? 0.0 : std::abs(c.time.front().largest);
    case TotalRole:
        return total;
    default:
        return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || m_plans == 0)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (section == 0)
        return tr("Mean of a GPU, s");
    const int changed = changedPlan(section);
    if (changed >= 0)
        return m_plans == 2 ? tr("change") : tr("Δ %1").arg(planHeading(m_set, changed));
    return section - 1 == static_cast<int>(m_set.base()) ? tr("%1, base").arg(planHeading(m_set, section - 1))
                                                         : planHeading(m_set, section - 1);
}

FieldModel::FieldModel(CompareSet& set, QObject* parent) : QAbstractTableModel(parent), m_set(set) {
    const auto reload = [this] {
        beginResetModel();
        m_plans = m_set.comparison() ? static_cast<int>(m_set.comparison()->names.size()) : 0;
        m_order.resize(m_set.comparison() ? m_set.comparison()->fields.size() : 0);
        std::iota(m_order.begin(), m_order.end(), std::size_t{0});
        std::ranges::stable_partition(
            m_order, [this](std::size_t i) { return m_set.comparison()->fields[i].differs; });
        endResetModel();
    };
    connect(&set, &CompareSet::changed, this, reload);
    reload();
}

int FieldModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int FieldModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || m_plans == 0 ? 0 : 1 + m_plans;
}

QVariant FieldModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PlanField& field = m_set.comparison()->fields[m_order[static_cast<std::size_t>(index.row())]];
    const auto plan = static_cast<std::size_t>(index.column() - 1);
    const bool own = index.column() > 0 && field.values[plan] != field.values[m_set.base()];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == 0 ? capital(field.name) : q(field.brief[plan]);
    case Qt::ToolTipRole:
        return index.column() == 0 ? capital(field.name) : q(field.values[plan]);
    case Qt::FontRole:
        return own ? bodyFont(600) : bodyFont();
    case Qt::ForegroundRole:
        return field.differs ? theme().text : theme().text2;
    case DiffersRole:
        return own;
    default:
        return {};
    }
}

QVariant FieldModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole) || m_plans == 0)
        return {};
    return section == 0 ? tr("Plan") : planHeading(m_set, section - 1);
}

} // namespace pw
