// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/key_guard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRadioButton>
#include <QTableView>

namespace pw {

namespace {

bool isPlain(const QKeyEvent& key) {
    return !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
}

bool isLetter(const QKeyEvent& key) { // or any other character
    return isPlain(key) && !key.text().isEmpty() && key.text().front().isPrint();
}

// Of a menu also its arrows, as the view below may have commands for them. Of other keys than letters in a
// list that drops down Qt learns by the event that asks who takes them.
bool isForAMenu(const QKeyEvent& key) {
    const QWidget* popup = QApplication::activePopupWidget();
    return qobject_cast<const QMenuBar*>(QApplication::focusWidget()) ||
           (qobject_cast<const QMenu*>(popup) && isPlain(key)) || (popup && isLetter(key));
}

// A click on a menu and Escape leave the keys with the bar, which few see: a command's keys mean the command.
// Of plain ones these are F1 and the like; letters, arrows and Return are for the bar.
void leaveMenuBar(const QKeyEvent& key) {
    auto* bar = qobject_cast<QMenuBar*>(QApplication::focusWidget());
    const bool command = key.modifiers() & (Qt::ControlModifier | Qt::MetaModifier) ||
                         (key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35);
    if (!bar || !command || QApplication::activePopupWidget())
        return;
    QKeyEvent leave(QEvent::KeyPress, Qt::Key_Escape, Qt::NoModifier);
    QApplication::sendEvent(bar, &leave);
}

// A field takes Undo and Redo for what was typed in it. Where nothing was they are of the project, as
// anywhere.
bool isForTheProject(QObject* watched, QEvent* event) {
    const auto* line = qobject_cast<const QLineEdit*>(watched);
    auto& key = static_cast<QKeyEvent&>(*event);
    if (!line || (!(key.matches(QKeySequence::Undo) && !line->isUndoAvailable()) &&
                  !(key.matches(QKeySequence::Redo) && !line->isRedoAvailable())))
        return false;
    key.ignore(); // the line is not asked
    return true;
}

QAbstractButton* pressedBy(QObject* watched, const QKeyEvent& key) {
    auto* button = qobject_cast<QAbstractButton*>(watched);
    const bool enter = (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) && isPlain(key) &&
                       !(key.modifiers() & Qt::ShiftModifier);
    const bool set = qobject_cast<QCheckBox*>(button) || qobject_cast<QRadioButton*>(button);
    return button && enter && !set && !qobject_cast<QDialog*>(button->window()) ? button : nullptr;
}

// The row where the search of a table begins.
QModelIndex startOf(const QTableView& table, int column) {
    return table.model()->index(qMax(table.currentIndex().row(), 0), column, table.rootIndex());
}

// -1: none says anything.
int columnOfNames(const QTableView& table) {
    const QHeaderView& columns = *table.horizontalHeader();
    for (int place = 0; place < columns.count(); ++place) {
        const int column = columns.logicalIndex(place);
        if (!columns.isSectionHidden(column) && !startOf(table, column).data().toString().isEmpty())
            return column;
    }
    return -1;
}

// Qt goes on from there: it looks in the current column only.
void moveToNames(QTableView& table, const QKeyEvent& key) {
    if (!isLetter(key) || key.key() == Qt::Key_Space ||
        table.selectionBehavior() != QAbstractItemView::SelectRows || !table.model() ||
        table.editTriggers() & QAbstractItemView::AnyKeyPressed)
        return;
    const int column = columnOfNames(table);
    if (column < 0 || table.currentIndex().column() == column)
        return;
    const QModelIndex start = startOf(table, column);
    if (!table.model()->match(start, Qt::DisplayRole, key.text()).isEmpty())
        table.selectionModel()->setCurrentIndex(start, QItemSelectionModel::NoUpdate);
}

} // namespace

KeyGuard::KeyGuard(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool KeyGuard::eventFilter(QObject* watched, QEvent* event) {
    if (!watched->isWidgetType() ||
        (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress))
        return false;
    const auto& key = static_cast<const QKeyEvent&>(*event);
    QAbstractButton* const button = pressedBy(watched, key);
    if (event->type() == QEvent::ShortcutOverride) {
        leaveMenuBar(key);
        if (isForTheProject(watched, event))
            return true;
        if (!button && !isForAMenu(key))
            return false;
        event->accept(); // no command takes it, and it comes as a key
        return true;
    }
    if (button) {
        event->accept();
        if (!key.isAutoRepeat())
            button->click();
        return true;
    }
    if (auto* table = qobject_cast<QTableView*>(watched))
        moveToNames(*table, key);
    return false;
}

} // namespace pw
