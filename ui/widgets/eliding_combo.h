// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace pw {

// A list box for narrow docks: a text that is too long for it ends in dots instead of in half a letter, and
// stands whole in the tool tip.
class ElidingCombo : public QComboBox {
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    QString shownText() const; // as it is painted

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace pw
