// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/eliding_combo.h"

namespace pw {

struct ExporterRow;

// Where plans are told what is to run them: nothing in particular, or one of searchTargets(). The data of an
// item is its export format.
class TrainerBox : public ElidingCombo {
    Q_OBJECT

public:
    explicit TrainerBox(QWidget* parent = nullptr);

    const ExporterRow* trainer() const; // null: none is named
    void setTrainer(const ExporterRow* trainer);
};

} // namespace pw
