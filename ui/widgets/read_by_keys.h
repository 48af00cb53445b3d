// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>

class QPlainTextEdit;
class QTextEdit;

namespace pw {

// Where assistive tools listen, arrows move a caret through a text that cannot be written in: they read what
// it comes to. Else arrows scroll. To be asked when the text is shown: the tools may have come since it was
// made.
void readByKeys(QTextEdit& text, bool listened = QAccessible::isActive());
void readByKeys(QPlainTextEdit& text, bool listened = QAccessible::isActive());

} // namespace pw
