// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <vector>

namespace pw {

// The fine layers of a model, one row each, as `pipewright-cli model` prints them. Columns with figures give
// the raw value under SortRole and its share of the column's largest value under BarRole, for the bar in the
// cell.
class LayerModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Index, Kind, Block, Parameters, ForwardFlops, ForwardBytes, OutputBytes, ColumnCount };
    enum Role { SortRole = Qt::UserRole, BarRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setLayers(std::vector<FineLayer> layers);
    const std::vector<FineLayer>& layers() const { return m_layers; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    double value(const FineLayer& layer, int column) const;

    std::vector<FineLayer> m_layers;
    double m_largest[ColumnCount] = {};
};

// A bar beside the figure of a cell, in proportion to BarRole.
class BarDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

} // namespace pw
