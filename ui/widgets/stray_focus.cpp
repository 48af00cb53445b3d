// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stray_focus.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QListView>
#include <QPointer>
#include <QTableView>

namespace pw {
namespace {

QAccessible::UpdateHandler wentTo = nullptr; // null: to the platform
bool drops = false;
int untold = 0;             // how many FocusUntold there are
QPointer<QWidget> toldLast; // what had the focus as the first of them began

void handle(QAccessibleEvent* event);

void pass(QAccessibleEvent* event) {
    if (wentTo)
        return wentTo(event);
    QAccessible::installUpdateHandler(nullptr);
    QAccessible::updateAccessibility(event);
    QAccessible::installUpdateHandler(handle);
}

// Where the keys are in a table or list that the event says has got the focus; null: nowhere, or it says
// something else.
QAccessibleInterface* rowArrivedAt(const QAccessibleEvent& event) {
    if (event.type() != QAccessible::Focus || event.child() >= 0)
        return nullptr;
    const auto* view = qobject_cast<QAbstractItemView*>(event.object());
    if (!view || !view->hasFocus() || !view->currentIndex().isValid() ||
        !(qobject_cast<const QTableView*>(view) || qobject_cast<const QListView*>(view)))
        return nullptr;
    QAccessibleInterface* whole = event.accessibleInterface();
    const QAccessibleTableInterface* rows = whole ? whole->tableInterface() : nullptr;
    return rows ? rows->cellAt(view->currentIndex().row(), view->currentIndex().column()) : nullptr;
}

void handle(QAccessibleEvent* event) {
    if (isStrayFocus(*event) || (untold > 0 && event->type() == QAccessible::Focus))
        return;
    pass(event);
    if (QAccessibleInterface* row = rowArrivedAt(*event)) {
        QAccessibleEvent arrived(row, QAccessible::Focus);
        pass(&arrived);
    }
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
    drops = true;
    if (const QAccessible::UpdateHandler before = QAccessible::installUpdateHandler(handle); before != handle)
        wentTo = before;
}

FocusUntold::FocusUntold() {
    if (untold++ == 0)
        toldLast = QApplication::focusWidget();
}

FocusUntold::~FocusUntold() {
    QWidget* now = QApplication::focusWidget();
    if (--untold > 0 || !drops || !now || now == toldLast)
        return;
    QAccessibleEvent focus(now, QAccessible::Focus);
    handle(&focus);
}

} // namespace pw
