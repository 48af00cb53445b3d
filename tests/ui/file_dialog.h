// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QTimer>

#include <functional>

namespace pw {

// What a file dialog began with.
struct BegunDialog {
    bool shown = false;
    QString folder, name;
    QStringList filters;
    bool choosable = false; // at once, whatever it began with
};

// `open` shows a file dialog; it takes the path, or is left if that is empty.
inline BegunDialog answerFileDialog(const std::function<void()>& open, const QString& path = {}) {
    BegunDialog begun;
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            return; // not yet
        watch.stop();
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        begun = {true, dialog->directory().absolutePath(), name->text(), dialog->nameFilters()};
        for (const auto* buttons : dialog->findChildren<QDialogButtonBox*>())
            for (QAbstractButton* button : buttons->buttons())
                if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
                    begun.choosable = button->isEnabled();
        if (path.isEmpty())
            return dialog->reject();
        name->setText(path);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    watch.start(10);
    open();
    return begun;
}

} // namespace pw
