// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/capability.h"

#include <vector>

namespace pw {

// Rotary positions of trainers whose models take neither a base nor a scaling from their settings: plain ones
// of base 10000.

// E_UNSUPPORTED_MODEL where the model states others.
void checkFixedRotary(const Model& model, std::vector<Refusal>& refusals);

// A warning where it states none.
void fixedRotaryNote(const Model& model, Diagnostics& notes);

} // namespace pw
