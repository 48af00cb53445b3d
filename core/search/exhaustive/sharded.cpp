// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/sharded.h"

#include <cmath>

namespace pw {
namespace {

void considerOption(SearchRun& run, const ChainSpace& space, const StageOption& option, int zero) {
    Pipeline pipeline;
    pipeline.microbatches = space.microbatches();
    pipeline.microbatchSize = space.microbatchSize();
    pipeline.stages = {space.stage(option, 0)};
    Stage& stage = pipeline.stages.front();
    stage.chunks = {layersOfBlocks(0, space.blocks(), space.blocks())};
    stage.zero = zero;
    for (int recomputed = 0; recomputed < (option.plain ? space.blocks() : 1); ++recomputed) {
        if (run.spend(1))
            return;
        stage.recomputeLayers = recomputed;
        run.consider(Plan{{pipeline}}, SearchRun::Charge::One);
    }
}

} // namespace

void considerSharded(SearchRun& run) {
    const int asked = run.problem().recipe().zero;
    if (asked == 0 || asked == 1 || (asked < 0 && std::isfinite(run.best())))
        return;
    const auto phase = run.phase("sharded");
    for (int zero = asked < 0 ? 2 : asked; zero <= (asked < 0 ? 3 : asked); ++zero)
        for (const auto& space : run.spaces())
            for (const StageOption& option : space->options())
                if (option.dp > 1 && !option.partition && !run.over())
                    considerOption(run, *space, option, zero);
}

} // namespace pw
