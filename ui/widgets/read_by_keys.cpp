// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/read_by_keys.h"

#include <QPlainTextEdit>
#include <QTextEdit>

namespace pw {

namespace {

template <class Text>
void setReadByKeys(Text& text, bool listened) {
    text.setTextInteractionFlags(text.textInteractionFlags().setFlag(Qt::TextSelectableByKeyboard, listened));
}

} // namespace

void readByKeys(QTextEdit& text, bool listened) {
    setReadByKeys(text, listened);
}

void readByKeys(QPlainTextEdit& text, bool listened) {
    setReadByKeys(text, listened);
}

} // namespace pw
