// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/sharded.h"

#include "core/evaluate/stage_terms.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

using Takes = std::function<bool(const Plan&)>;

// Whether a rank has no room for what it holds at least, with every block recomputed where the option can.
bool isTooLarge(const ChainSpace& space, const StageOption& option, int zero) {
    const StageCost cost = option.costs->blocks(0, space.blocks(), option.copies(), zero);
    return memoryTotal(space.problem(), cost, 1.0) > space.capacity(option);
}

Plan planOf(const ChainSpace& space, const StageOption& option, int zero, int recomputed) {
    Pipeline pipeline;
    pipeline.microbatches = space.microbatches();
    pipeline.microbatchSize = space.microbatchSize();
    pipeline.stages = {space.stage(option, 0)};
    Stage& stage = pipeline.stages.front();
    stage.chunks = {layersOfBlocks(0, space.blocks(), space.blocks())};
    stage.zero = zero;
    stage.recomputeLayers = recomputed;
    return {{pipeline}};
}

// `takes`: null: every plan.
void considerOption(SearchRun& run, const ChainSpace& space, const StageOption& option, int zero,
                    const Takes& takes = nullptr) {
    if (isTooLarge(space, option, zero)) {
        run.spend(1);
        return run.reject(Rejection::OutOfMemory);
    }
    for (int recomputed = 0; recomputed < (option.plain ? space.blocks() : 1); ++recomputed) {
        if (run.spend(1))
            return;
        if (Plan plan = planOf(space, option, zero, recomputed); !takes || takes(plan))
            run.consider(std::move(plan), SearchRun::Charge::One);
    }
}

// A kind of stage that may hold the whole model.
struct Candidate {
    const ChainSpace* space = nullptr;
    const StageOption* option = nullptr;
    double least =
        0.0; // s: its micro-batches one behind the other, with no block recomputed that need not be
};

// Those that might be faster than the best plan so far, the most promising first.
std::vector<Candidate> shardedCandidates(SearchRun& run, int zero) {
    std::vector<Candidate> list;
    for (const auto& space : run.spaces())
        for (const StageOption& option : space->options()) {
            if (run.spend(0, 1))
                return {};
            if (option.dp < 2 || option.partition || isTooLarge(*space, option, zero))
                continue;
            const ConfigCosts& costs = option.plain ? *option.plain : *option.costs;
            const double least =
                space->microbatches() * costs.blocks(0, space->blocks(), option.copies(), zero).total();
            if (least < run.best())
                list.push_back({space.get(), &option, least});
        }
    std::ranges::stable_sort(list, {}, &Candidate::least);
    return list;
}

// With the fewest blocks recomputed that memory allows: each takes its time.
void considerQuickest(SearchRun& run, const Candidate& candidate, int zero) {
    const int blocks = candidate.option->plain ? candidate.space->blocks() : 1;
    const auto fits = [&](int recomputed) { // all: 0 in a plan
        return std::isfinite(run.consider(
            planOf(*candidate.space, *candidate.option, zero, recomputed < blocks ? recomputed : 0),
            SearchRun::Charge::One));
    };
    int low = 1, high = blocks;
    while (low < high && !run.over()) {
        const int middle = low + (high - low) / 2;
        if (fits(middle))
            high = middle;
        else
            low = middle + 1;
    }
    if (high == blocks && !run.over())
        fits(blocks);
}

} // namespace

void considerQuickestSharded(SearchRun& run) {
    constexpr std::int64_t kShare = 8; // of the run's work, so that pipelines are searched, too
    const int asked = run.problem().recipe().zero;
    if (asked < 2)
        return;
    const auto phase = run.phase("sharded");
    const std::int64_t end = run.work() + run.workLimit() / kShare;
    for (const Candidate& candidate : shardedCandidates(run, asked)) {
        if (run.over() || run.work() >= end || candidate.least >= run.best())
            return;
        considerQuickest(run, candidate, asked);
    }
}

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
