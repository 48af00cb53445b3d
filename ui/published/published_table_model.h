// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/published/published_predictions.h"

#include <QAbstractTableModel>

#include <utility>

namespace pw {

// Rows of a paper, or of one of its cases: what its authors have published, and beside it in a column of its
// own what this program predicts, as soon as that is made.
class PublishedTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Case, Quantity, Published, Predicted, Same, Standing, Where, ColumnCount };

    explicit PublishedTableModel(const PublishedPredictions& predictions, QObject* parent = nullptr);

    void setChoice(const PublishedChoice& choice);
    std::vector<ReproducedRow> predicted() const; // of the rows shown, as far as they are made

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString text(int row, int column) const;
    QString tip(int row, int column) const;

    const PublishedPredictions& m_predictions;
    PublishedPaperPtr m_paper; // that the rows are of
    std::vector<std::pair<const PublishedCase*, const PublishedRow*>> m_rows;
};

} // namespace pw
