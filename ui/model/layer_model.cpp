// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/layer_model.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

#include <QPainter>

#include <algorithm>

namespace pw {

namespace {

QString scaled(double value, double unit, int decimals) {
    return QString::number(value / unit, 'f', decimals);
}

} // namespace

void LayerModel::setLayers(std::vector<FineLayer> layers) {
    beginResetModel();
    m_layers = std::move(layers);
    for (int c = 0; c < ColumnCount; ++c) {
        m_largest[c] = 0.0;
        for (const FineLayer& layer : m_layers)
            m_largest[c] = std::max(m_largest[c], value(layer, c));
    }
    endResetModel();
}

int LayerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_layers.size());
}

int LayerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

double LayerModel::value(const FineLayer& layer, int column) const {
    switch (column) {
    case Index:
        return layer.index;
    case Kind:
        return static_cast<double>(layer.kind);
    case Block:
        return layer.block;
    case Parameters:
        return static_cast<double>(layer.parameters);
    case ForwardFlops:
        return layer.forwardFlops.value;
    case ForwardBytes:
        return layer.forwardBytes.value;
    case OutputBytes:
        return layer.outputBytes.value;
    default:
        return 0.0;
    }
}

QVariant LayerModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FineLayer& layer = m_layers[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return column == Kind ? int(Qt::AlignLeft | Qt::AlignVCenter)
                              : int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == SortRole)
        return value(layer, column);
    if (role == BarRole)
        return column >= Parameters && m_largest[column] > 0.0 ? value(layer, column) / m_largest[column]
                                                               : QVariant();
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case Index:
        return QString::number(layer.index);
    case Kind:
        return q(name(layer.kind));
    case Block:
        return layer.block < 0 ? QStringLiteral("\u2013") : QString::number(layer.block);
    case Parameters:
        return countText(layer.parameters);
    case ForwardFlops:
        return scaled(layer.forwardFlops.value, 1e9, 1);
    case ForwardBytes:
        return scaled(layer.forwardBytes.value, 1048576.0, 1);
    case OutputBytes:
        return scaled(layer.outputBytes.value, 1048576.0, 1);
    default:
        return {};
    }
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section == Kind ? int(Qt::AlignLeft | Qt::AlignVCenter)
                               : int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case ForwardFlops:
            return tr("Forward pass of one sequence, 10^9 operations");
        case ForwardBytes:
            return tr("Moved by the forward pass of one sequence, MiB in 2-byte elements");
        case OutputBytes:
            return tr("Activation handed to the next layer for one sequence, MiB in 2-byte elements");
        default:
            return {};
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Index:
        return tr("Layer");
    case Kind:
        return tr("Kind");
    case Block:
        return tr("Block");
    case Parameters:
        return tr("Parameters");
    case ForwardFlops:
        return tr("GFLOP");
    case ForwardBytes:
        return tr("Moved, MiB");
    case OutputBytes:
        return tr("Output, MiB");
    default:
        return {};
    }
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(LayerModel::BarRole);
    if (!share.isValid())
        return;
    // On the left, where the right-aligned figure leaves room.
    const QRect room(option.rect.left() + 8, option.rect.top() + 6, option.rect.width() * 2 / 5 - 8,
                     option.rect.height() - 12);
    const int figure = option.fontMetrics.horizontalAdvance(index.data().toString());
    if (room.width() + figure + 24 > option.rect.width())
        return;
    painter->fillRect(room, theme().faint);
    painter->fillRect(
        QRect(room.topLeft(), QSize(static_cast<int>(room.width() * share.toDouble()), room.height())),
        theme().text3);
}

} // namespace pw
