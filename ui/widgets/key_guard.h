// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace pw {

// Gives a key to what the user looks at, where Qt would give it to a command of a view or to nobody, while
// one guard lives.
//
// An open menu or list: letters are for it, and with the focus in the menu bar all keys but those with Ctrl,
// which leave the bar. A view's commands stand in the menu bar, too, so that Qt takes the bar for every view
// at once: N in the File menu would add nodes, and a key that two views have would do nothing.
//
// Return and Enter press the button that has the focus, as Space does; in a dialog they press the default
// button, which is Qt's. Check boxes and radio buttons are not pressed but set, and keep to Space.
//
// A letter in a table whose rows are selected looks for the row in the first column that says something: the
// current cell may stand in a column of symbols.
class KeyGuard : public QObject {
    Q_OBJECT

public:
    explicit KeyGuard(QObject* parent = nullptr); // of all widgets of the application, while it lives

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pw
