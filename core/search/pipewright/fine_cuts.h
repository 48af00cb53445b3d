// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

namespace pw {

// Whether a stage of the plan begins or ends inside a block where the Space has such cuts.
bool isCutFiner(const Problem& problem, const Plan& plan);

// From the best plan so far, if it is one of whole blocks or finer under launch counts: attention or MLP of
// a block from any stage to any other, the stages between handing theirs on, as long as it brings something.
// Devices and options stay; launch counts follow the plan's rule, or stay where they are of none.
void cutFiner(SearchRun& run);

} // namespace pw
