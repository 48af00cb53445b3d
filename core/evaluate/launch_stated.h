// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

namespace pw {

struct Evaluation;

// The plan with the launch counts that its evaluation chose, where it left them open: as a document has it,
// and as trainers are asked about it.
Plan withLaunchCounts(Plan plan, const Evaluation& evaluation);

// The plan that leaves them to an evaluation.
Plan withoutLaunchCounts(Plan plan);

} // namespace pw
