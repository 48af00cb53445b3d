// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

namespace pw {

namespace {

QWidget* fieldOf(QObject* watched) {
    const bool field = qobject_cast<QComboBox*>(watched) || qobject_cast<QAbstractSpinBox*>(watched) ||
                       (qobject_cast<QAbstractSlider*>(watched) && !qobject_cast<QScrollBar*>(watched));
    return field ? static_cast<QWidget*>(watched) : nullptr;
}

} // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel && event->type() != QEvent::Polish)
        return false;
    QWidget* field = fieldOf(watched);
    if (!field)
        return false;
    if (event->type() == QEvent::Polish) { // before it is shown first: Qt asks the policy before any filter
        if (field->focusPolicy() == Qt::WheelFocus)
            field->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    const QWidget* focus = QApplication::focusWidget();
    if (focus && (focus == field || field->isAncestorOf(focus)))
        return false;
    event->ignore(); // goes on to what the field lies in
    return true;
}

} // namespace pw
