// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

namespace pw {

// The key sheet as text, made from the command table: one block a context, key and sentence a line.
QString keySheetHtml();
// The same as a page of the manual, with the commands that have no key.
QString keysPage();

// Every key of the program; `?` opens it.
class KeySheet : public QDialog {
    Q_OBJECT

public:
    explicit KeySheet(QWidget* parent = nullptr);
};

} // namespace pw
