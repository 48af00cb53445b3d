// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/manual/manual.h"

#include <QStyledItemDelegate>

namespace pw {

// One find of a search in the manual: the page and heading, and below them two lines of the text with the
// words marked.
class HitDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    // Roles of an item: its display text is the heading, "Timeline, Window".
    enum Role { SnippetRole = Qt::UserRole, MarksRole }; // QString, QList<QPoint> of begin and length

    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// Marks count bytes in core and characters here.
QList<QPoint> characterMarks(const ManualHit& hit);

} // namespace pw
