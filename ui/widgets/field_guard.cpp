// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/field_guard.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>

namespace pw {

namespace {

QWidget* fieldOf(QObject* watched) {
    const bool field = qobject_cast<QComboBox*>(watched) || qobject_cast<QAbstractSpinBox*>(watched) ||
                       (qobject_cast<QAbstractSlider*>(watched) && !qobject_cast<QScrollBar*>(watched));
    return field ? static_cast<QWidget*>(watched) : nullptr;
}

bool takesWheel(const QWidget* field) {
    const QWidget* focus = QApplication::focusWidget();
    return !qobject_cast<const QComboBox*>(field) && focus && (focus == field || field->isAncestorOf(focus));
}

// In the main window letters are tools and commands; in a dialog, which has none, they look for an entry.
bool choosesByLetter(QObject* watched, const QKeyEvent& key) {
    const auto* list = qobject_cast<QComboBox*>(watched);
    return list && !qobject_cast<QDialog*>(list->window()) && !list->isEditable() &&
           !list->view()->isVisible() && key.key() != Qt::Key_Space && !key.text().isEmpty() &&
           key.text().front().isPrint();
}

// The list takes the letters after this one. False: none begins so, or the key is a command's.
bool openAt(QComboBox& list, const QKeyEvent& key) {
    if (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) ||
        list.findText(key.text(), Qt::MatchStartsWith) < 0)
        return false;
    list.showPopup();
    list.view()->keyboardSearch(key.text());
    return true;
}

bool passOn(QEvent* event) {
    event->ignore(); // to what the field lies in
    return true;
}

// Of a list that drops down.
QComboBox* choiceOf(const QAbstractItemView& list) {
    const QWidget* popup = list.parentWidget();
    return popup && popup->inherits("QComboBoxPrivateContainer")
               ? qobject_cast<QComboBox*>(popup->parentWidget())
               : nullptr;
}

// Assistive tools select an entry of an open list and leave the current one where it is; mouse and keys move
// both. Qt takes the current one only.
void takeWhatIsSelected(QComboBox* choice) {
    if (!choice->view()->isVisible())
        return;
    const QItemSelectionModel& entries = *choice->view()->selectionModel();
    const QModelIndexList selected = entries.selectedIndexes();
    if (selected.size() != 1 || selected.front() == entries.currentIndex())
        return;
    const int row = selected.front().row();
    const QString text = choice->itemText(row);
    choice->hidePopup();
    choice->setCurrentIndex(row);
    Q_EMIT choice->activated(row);
    Q_EMIT choice->textActivated(text);
}

// Whenever it drops down, since it may have been given another model.
void followSelection(QAbstractItemView* list) {
    QComboBox* choice = list != nullptr ? choiceOf(*list) : nullptr;
    if (choice == nullptr || list->selectionModel() == nullptr)
        return;
    const QItemSelectionModel* entries = list->selectionModel();
    QObject::disconnect(entries, &QItemSelectionModel::selectionChanged, choice, nullptr);
    QObject::connect( // queued: the current entry follows the selection
        entries, &QItemSelectionModel::selectionChanged, choice, [choice] { takeWhatIsSelected(choice); },
        Qt::QueuedConnection);
}

} // namespace

FieldGuard::FieldGuard(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool FieldGuard::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Polish:
        // Before it is shown first: Qt asks the policy before any filter.
        if (QWidget* field = fieldOf(watched); field && field->focusPolicy() == Qt::WheelFocus)
            field->setFocusPolicy(Qt::StrongFocus);
        if (auto* list = qobject_cast<QAbstractItemView*>(watched);
            list && list->editTriggers() == QAbstractItemView::NoEditTriggers)
            list->setTabKeyNavigation(false);
        return false;
    case QEvent::Show:
        followSelection(qobject_cast<QAbstractItemView*>(watched));
        return false;
    case QEvent::FocusIn:
        if (auto* field = qobject_cast<QAbstractSpinBox*>(watched);
            field && static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason)
            m_clickedInto = field;
        return false;
    case QEvent::MouseButtonRelease:
        if (!watched->isWidgetType()) // of the window system's, on its way to one
            return false;
        if (auto* line = qobject_cast<QLineEdit*>(watched);
            m_clickedInto && line && line->parent() == m_clickedInto && !line->hasSelectedText())
            m_clickedInto->selectAll();
        m_clickedInto = nullptr;
        return false;
    case QEvent::Wheel:
        return fieldOf(watched) && !takesWheel(fieldOf(watched)) && passOn(event);
    case QEvent::KeyPress:
        if (const auto& key = *static_cast<QKeyEvent*>(event); choosesByLetter(watched, key))
            return openAt(*static_cast<QComboBox*>(watched), key) || passOn(event);
        return false;
    case QEvent::ShortcutOverride:
        return qobject_cast<QLineEdit*>(watched) &&
               static_cast<QKeyEvent*>(event)->keyCombination() == QKeyCombination(Qt::CTRL | Qt::Key_E) &&
               passOn(event);
    default:
        return false;
    }
}

} // namespace pw
