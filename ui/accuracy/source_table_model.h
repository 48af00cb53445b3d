// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_study.h"

#include <QAbstractTableModel>

namespace pw {

// How a source is drawn, in the table and among the points: the chosen one filled, the compared ones by
// shape, the rest grey.
enum class SourceMark { Grey, Chosen, Triangle, Square };
SourceMark markOf(const AccuracyStudy& study, int source);

// One row a source, with the figures of its SourceScore.
class SourceTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Mark, Source, Runs, Median, Spread, P90, Bias, Order, Memory, Fits, Refused, ColumnCount };

    explicit SourceTableModel(AccuracyStudy& study, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString displayText(const StudySource& source, int column) const;
    void reload();

    AccuracyStudy& m_study;
    int m_rows = 0; // only changes within a reset
};

} // namespace pw
