// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The default planner: the best plan of the Space that it can find, and a proof of how good it is. This
// project's own. The rule that data and tensor parallelism stay inside a homogeneous group of GPUs while
// pipeline stages go across groups, and the launch counts that hide slow links, are HARP's (EuroSys 2026, doi
// 10.1145/3767295.3803603).
//
// First patterns of devices are searched (pattern_search.h), each with the best layers for it; that is what
// large clusters live on. Then, for a deadline T, a chain is built from its last stage. Its launch-count
// bound V obeys
//
//     V' = max(B t, t + 2c + V)
//
// so the smallest V of a partial chain is all that the front needs to know, beside the launch count (memory),
// the devices used and the layers left. Partial chains compete by what the prices of the bound
// (launch_count_bound.h) say their unused devices can still hold. The deadline is bisected between the proven
// bound and the best simulated plan; every finished chain is simulated under every schedule, because the
// closed form ranks wrongly by up to 8 %. Local moves follow, then an exact depth-first search of all chains
// whose bound is below the best plan: where it ends within the work limit the plan is proven optimal.
//
// Where nodes differ by their cables alone it searches a levelled drawing, too (levelled_search.h), unless
// the drawing is to be taken as it is.
enum class Drawing { LevelledToo, AsItIs };
SearchOutcome runPipewright(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                            const std::stop_token& stop, Drawing drawing);
SearchOutcome runPipewright(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                            const std::stop_token& stop); // levelled too
// 800 stage candidates per GPU squared, at least 1,000,000 and at most 2,500,000; what the other planners
// take where they are asked (seeds.h) comes on top.
std::int64_t pipewrightWork(const Problem& problem);

} // namespace pw
