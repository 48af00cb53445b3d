// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/imports/import_reading.h"

#include <QAbstractTableModel>

#include <functional>
#include <memory>

namespace pw {

// A table of what would come in: rows are worded when they are looked at, so that a million of them cost
// nothing.
class PreviewTable : public QAbstractTableModel {
    Q_OBJECT

public:
    struct Column {
        QString title;
        bool figure = false; // right-aligned
        std::function<QString(int row)> text;
    };
    PreviewTable(QString name, int rows, std::vector<Column> columns, QObject* parent = nullptr);

    const QString& name() const { return m_name; } // "Nodes"
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QString m_name;
    int m_rows;
    std::vector<Column> m_columns;
};

struct Preview {
    QString heading; // "llama-3-8b", "4 nodes, 24 GPUs"
    QString figures; // one line of the sizes that count
    QString happens; // what Import will do
    std::vector<std::unique_ptr<PreviewTable>> tables;
};

// `cluster`: what an inventory's answers draw, or null while something is missing.
Preview previewOf(const std::shared_ptr<const ImportReading>& reading, const Cluster* cluster);

} // namespace pw
