// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QApplication;

namespace pw {

// Qt takes the text of a label, a tool tip or a message box for HTML where it looks like it, and HTML loads
// what it names: a model called <img src="/dev/zero"> would freeze the window and fill the memory. Here every
// label shows its text as it is unless its code asks for rich text by name (QLabel::setTextFormat,
// openLinks), and escapes what it puts in. Labels are told when they are polished: before they are drawn, and
// before sizeHint() measures them, but not before heightForWidth() does: who asks for that sets the format
// first. Tool tips and message boxes are labels too. Once is enough.
void keepLabelsPlain(QApplication& app);

} // namespace pw
