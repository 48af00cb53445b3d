// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/trainer_box.h"

#include "ui/base/convert.h"
#include "ui/session/search_demand.h"

#include <algorithm>

namespace pw {

TrainerBox::TrainerBox(QWidget* parent) : ElidingCombo(parent) {
    addItem(tr("any or no trainer"), QString()); // a search without one may end in plans that none takes
    for (const ExporterRow* target : searchTargets())
        addItem(q(target->label), q(target->format));
}

const ExporterRow* TrainerBox::trainer() const {
    return exporterRow(s(currentData().toString()));
}

void TrainerBox::setTrainer(const ExporterRow* trainer) {
    setCurrentIndex(std::max(0, trainer ? findData(q(trainer->format)) : 0));
}

} // namespace pw
