// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/exhaustive/enumerate.h"

namespace pw {

// Every plan of a Space with wider axes, each judged by evaluate() and charged as one candidate. With
// Prune::ByBound what cannot beat the best plan is left out: stages too slow for their micro-batches or too
// large with the fewest that any schedule of the Space has in flight. True if the walk came to its end.
bool walkWiderSpace(SearchRun& run, Prune prune);

} // namespace pw
