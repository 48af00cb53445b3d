// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_study.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace pw {

// Figures of a quantity with their unit: "8.889 s", "34.9 GiB".
QString runFigure(double value, RunQuantity quantity);
QString errorText(double error);       // "−20.8 %"
QString deviceText(const RunRow& row); // "32 × A100-SXM4-80GB"
QString
refusalText(const RunPrediction& prediction); // "Unsupported, tp: is not stated"; empty where predicted

// The runs of the chosen source, in the order of the file.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Run,
        ModelName,
        Devices,
        Parallel,
        Schedule,
        Measured,
        Predicted,
        Error,
        Quality,
        ColumnCount
    };

    explicit RunTableModel(AccuracyStudy& study, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    RunRef runAt(const QModelIndex& index) const;
    QModelIndex indexOf(RunRef run) const; // invalid for runs of another source

private:
    QString displayText(RunRef run, int column) const;
    QVariant sortValue(RunRef run, int column) const;
    QString note(RunRef run) const;
    void reload();

    AccuracyStudy& m_study;
    int m_source = -1, m_rows = 0; // only change within a reset
};

// Words that must all appear somewhere in the row, and sorting by raw values.
class RunFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit RunFilter(QObject* parent = nullptr);
    void setFilter(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QStringList m_words;
};

} // namespace pw
