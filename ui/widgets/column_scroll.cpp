// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/column_scroll.h"

#include <QEvent>
#include <QScrollBar>

namespace pw {

ColumnScroll::ColumnScroll(QWidget* column) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setWidget(column);
}

QSize ColumnScroll::minimumSizeHint() const {
    QSize least = QScrollArea::minimumSizeHint();
    if (widget())
        least.setWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
    return least;
}

bool ColumnScroll::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

} // namespace pw
