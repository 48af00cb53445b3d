// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/read_by_keys.h"

#include <QTextEdit>

namespace pw {

void readByKeys(QTextEdit& text, bool listened) {
    text.setTextInteractionFlags(text.textInteractionFlags().setFlag(Qt::TextSelectableByKeyboard, listened));
}

} // namespace pw
