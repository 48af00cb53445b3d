// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

class QPainter;

namespace pw {

enum class SourceMark;

// What the models of both tables tell the delegate beside the text.
enum AccuracyRole {
    AccuracySortRole = Qt::UserRole + 1, // raw value
    MarkRole,                            // int of SourceMark: the cell is a mark
    SpreadRole, // QPointF(median, 90th percentile) of the errors: the cell is a bar with a whisker
    ErrorRole,  // signed error: a bar from the middle stands before the text
    QuietRole,  // bool: not part of any figure
    StruckRole, // bool: left out by the user
    StrongRole, // bool: a figure to look at first
    ReasonRole, // why there is no figure; the view spans the cells that it replaces
};

// Paints the tables of sources and of runs: digits of one width, marks, bars, and reasons across the numbers.
class AccuracyDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The mark of a source, as in the scatter plot.
void paintSourceMark(QPainter& painter, const QRectF& cell, SourceMark mark);

// In a cell that has no figure.
inline QString dash() {
    return QStringLiteral("\u2013");
}

} // namespace pw
