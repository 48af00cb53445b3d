// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialog_focus.h"

#include "ui/widgets/in_sight.h"
#include "ui/window/dock_focus.h"

#include <QApplication>
#include <QDialog>
#include <QEvent>

#include <utility>

namespace pw {

namespace {

// The window that a dialog stands before; null for other widgets.
QWidget* ownerOf(const QWidget& shown) {
    const auto* dialog = qobject_cast<const QDialog*>(&shown);
    return dialog && dialog->isWindow() && dialog->parentWidget() ? dialog->parentWidget()->window()
                                                                  : nullptr;
}

// Choices that are open over the dialog go with it, as those below a file name, which Qt leaves open. While
// any are, Qt takes no notice of the window that becomes active: the system would have the owner as that, and
// Qt none.
void closeChoicesOf(const QWidget& dialog) {
    QWidget* choices = QApplication::activePopupWidget();
    if (!choices)
        return;
    const QWidget* field = choices->focusProxy() ? choices->focusProxy() : choices->parentWidget();
    if (field && field->window() == &dialog)
        choices->hide();
}

bool canHaveFocus(const QWidget* widget) {
    return widget && widget->isEnabled() && isInSight(*widget);
}

} // namespace

DialogFocus::DialogFocus(QWidget* window, std::function<void()> focusFront)
    : QObject(window), m_window(window), m_focusFront(std::move(focusFront)) {
    qApp->installEventFilter(this);
}

bool DialogFocus::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType())
        return false;
    auto* const widget = static_cast<QWidget*>(watched);
    switch (event->type()) {
    case QEvent::WindowActivate:
        if (widget->isWindow())
            m_active = widget;
        if (QWidget* owner = widget->isHidden() ? ownerOf(*widget) : nullptr)
            giveBackLater(owner, nullptr); // it had closed before it was told
        return false;
    case QEvent::WindowDeactivate:
        if (widget == m_active && !widget->isHidden()) // else it is just closing
            m_active = nullptr;
        return false;
    case QEvent::Show:
        if (const QWidget* owner = event->spontaneous() ? nullptr : ownerOf(*widget))
            m_before.insert(widget, owner->focusWidget());
        return false;
    case QEvent::Hide:
        if (QWidget* owner = event->spontaneous() ? nullptr : ownerOf(*widget)) {
            closeChoicesOf(*widget);
            const QPointer<QWidget> before = m_before.take(widget);
            if (widget == m_active || owner == m_active) // which stays so until the dialog is active
                giveBackLater(owner, before);
        }
        return false;
    default:
        return false;
    }
}

// When what the dialog was for is done.
void DialogFocus::giveBackLater(QWidget* window, QWidget* before) {
    QMetaObject::invokeMethod(
        this,
        [this, window = QPointer<QWidget>(window), before = QPointer<QWidget>(before)] {
            if (window)
                giveBack(*window, before);
        },
        Qt::QueuedConnection);
}

void DialogFocus::giveBack(QWidget& window, QWidget* before) {
    const QWidget* modal = QApplication::activeModalWidget();
    if (!window.isVisible() || (modal && modal != &window))
        return;
    if (const QWidget* active = QApplication::activeWindow(); !active || active->isHidden())
        window.activateWindow();
    if (QWidget* focus = window.focusWidget(); canHaveFocus(focus)) {
        if (!QApplication::focusWidget())
            focus->setFocus(Qt::ActiveWindowFocusReason);
    } else if (canHaveFocus(before) && before->window() == &window) {
        before->setFocus(Qt::ActiveWindowFocusReason);
    } else if (&window == m_window) {
        m_focusFront();
    } else if (QWidget* first = nextInSight(window, true)) {
        first->setFocus(Qt::ActiveWindowFocusReason);
    }
}

} // namespace pw
