// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/search/run.h"

#include <functional>

namespace pw {

enum class Prune { Nothing, ByBound };

// Depth-first over every chain of the micro-batch sizes that may have a faster one than the best plan so far,
// built from the last stage, simulating each one. Leaves out partial chains that cannot become faster, and
// gives up early where the work that is left is far from enough. True if it got to the end, which makes the
// best plan optimal in the Space.
bool enumerateChains(SearchRun& run, const std::function<bool(std::size_t space)>& mayBeFaster);

// The planner "exhaustive": every plan of the Space, each judged by evaluate() itself and by nothing that the
// other planners use; their bound is reported beside it. For a handful of GPUs and layers; ground truth for
// the rest.
SearchOutcome runExhaustive(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                            const std::stop_token& stop);
std::int64_t exhaustiveWork(const Problem& problem); // 50,000,000
// More than 8 GPUs or 8 blocks, which would take hours to days.
std::optional<Error> tooLargeToEnumerate(const Problem& problem);

} // namespace pw
