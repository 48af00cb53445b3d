// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/exhaustive/sharded.h"

#include "core/evaluate/evaluation.h"
#include "core/evaluate/stage_terms.h"
#include "core/search/space/sharded_stages.h"

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

// `takes`: null: every plan.
void considerOption(SearchRun& run, const ChainSpace& space, std::size_t option, int zero,
                    const Takes& takes = nullptr) {
    const ShardedStage stage{&space, {static_cast<int>(option), 0, space.blocks(), 0, 0}, zero, 0.0};
    if (isTooLarge(space, stage.option(), zero)) {
        run.spend(1);
        return run.reject(Rejection::OutOfMemory);
    }
    for (int recomputed = 1; recomputed <= stage.ways(); ++recomputed) {
        if (run.spend(1))
            return;
        if (Plan plan = stage.plan(recomputed); !takes || takes(plan))
            run.consider(std::move(plan), SearchRun::Charge::One);
    }
}

// Whether the plan fits. Where nobody has asked for such plans, only one that is faster than all so far is
// kept: few trainers run them, and for who has to do without the list is to have others.
bool considerPlan(SearchRun& run, Plan plan) {
    if (run.problem().recipe().zero < 0) {
        const auto judged = evaluate(run.problem(), run.table(), plan, {.stop = &run.interrupted()});
        if (!judged || !judged->feasible || judged->iteration.value >= run.best()) {
            run.spend(1);
            return judged && judged->feasible;
        }
    }
    return std::isfinite(run.consider(std::move(plan), SearchRun::Charge::One));
}

// With the fewest blocks recomputed that memory allows: each takes its time.
void considerQuickest(SearchRun& run, const ShardedStage& sharded) {
    const auto fits = [&](int recomputed) { return considerPlan(run, sharded.plan(recomputed)); };
    int low = sharded.fewest();
    if (fits(low) || run.over())
        return;
    for (int high = sharded.ways(); low < high && !run.over();) {
        const int middle = low + 1 + (high - low - 1) / 2;
        if (fits(middle))
            high = middle - 1;
        else
            low = middle;
    }
}

// The fastest under this ZeRO stage, until the work is `end`.
void considerQuickest(SearchRun& run, int zero, std::int64_t end) {
    const auto stop = [&] { return run.spend(0, 1); };
    for (const ShardedStage& sharded : shardedStages(run.spaces(), zero, run.best(), stop)) {
        if (run.over() || run.work() >= end || sharded.least >= run.best())
            return;
        considerQuickest(run, sharded);
    }
}

// Pools of several classes that may be faster than the best plan, until the work is `end`.
void considerPools(SearchRun& run, int zero, std::int64_t end) {
    const GridCounter counter{[&](std::int64_t work) { return run.spend(work) || run.work() >= end; },
                              [&run](Rejection rejection) { run.reject(rejection); }};
    eachShardedPool(
        run.problem(), run.table(), zero, [&run] { return run.best(); },
        [&run](Plan plan) { considerPlan(run, std::move(plan)); }, counter);
}

} // namespace

void considerQuickestSharded(SearchRun& run) {
    constexpr std::int64_t kShare = 8;  // of the run's work, so that pipelines are searched, too
    constexpr std::int64_t kOpen = 256; // likewise where nobody has asked for them
    const bool open = run.problem().recipe().zero < 0;
    const std::vector<int> sharding = furtherSharding(run.problem());
    if (sharding.empty() || (open && !std::isfinite(run.best())))
        return;
    const auto phase = run.phase("sharded");
    const std::int64_t end = run.work() + run.workLimit() / (open ? kOpen : kShare);
    for (const int zero : sharding) {
        considerQuickest(run, zero, end);
        considerPools(run, zero, end);
    }
}

void considerSharded(SearchRun& run) {
    const std::vector<int> sharding = furtherSharding(run.problem());
    if (sharding.empty())
        return;
    const auto phase = run.phase("sharded");
    for (const int zero : sharding) {
        considerPools(run, zero, run.workLimit());
        if (run.problem().recipe().zero < 0 && std::isfinite(run.best())) {
            considerQuickest(run, zero, run.workLimit());
            continue;
        }
        for (const auto& space : run.spaces())
            for (std::size_t o = 0; o < space->options().size() && !run.over(); ++o)
                if (space->options()[o].copies() > 1 && !space->options()[o].partition)
                    considerOption(run, *space, o, zero);
    }
    if (!run.over())
        run.settleSharded();
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
            for (std::size_t o = 0; o < space->options().size(); ++o) {
                const StageOption& option = space->options()[o];
                if (option.partition)
                    continue;
                if (option.copies() == 1 && !run.over())
                    considerOption(run, *space, o, option.zero, takes);
                for (const int sharded : zero)
                    if (option.copies() > 1 && !run.over())
                        considerOption(run, *space, o, sharded, takes);
            }
    }
    SearchOutcome outcome =
        run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
    if (recorder)
        outcome.phases = recorder->take();
    return outcome;
}

} // namespace pw
