// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QWidget>

#include <functional>

namespace pw {

// Whoever leaves a dialog goes on where he was: the window that the dialog stood before is active again and
// has the focus where it was, also where the window manager is late or what had it is gone. A window whose
// focus is in sight keeps it, so that what the dialog was for may move it, and one that another dialog stands
// before is left alone; a dialog that ends while the user is in another program takes nothing.
class DialogFocus : public QObject {
    Q_OBJECT

public:
    // `focusFront` gives the focus to the view in front of `window`, where what had it is out of sight.
    DialogFocus(QWidget* window, std::function<void()> focusFront);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void giveBackLater(QWidget* window, QWidget* before);
    void giveBack(QWidget& window, QWidget* before);

    QWidget* m_window;
    std::function<void()> m_focusFront;
    QPointer<QWidget> m_active;                        // the window that the user was in last
    QHash<const QObject*, QPointer<QWidget>> m_before; // by dialog that is shown, what had the focus
};

} // namespace pw
