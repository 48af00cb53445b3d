// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/wider_search.h"

#include "core/search/baselines/grid_search.h"
#include "core/search/exhaustive/sharded.h"
#include "core/search/exhaustive/wider_walk.h"
#include "core/search/pipewright/columns.h"
#include "core/search/pipewright/pipewright.h"
#include "core/search/pipewright/seeds.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/space/wider_space.h"
#include "core/whatif/improve.h"

#include <algorithm>

namespace pw {
namespace {

// Passes on what the search without the wider axes finds, but for its bound, which is of its own Space.
class WithoutBound : public SearchObserver {
public:
    explicit WithoutBound(SearchObserver& to) : m_to(to) {}
    void progress(const SearchProgress& now) override {
        SearchProgress own = now;
        own.bound = Seconds(0.0);
        m_to.progress(own);
    }
    void found(const FoundPlan& plan) override { m_to.found(plan); }

private:
    SearchObserver& m_to;
};

class Climber {
public:
    explicit Climber(SearchRun& run) : m_run(run), m_spaces(pointersTo(run.spaces())) {}

    // By the first step that helps.
    void climb(Plan plan, double time) {
        for (bool better = true; better && !m_run.over();) {
            better = false;
            std::optional<Plan> next;
            const auto visit = [&](const Plan& edited) {
                std::optional<Plan> step = broughtIntoSpace(m_run.problem(), m_run.table(), m_spaces, edited);
                if (m_run.spend(1, kEffort) || !step)
                    return !m_run.over();
                const double t = m_run.consider(*step);
                if (t < time * kBetter) {
                    time = t;
                    next = std::move(step);
                }
                return !next && !m_run.over();
            };
            if (plan.pipelines.size() == 1)
                whatif::eachNeighbour(m_run.problem(), plan, visit);
            else
                eachColumnNeighbour(m_run.problem(), plan, visit);
            if (next) {
                plan = *std::move(next);
                better = true;
            }
        }
    }

private:
    static constexpr double kBetter = 1.0 - 1e-6;
    static constexpr std::int64_t kEffort = 64; // of an edit, in stage candidates
    SearchRun& m_run;
    const std::vector<const ChainSpace*> m_spaces;
};

std::int64_t widerWork(const Problem& problem) {
    return 2 * pipewrightWork(problem);
}

constexpr const char* kNarrow = "without wider axes";

SearchOutcome searchNarrow(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                           const std::stop_token& stop) {
    InPhase phase(options.trace, kNarrow, *options.clock);
    WithoutBound passing(observer);
    SearchOutcome outcome = runPipewright(problem, options, passing, stop);
    if (Phase* figures = phase.figures())
        *figures = phaseOf(outcome, kNarrow);
    return outcome;
}

void proveCapacity(SearchRun& run) {
    const auto phase = run.phase("bound");
    run.setBound(CapacityBound(run.problem(), run.interrupted()).compute());
}

void trySchedules(SearchRun& run) {
    const auto phase = run.phase("schedules");
    const auto kept = run.plansKept();
    for (const auto& found : kept)
        for (const ScheduleTrial& trial : scheduleTrials(run.problem())) {
            if (run.over())
                break;
            if (std::optional<Plan> plan = underSchedule(run.problem(), found->plan, trial))
                run.consider(*std::move(plan));
        }
}

void climb(SearchRun& run) {
    const auto phase = run.phase("steps");
    constexpr std::size_t kStarts = 3;
    Climber climber(run);
    const auto starts = run.plansKept();
    for (std::size_t i = 0; i < std::min(kStarts, starts.size()); ++i)
        climber.climb(starts[i]->plan, starts[i]->evaluation.iteration.value);
}

// `share`: work for each search of a group of columns; 0 = too little to try any. True if all was enumerated.
bool searchWiderAxes(SearchRun& run, const SearchOptions& options, std::int64_t share,
                     const std::stop_token& stop) {
    const auto phase = run.phase("wider axes");
    if (share > 0 && run.problem().space().wider.pipelines > 1)
        considerColumns(run, options, share, stop);
    trySchedules(run);
    climb(run);
    return tooLargeToEnumerate(run.problem()).empty() && !run.over() && walkWiderSpace(run, Prune::ByBound);
}

} // namespace

SearchOutcome runWider(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop) {
    SearchOptions first = options;
    first.work = options.work > 0 ? std::max<std::int64_t>(1, options.work / 4) : 0; // 0: its own amount
    SearchOptions rest = options;
    rest.work = options.work > 0 ? std::max<std::int64_t>(1, options.work - first.work) : 0;
    if (options.timeLimit > 0.0)
        first.timeLimit = options.timeLimit / 2;
    Space narrow = problem.space();
    narrow.wider = {};
    const SearchOutcome single = searchNarrow(*problem.withSpace(std::move(narrow)), first, observer, stop);
    if (options.timeLimit > 0.0)
        rest.timeLimit = std::max(1e-3, options.timeLimit - single.wall);

    SearchRun run(problem, rest, widerWork(problem), observer, stop, SearchRun::Share::AsAllowed);
    if (run.spaces().empty())
        return run.finish(false);
    if (!problem.space().partitions)
        proveCapacity(run);
    {
        const auto phase = run.phase(kNarrow);
        for (const FoundPlan& found : single.plans)
            run.consider(found);
    }
    constexpr std::int64_t kLeastShare = 1000; // stage candidates; with less the others find nothing
    const std::int64_t share = run.workLimit() / 32;
    if (share >= kLeastShare)
        considerOthers(run, rest, share, run.work(), stop);
    const bool complete = searchWiderAxes(run, rest, share >= kLeastShare ? share : 0, stop);
    considerSharded(run);
    const bool whole = complete && !run.over();
    SearchOutcome outcome = run.finish(considerFasterGrids(run, rest) && whole);
    outcome.work += single.work;
    outcome.evaluated += single.evaluated;
    outcome.wall += single.wall;
    return outcome;
}

} // namespace pw
