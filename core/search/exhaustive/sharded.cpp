// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/sharded.h"

#include "core/evaluate/stage_terms.h"

#include <cmath>

namespace pw {
namespace {

using Takes = std::function<bool(const Plan&)>;

// Whether a rank has no room for what it holds at least, with every block recomputed where the option can.
bool isTooLarge(const ChainSpace& space, const StageOption& option, int zero) {
    const StageCost cost = option.costs->blocks(0, space.blocks(), option.copies(), zero);
    return memoryTotal(space.problem(), cost, 1.0) > space.capacity(option);
}

// `takes`: null: every plan.
void considerOption(SearchRun& run, const ChainSpace& space, const StageOption& option, int zero,
                    const Takes& takes = nullptr) {
    if (isTooLarge(space, option, zero)) {
        run.spend(1);
        return run.reject(Rejection::OutOfMemory);
    }
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
        if (Plan plan{{pipeline}}; !takes || takes(plan))
            run.consider(std::move(plan), SearchRun::Charge::One);
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

SearchOutcome searchSingleStages(const Problem& problem, const SearchOptions& options,
                                 const std::vector<int>& zero, const Takes& takes, SearchObserver& observer,
                                 const std::stop_token& stop) {
    constexpr std::int64_t kWork = 1'000'000;
    SearchOptions own = options;
    std::optional<PhaseRecorder> recorder;
    if (options.trace)
        own.trace = &recorder.emplace(options.trace);
    SearchRun run(problem, own, kWork, observer, stop, SearchRun::Share::AsAllowed);
    {
        const auto phase = run.phase("single stages");
        for (const auto& space : run.spaces())
            for (const StageOption& option : space->options()) {
                if (option.partition)
                    continue;
                if (option.dp == 1 && !run.over())
                    considerOption(run, *space, option, option.zero, takes);
                for (const int sharded : zero)
                    if (option.dp > 1 && !run.over())
                        considerOption(run, *space, option, sharded, takes);
            }
    }
    SearchOutcome outcome =
        run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
    if (recorder)
        outcome.phases = recorder->take();
    return outcome;
}

} // namespace pw
