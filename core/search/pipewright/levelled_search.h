// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"
#include "core/search/space/levelled.h"

namespace pw {

// No stage of a chain spans two classes of nodes (chain.h), and a node that lost one of eight cables is a
// class of its own: what a search finds on the levelled drawing is judged on the one that there is. True if
// that is the best plan now, of which bounds over the Space do not speak: the run has the one of the levelled
// drawing for it where that holds here too, and else takes only what is faster by half a per cent. `work`: of
// that search, 0 for the default.
bool considerLevelled(SearchRun& run, const Levelled& level, const SearchOptions& options, std::int64_t work,
                      const std::stop_token& stop);

} // namespace pw
