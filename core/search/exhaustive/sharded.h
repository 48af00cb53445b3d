// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

namespace pw {

// Plans of one stage whose replicas shard gradients (ZeRO-2) or weights too (ZeRO-3), each judged by
// evaluate(). Pipelines of several stages shard the optimiser at most, here as in the trainers, so that these
// are all that the chains of the Space leave out where the recipe asks for more; where it leaves the choice
// open they are tried if nothing else fits. No bound over chains speaks of them.
void considerSharded(SearchRun& run);

} // namespace pw
