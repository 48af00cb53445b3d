// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/haap.h"

#include "core/search/haap/initial.h"
#include "core/search/haap/moves.h"
#include "core/search/haap/multi_hop.h"

#include <algorithm>
#include <limits>

namespace pw {
namespace {

constexpr std::size_t kStarts = 16;
constexpr std::size_t kAllStarts = std::numeric_limits<std::size_t>::max();
constexpr double kForInitial = 0.25, kForSearch = 0.75; // shares of the work that are spent by then

void noteInitial(SearchRun& run, const HaapInitial& initial) {
    run.reject(Rejection::NoBlockForAStage, initial.noRoom);
    run.reject(Rejection::NotAllBlocks, initial.tooFewBlocks);
    run.note(
        "haap.initial",
        {initial.whole
             ? "memory-aware initialisation: {candidates} candidates before, {kept} after; {noRoom} have a "
               "stage without room for one block, the stages of {tooFew} cannot hold all {blocks} blocks"
             : "memory-aware initialisation: {candidates} candidates before, {kept} after; {noRoom} have a "
               "stage without room for one block, the stages of {tooFew} cannot hold all {blocks} blocks; "
               "the share of the work for it ended before all were looked at",
         {{"candidates", initial.candidates},
          {"kept", initial.kept()},
          {"noRoom", initial.noRoom},
          {"tooFew", initial.tooFewBlocks},
          {"blocks", run.problem().model().blocks}}});
}

struct Starts {
    std::vector<HaapStart> list;
    std::size_t enough = kAllStarts; // those behind are for where these lead nowhere
};

Starts startsOf(SearchRun& run, HaapCosts& costs, const HaapParts& parts, std::int64_t work) {
    const auto phase = run.phase("starts");
    if (!parts.memoryAware)
        return {balancedStarts(costs).starts};
    HaapInitial initial = memoryAwareStarts(costs, work);
    noteInitial(run, initial);
    Starts starts{std::move(initial.starts)};
    starts.enough = std::min(kStarts, starts.list.size());
    for (HaapStart& start : balancedStarts(costs).starts) // unevenly divided GPUs
        starts.list.push_back(std::move(start));
    return starts;
}

// Searches from each start until its share of the work, then looks at all that was found.
void hop(SearchRun& run, HaapCosts& costs, std::uint64_t seed, Starts starts, std::int64_t work) {
    const auto phase = run.phase("hops");
    HaapMoves moves(costs, HaapOrder::Fixed, seed);
    const std::size_t enough = starts.enough, all = starts.list.size();
    MultiHop search(costs, moves);
    for (std::size_t s = 0; s < all && !run.over(); ++s) {
        if (s >= enough && !search.best().empty())
            break;
        const auto left = static_cast<std::int64_t>((s < enough ? std::min(enough, all) : all) - s);
        const std::int64_t until = run.work() + (work - run.work()) / left;
        const HaapState best = search.search(std::move(starts.list[s].config), until);
        if (best.fits() && !run.over())
            run.consider(best.config.space, best.config.chain);
    }
    for (const auto& [time, config] : search.best()) {
        if (run.over())
            break;
        run.consider(config.space, config.chain);
    }
}

} // namespace

SearchOutcome runWithParts(const Problem& problem, const SearchOptions& options, const HaapParts& parts,
                           SearchObserver& observer, const std::stop_token& stop) {
    SearchRun run(problem, options, haapWork(problem), observer, stop);
    if (run.spaces().empty())
        return run.finish(!run.over());
    const bool proves = options.uses("bound");
    if (proves)
        run.proveBound();
    const auto share = [&](double of) {
        return static_cast<std::int64_t>(of * static_cast<double>(run.workLimit()));
    };
    HaapCosts costs(run, parts.cached);
    Starts starts = startsOf(run, costs, parts, share(kForInitial));
    hop(run, costs, options.seed, std::move(starts), share(kForSearch));
    if (proves)
        run.proveBound();
    return run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
}

std::int64_t haapWork(const Problem& problem) {
    const std::int64_t allowed = allowedGpus(problem);
    return std::clamp<std::int64_t>(200 * allowed * allowed, 100'000, 1'000'000);
}

SearchOutcome runHaap(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop) {
    return runWithParts(problem, options, {options.uses("init"), options.uses("cache")}, observer, stop);
}

SearchOutcome runAceso(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop) {
    return runWithParts(problem, options, {false, false}, observer, stop);
}

SearchOutcome askAceso(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop) {
    return runWithParts(problem, options, {false, true}, observer, stop);
}

} // namespace pw
