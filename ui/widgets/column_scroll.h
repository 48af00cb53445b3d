// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace pw {

// Scrolls a column that is too high for the screen and never cuts it on the right: as wide at least as its
// contents and the bar beside them, also where these grow later.
class ColumnScroll : public QScrollArea {
    Q_OBJECT

public:
    explicit ColumnScroll(QWidget* column);
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pw
