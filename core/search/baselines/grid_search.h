// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"
#include "core/search/space/uniform_grid.h"

namespace pw {

// Uniform grids as what a run considers.

// Every grid over the pool (uniform_grid.h), at the expense of the run.
std::vector<UniformGrid> uniformGrids(SearchRun& run, const GpuPool& pool, const GridLimits& limits = {});

// Considers every grid that may be faster than the best plan of the run. False if stopped before the end, or
// when the work that was asked for (its own amount does not count) is spent.
bool considerFasterGrids(SearchRun& run, const SearchOptions& options);

// Simulates grids until none that is left may belong to the best plans of the run.
void considerGrids(SearchRun& run, const GpuPool& pool, const std::vector<UniformGrid>& grids);

} // namespace pw
