// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace pw {

// Paints the plan table: digits of one width, bars beside numbers, the strip of stages, the pin, and the
// reason of an infeasible row across its numbers.
class PlanDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    // Named after what is written there: Qt gives it no name.
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;

private:
    void paintBar(QPainter& painter, const QRect& cell, const QModelIndex& index) const;
    void paintStages(QPainter& painter, const QRect& cell, const QModelIndex& index, const QColor& ink) const;
    void paintMemory(QPainter& painter, const QRect& cell, const QModelIndex& index, const QColor& ink) const;
};

} // namespace pw
