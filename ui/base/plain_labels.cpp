// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/plain_labels.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace pw {

namespace {

class PlainLabels : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Polish)
            if (auto* label = qobject_cast<QLabel*>(watched); label && label->textFormat() == Qt::AutoText)
                label->setTextFormat(Qt::PlainText);
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

void keepLabelsPlain(QApplication& app) {
    const QString name = QStringLiteral("plain labels");
    if (app.findChild<QObject*>(name, Qt::FindDirectChildrenOnly) != nullptr)
        return;
    auto* filter = new PlainLabels(&app);
    filter->setObjectName(name);
    app.installEventFilter(filter);
}

} // namespace pw
