// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published/published_table_model.h"

#include "core/reproduce/reproduced_text.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace pw {

namespace {

bool isFigure(int column) {
    return column == PublishedTableModel::Published || column == PublishedTableModel::Predicted;
}

} // namespace

PublishedTableModel::PublishedTableModel(const PublishedPredictions& predictions, QObject* parent)
    : QAbstractTableModel(parent), m_predictions(predictions) {
    connect(&predictions, &PublishedPredictions::progressed, this, [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void PublishedTableModel::setChoice(const PublishedChoice& choice) {
    beginResetModel();
    m_paper = choice.paper;
    m_rows.clear();
    for (const PublishedCase* one : choice.cases())
        for (const PublishedRow& row : one->rows)
            m_rows.emplace_back(one, &row);
    endResetModel();
}

std::vector<ReproducedRow> PublishedTableModel::predicted() const {
    std::vector<ReproducedRow> rows;
    for (const auto& [one, row] : m_rows)
        if (const ReproducedRow* own = m_predictions.of(*row))
            rows.push_back(*own);
    return rows;
}

int PublishedTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PublishedTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString PublishedTableModel::text(int row, int column) const {
    const auto& [one, published] = m_rows[static_cast<std::size_t>(row)];
    const ReproducedRow* own = m_predictions.of(*published);
    switch (column) {
    case Case:
        return q(one->name);
    case Quantity:
        return q(published->quantity);
    case Published:
        return published->published ? q(publishedText(*published)) : tr("no figure");
    case Predicted:
        if (!own)
            return tr("not computed");
        return own->predicted ? q(predictedText(*own)) : tr("none");
    case Same:
        if (!own || !own->predicted || !published->published)
            return {};
        return own->differs() ? tr("no") : tr("yes");
    case Standing:
        if (!published->published)
            return {};
        return published->measured ? tr("measured") : tr("stated");
    case Where:
        return q(published->where);
    default:
        return {};
    }
}

// Why a figure is another one or missing where that is asked; else the whole of what may be cut short.
QString PublishedTableModel::tip(int row, int column) const {
    const auto& [one, published] = m_rows[static_cast<std::size_t>(row)];
    const ReproducedRow* own = m_predictions.of(*published);
    if (column == Case && !one->assumed.empty())
        return tr("Assumed: %1").arg(q(one->assumed));
    if ((column == Predicted || column == Same) && own)
        if (QString why = sentence(whyText(*own)); !why.isEmpty())
            return why;
    return text(row, column);
}

QVariant PublishedTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return tip(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter |
                                (isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::ForegroundRole: {
        const PublishedRow& row = *m_rows[static_cast<std::size_t>(index.row())].second;
        const bool missing = (index.column() == Published && !row.published) ||
                             (index.column() == Predicted && !m_predictions.of(row));
        return missing ? QVariant(theme().text2) : QVariant();
    }
    default:
        return {};
    }
}

QVariant PublishedTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter | (isFigure(section) ? Qt::AlignRight : Qt::AlignLeft));
    struct Heading {
        QString text, tip;
    };
    const Heading headings[] = {
        {tr("Case"), tr("The cluster, model and training that the row is about.")},
        {tr("Quantity"), tr("What the figure is of.")},
        {tr("Published"), tr("The authors' figure, never this program's.")},
        {tr("∴ Predicted"), tr("This program's figure, from estimates. None rests on what was published.")},
        {tr("Same"),
         tr("Whether the two are within %1 % of the published one, and of a gain at least half is predicted.")
             .arg(100.0 * kSameFigure)},
        {tr("Standing"), tr("Whether the authors have measured the figure or state it.")},
        {tr("Where"), tr("Where in the source the published figure stands.")},
    };
    static_assert(std::size(headings) == ColumnCount);
    if (section < 0 || section >= ColumnCount)
        return {};
    return role == Qt::DisplayRole   ? QVariant(headings[section].text)
           : role == Qt::ToolTipRole ? QVariant(headings[section].tip)
                                     : QVariant();
}

} // namespace pw
