// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

namespace pw {

// Moves that keep the stages' devices: a block from any stage to any other, another mode or split of the same
// devices, a block more or less recomputed, or as many as let a micro-batch or two more be in flight. As long
// as one is faster than `time`, what the chain takes.
void improveChain(SearchRun& run, std::size_t space, Chain chain, double time);

} // namespace pw
