// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/alert.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace pw {
namespace {

QAccessibleInterface* alertFactory(const QString&, QObject* object) {
    auto* widget = qobject_cast<QWidget*>(object);
    return widget && dynamic_cast<Alert*>(widget) ? new QAccessibleWidget(widget, QAccessible::AlertMessage)
                                                  : nullptr;
}

} // namespace

Alert::Alert() {
    [[maybe_unused]] static const bool once = (QAccessible::installFactory(alertFactory), true);
}

void Alert::sayAlert(QWidget& widget) {
    if (!widget.isVisible())
        return;
    QAccessibleEvent shown(&widget, QAccessible::ObjectShow);
    QAccessible::updateAccessibility(&shown);
}

Announcer::Announcer(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("announcer"));
    setFixedSize(1, 1); // nothing that is empty counts as shown
}

void Announcer::say(const QString& text) {
    setAccessibleName(text);
    sayAlert(*this);
}

void Announcer::forget() {
    setAccessibleName({});
}

} // namespace pw
