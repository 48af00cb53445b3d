// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/grid_search.h"

namespace pw {

std::vector<UniformGrid> uniformGrids(SearchRun& run, const GpuPool& pool, const GridLimits& limits) {
    return uniformGrids(
        run.problem(), run.table(), pool, limits,
        {[&](std::int64_t work) { return run.spend(work); }, [&](Rejection reason) { run.reject(reason); }});
}

void considerGrids(SearchRun& run, const GpuPool& pool, const std::vector<UniformGrid>& grids) {
    for (const UniformGrid& grid : grids) {
        if (run.over())
            return;
        if (grid.least >= run.cutoff())
            run.reject(Rejection::SlowerThanTheBest);
        else
            run.consider(planOf(run.problem(), pool, grid));
    }
}

bool considerFasterGrids(SearchRun& run, const SearchOptions& options) {
    const auto phase = run.phase("grids");
    const auto spent = [&] { return run.stopped() || (options.work > 0 && run.work() >= options.work); };
    const bool whole =
        !spent() && eachGridBelow(
                        run.problem(), run.table(), [&] { return run.best(); },
                        [&](Plan plan) { run.consider(std::move(plan), SearchRun::Charge::One); },
                        {[&](std::int64_t work) {
                             run.spend(work);
                             return spent();
                         },
                         [&](Rejection reason) { run.reject(reason); }});
    if (whole)
        run.settleGrids();
    return whole;
}

} // namespace pw
