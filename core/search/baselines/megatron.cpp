// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/megatron.h"

#include "core/search/baselines/grid_search.h"
#include "core/search/space/least_memory.h"

namespace pw {

std::int64_t megatronWork(const Problem&) {
    return 10'000'000;
}

SearchOutcome runMegatron(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                          const std::stop_token& stop) {
    SearchRun run(problem, options, megatronWork(problem), observer, stop);
    if (!statesThatCannotFit(problem)) {
        run.proveBound();
        {
            const auto phase = run.phase("grids");
            for (const GpuPool& pool : gpuPools(problem))
                considerGrids(run, pool, uniformGrids(run, pool));
        }
        run.proveBound();
        if (!run.over())
            run.settleGrids();
    }
    return run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSpace);
}

} // namespace pw
