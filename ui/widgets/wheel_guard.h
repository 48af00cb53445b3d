// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace pw {

// Keeps the wheel off fields that are not in use. A combo box, spin box or slider changes its value when the
// wheel turns over it, so that whoever scrolls a form past one edits the project without knowing. While one
// guard lives, a field takes the wheel only when it has the focus, and the wheel never gives it the focus;
// what is turned over any other field scrolls what the field lies in. Lists that drop down, scroll bars and
// views are not fields.
class WheelGuard : public QObject {
    Q_OBJECT

public:
    explicit WheelGuard(QObject* parent = nullptr); // of all widgets of the application, while it lives

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pw
