// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fitting_labels.h"

#include <QLabel>

namespace pw {

void showWhatFits(std::span<QLabel* const> labels, int room, int spacing) {
    bool fits = true;
    for (QLabel* label : labels) {
        room -= label->sizeHint().width() + spacing;
        fits = fits && !label->text().isEmpty() && room >= 0;
        label->setVisible(fits);
    }
}

} // namespace pw
