// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The planner "haap", in the manner of AutoHAAP (HPCA 2026, doi 10.1109/HPCA68181.2026.11408533), of which
// the abstract alone is known: a memory-aware initialisation, an estimator of heterogeneous load balance that
// guides the search, and caches of state that keep costs from being worked out again. How the first and the
// last work is this project's reconstruction (initial.h, state.h); an estimator was tried and brought nothing
// (resources/manual/planners/haap.md). The search that they are put on is Aceso's, which is published
// (multi_hop.h); that AutoHAAP starts from it is an inference.
SearchOutcome runHaap(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop);

// The planner "aceso", in the manner of Aceso: the same search without the two parts. It starts from the
// balanced configuration for each number of stages, tries primitives in the order of Aceso's table and works
// out the costs of all stages of every candidate. Stages are whole: Aceso sets tensor and data parallelism of
// each operator.
SearchOutcome runAceso(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop);
// The same plans in a twentieth of the time: with the caches, which change no cost.
SearchOutcome askAceso(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop);

std::int64_t haapWork(const Problem& problem); // of both: 200 per GPU squared, from 100,000 to 1,000,000

// What the two are made of.
struct HaapParts {
    bool memoryAware = true;
    bool cached = true;
};
SearchOutcome runWithParts(const Problem& problem, const SearchOptions& options, const HaapParts& parts,
                           SearchObserver& observer, const std::stop_token& stop);

} // namespace pw
