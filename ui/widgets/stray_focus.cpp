// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stray_focus.h"

#include <QAbstractItemView>
#include <QAccessible>

namespace pw {
namespace {

QAccessible::UpdateHandler wentTo = nullptr; // null: to the platform

void handle(QAccessibleEvent* event) {
    if (isStrayFocus(*event))
        return;
    if (wentTo)
        return wentTo(event);
    QAccessible::installUpdateHandler(nullptr);
    QAccessible::updateAccessibility(event);
    QAccessible::installUpdateHandler(handle);
}

} // namespace

bool isStrayFocus(const QAccessibleEvent& event) {
    if (event.type() != QAccessible::Focus)
        return false;
    const auto* view = qobject_cast<const QAbstractItemView*>(event.object());
    return view && event.child() >= 0 && !view->hasFocus() && view->focusPolicy() != Qt::NoFocus &&
           view->window()->windowType() != Qt::Popup;
}

void dropStrayFocus() {
    if (const QAccessible::UpdateHandler before = QAccessible::installUpdateHandler(handle); before != handle)
        wentTo = before;
}

} // namespace pw
