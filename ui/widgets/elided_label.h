// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace pw {

// One line of plain text that gives way: in less room than it wants it ends in an ellipsis, and says all of
// it as its tool tip.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& words = {}, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;
    bool isCut() const;           // whether its words are shown in part
    QString wholeToolTip() const; // its own, and all words where they are cut and it has none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace pw
