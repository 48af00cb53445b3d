// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/wider_search.h"

#include "core/search/baselines/grid_search.h"
#include "core/search/behind.h"
#include "core/search/exhaustive/sharded.h"
#include "core/search/exhaustive/wider_walk.h"
#include "core/search/pipewright/columns.h"
#include "core/search/pipewright/pipewright.h"
#include "core/search/pipewright/seeds.h"
#include "core/search/proof/capacity_bound.h"
#include "core/search/space/wider_space.h"
#include "core/whatif/improve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

namespace pw {
namespace {

// Passes on what searches of parts of the Space find, each only if it is better than all before it, but not
// their bounds, which are of their own Spaces; of the last one, which is of the whole Space, all.
class OfParts : public ProgressBehind {
public:
    using ProgressBehind::ProgressBehind;
    void setLast() { m_last = true; }
    void progress(const SearchProgress& now) override {
        SearchProgress all = together(now);
        if (!m_last)
            all.bound = Seconds(0.0);
        m_to.progress(all);
    }
    void found(const FoundPlan& plan) override {
        if (!m_last && plan.evaluation.iteration.value >= m_best)
            return;
        m_best = plan.evaluation.iteration.value;
        m_to.found(plan);
    }

private:
    bool m_last = false;
    double m_best = kNever; // s
};

struct Axis {
    const char* name; // of its phase
    bool (*on)(const WiderSpace&);
    void (*take)(WiderSpace& to, const WiderSpace& from);
};

constexpr std::array kAxes = {
    Axis{"all schedules", [](const WiderSpace& s) { return s.schedules; },
         [](WiderSpace& to, const WiderSpace& from) {
             to.schedules = from.schedules;
             to.kinds = from.kinds;
         }},
    Axis{"mixed stages", [](const WiderSpace& s) { return s.mixedStages; },
         [](WiderSpace& to, const WiderSpace& from) { to.mixedStages = from.mixedStages; }},
    Axis{"several pipelines", [](const WiderSpace& s) { return s.pipelines > 1; },
         [](WiderSpace& to, const WiderSpace& from) { to.pipelines = from.pipelines; }},
};

// Some of the wider axes that are asked for.
struct Part {
    unsigned axes = 0; // a bit for each of kAxes
    WiderSpace wider;
    std::string name;
};

// Single axes first, all of them last: a search of several starts from what those of fewer have found, so
// that nobody is worse off for asking for one more.
std::vector<Part> partsOf(const WiderSpace& asked) {
    std::vector<Part> parts;
    for (unsigned axes = 1; axes < 1U << kAxes.size(); ++axes) {
        Part part{.axes = axes, .wider = {}, .name = {}};
        bool all = true;
        for (std::size_t i = 0; i < kAxes.size(); ++i)
            if ((axes >> i & 1U) != 0) {
                all = all && kAxes[i].on(asked);
                kAxes[i].take(part.wider, asked);
                part.name += (part.name.empty() ? "" : " and ") + std::string(kAxes[i].name);
            }
        if (all)
            parts.push_back(std::move(part));
    }
    std::ranges::stable_sort(parts, {}, [](const Part& part) { return std::popcount(part.axes); });
    return parts;
}

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

// A search of its own inside a phase of that name.
template <typename Search>
SearchOutcome inPhase(const SearchOptions& options, const std::string& name, Search search) {
    InPhase phase(options.trace, name, *options.clock);
    SearchOutcome outcome = search();
    if (Phase* figures = phase.figures())
        *figures = phaseOf(outcome, name);
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
    return !tooLargeToEnumerate(run.problem()) && !run.over() && walkWiderSpace(run, Prune::ByBound);
}

// What a part of the Space has, by the name of its phase.
struct Searched {
    const char* name;
    const SearchOutcome* outcome;
};

// From the plans that searches of less have found.
SearchOutcome searchPart(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                         const std::stop_token& stop, const std::vector<Searched>& before) {
    SearchRun run(problem, options, widerWork(problem), observer, stop, SearchRun::Share::AsAllowed);
    if (run.spaces().empty())
        return run.finish(false);
    if (!problem.space().partitions)
        proveCapacity(run);
    for (const Searched& less : before) {
        const auto phase = run.phase(less.name);
        for (const FoundPlan& found : less.outcome->plans)
            run.consider(found);
        for (const FoundPlan& found : less.outcome->differing)
            run.meet(found);
    }
    constexpr std::int64_t kLeastShare = 1000; // stage candidates; with less the others find nothing
    const std::int64_t share = run.workLimit() / 32;
    if (share >= kLeastShare)
        considerOthers(run, options, share, run.work(), stop);
    const bool complete = searchWiderAxes(run, options, share >= kLeastShare ? share : 0, stop);
    considerSharded(run);
    const bool inTime = !run.over();
    const bool whole = considerFasterGrids(run, options) && complete && inTime;
    // Neither proven nor out of work: the search has ended by itself.
    const bool ended = inTime && !run.stopped() && std::isfinite(run.best());
    return run.finish(whole   ? SearchRun::Settled::Space
                      : ended ? SearchRun::Settled::OwnSearch
                              : SearchRun::Settled::Nothing);
}

// A search that is stopped, or out of time, may not have come to what those of less have found.
void takeOver(SearchOutcome& outcome, std::vector<SearchOutcome>& less) {
    const auto time = [](const SearchOutcome& of) {
        return of.plans.empty() ? kNever : of.plans.front().evaluation.iteration.value;
    };
    const auto best = std::ranges::min_element(less, {}, time);
    if (!(time(*best) < time(outcome)))
        return;
    outcome.plans = std::move(best->plans);
    outcome.differing = std::move(best->differing);
    outcome.reasons.clear();
}

} // namespace

SearchOutcome runWider(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                       const std::stop_token& stop) {
    const auto within = [&](const WiderSpace& wider) {
        Space space = problem.space();
        space.wider = wider;
        return problem.withSpace(std::move(space));
    };
    OfParts passing(observer, options.work);
    SearchOptions first = options;
    first.work = options.work > 0 ? std::max<std::int64_t>(1, options.work / 4) : 0; // 0: its own amount
    if (options.timeLimit > 0.0)
        first.timeLimit = options.timeLimit / 2;
    const std::vector<Part> parts = partsOf(problem.space().wider);
    std::vector<SearchOutcome> outcomes; // without any of them, then of each part
    constexpr const char* kNarrow = "without wider axes";
    outcomes.push_back(
        inPhase(options, kNarrow, [&] { return runPipewright(*within({}), first, passing, stop); }));
    SearchOutcome spent; // together
    const auto addUp = [&spent, &passing](const SearchOutcome& outcome) {
        passing.ended(outcome);
        spent.work += outcome.work;
        spent.evaluated += outcome.evaluated;
        spent.wall += outcome.wall;
    };
    addUp(outcomes.front());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size();
        const auto left = static_cast<std::int64_t>(parts.size() - i);
        SearchOptions own = options;
        own.work = options.work > 0 ? std::max<std::int64_t>(1, (options.work - spent.work) / left) : 0;
        if (options.timeLimit > 0.0)
            own.timeLimit = std::max(1e-3, (options.timeLimit - spent.wall) / static_cast<double>(left));
        std::vector<Searched> before = {{kNarrow, &outcomes.front()}};
        for (std::size_t j = 0; j < i; ++j)
            if ((parts[j].axes & ~parts[i].axes) == 0)
                before.push_back({parts[j].name.c_str(), &outcomes[j + 1]});
        if (last)
            passing.setLast();
        const auto search = [&] {
            return searchPart(last ? problem : *within(parts[i].wider), own, passing, stop, before);
        };
        outcomes.push_back(last ? search() : inPhase(options, parts[i].name, search));
        addUp(outcomes.back());
    }
    SearchOutcome outcome = std::move(outcomes.back());
    outcomes.pop_back();
    takeOver(outcome, outcomes);
    outcome.work = spent.work;
    outcome.evaluated = spent.evaluated;
    outcome.wall = spent.wall;
    return outcome;
}

} // namespace pw
