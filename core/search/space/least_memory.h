// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <optional>

namespace pw {

double parametersOf(const Problem& problem); // of the whole model
// Bytes of weights, gradients and optimiser states that any plan must hold, against what the allowed devices
// have: what is said, with both numbers, if they cannot fit.
std::optional<Wording> statesThatCannotFit(const Problem& problem);

} // namespace pw
