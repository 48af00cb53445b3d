// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace pw {

// A table's heading whose words end in dots where their column is too narrow. Under a style sheet
// QHeaderView::setTextElideMode() does nothing: half of the words are cut, from both sides where they are
// centred. The whole of them stands in the tool tip, where the model has none of its own. A small mark at the
// upper edge, where it takes no word its room, says what the table is sorted by: it points up where the least
// comes first.
class ElidingHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit ElidingHeader(Qt::Orientation orientation, QWidget* parent = nullptr);

    QString shownText(int section) const; // as it is painted

protected:
    bool viewportEvent(QEvent* event) override;
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override;
};

} // namespace pw
