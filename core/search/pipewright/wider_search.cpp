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
    WithoutBound passing(observer);
    const SearchOutcome single = runPipewright(*problem.withSpace(std::move(narrow)), first, passing, stop);
    if (options.timeLimit > 0.0)
        rest.timeLimit = std::max(1e-3, options.timeLimit - single.wall);

    SearchRun run(problem, rest, widerWork(problem), observer, stop, SearchRun::Share::AsAllowed);
    if (run.spaces().empty())
        return run.finish(false);
    if (!problem.space().partitions)
        run.setBound(CapacityBound(problem, run.interrupted()).compute());
    for (const FoundPlan& found : single.plans)
        run.consider(found.plan, SearchRun::Charge::One);
    constexpr std::int64_t kLeastShare = 1000; // stage candidates; with less the others find nothing
    const std::int64_t share = run.workLimit() / 32;
    if (share >= kLeastShare)
        considerOthers(run, rest, share, stop);
    if (share >= kLeastShare && problem.space().wider.pipelines > 1)
        considerColumns(run, rest, share, stop);
    const auto kept = run.plansKept();
    for (const auto& found : kept)
        for (const ScheduleTrial& trial : scheduleTrials(problem)) {
            if (run.over())
                break;
            if (std::optional<Plan> plan = underSchedule(problem, found->plan, trial))
                run.consider(*std::move(plan));
        }
    constexpr std::size_t kStarts = 3;
    Climber climber(run);
    const auto starts = run.plansKept();
    for (std::size_t i = 0; i < std::min(kStarts, starts.size()); ++i)
        climber.climb(starts[i]->plan, starts[i]->evaluation.iteration.value);
    const bool complete =
        tooLargeToEnumerate(problem).empty() && !run.over() && walkWiderSpace(run, Prune::ByBound);
    considerSharded(run);
    const bool whole = complete && !run.over();
    SearchOutcome outcome = run.finish(considerFasterGrids(run, rest) && whole);
    outcome.work += single.work;
    outcome.evaluated += single.evaluated;
    outcome.wall += single.wall;
    return outcome;
}

} // namespace pw
