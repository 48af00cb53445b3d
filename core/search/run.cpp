// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/run.h"

#include "core/base/quantity.h"
#include "core/base/units.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/space/alike_stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pw {

namespace {

constexpr std::int64_t kOwnEffort = 16; // of judging a plan besides its operations, in stage candidates

// Links that a plan would need and that are not there.
std::optional<Rejection> apart(const Error& error) {
    if (error.code == "plan.ends_apart")
        return Rejection::TiedEndsApart;
    if (error.code == "plan.unreachable")
        return Rejection::NoWayBetweenStages;
    if (error.code == "plan.slower")
        return Rejection::SlowerThanTheBest;
    return std::nullopt;
}

} // namespace

SearchRun::SearchRun(const Problem& problem, const SearchOptions& options, std::int64_t defaultWork,
                     SearchObserver& observer, std::stop_token stop, Share share)
    : m_problem(problem), m_options(options), m_observer(observer), m_stop(std::move(stop)),
      m_interrupted([this] {
          m_timeUp = m_timeUp || (m_options.timeLimit > 0.0 && elapsed() >= m_options.timeLimit);
          m_over = m_over || stopped();
          return stopped();
      }),
      m_table(problem), m_clock(*options.clock), m_begin(m_clock.steady()),
      m_best(std::numeric_limits<double>::infinity()), m_limit(options.work > 0 ? options.work : defaultWork),
      m_total(m_limit) {
    m_sharings = share == Share::Nothing ? std::vector{Sharing{}} : sharings(problem);
    if (share != Share::AsAllowedLater)
        buildSpaces();
}

std::size_t SearchRun::addSpace(std::int64_t microbatchSize, const Sharing& sharing) {
    m_spaces.push_back(std::make_unique<ChainSpace>(m_problem, m_table, microbatchSize, sharing));
    m_evaluators.emplace_back(*m_spaces.back());
    return m_spaces.size() - 1;
}

void SearchRun::buildSpaces() {
    const InPhase building = phase("space");
    std::int64_t undivided = 0;
    const std::vector<const ChainSpace*> before = pointersTo(m_spaces);
    m_evaluators.clear();
    m_spaces = chainSpaces(m_problem, m_table, m_sharings, m_interrupted, &undivided, m_options.threads,
                           std::move(m_spaces));
    if (undivided > 0)
        reject(Rejection::BatchNotDivisible, undivided);
    for (const auto& space : m_spaces)
        m_evaluators.emplace_back(*space);
    const auto placeOf = [&](std::size_t space) { // of those that were there before
        return static_cast<std::size_t>(
            std::ranges::find(m_spaces, before[space], &std::unique_ptr<ChainSpace>::get) - m_spaces.begin());
    };
    for (Kept& kept : m_kept)
        kept.space = placeOf(kept.space);
    m_met.renumber(placeOf);
}

SearchRun::InPhase::InPhase(SearchRun& run, const char* name)
    : m_run(run), m_traced(run.m_options.trace, name, run.m_clock), m_before(run.m_work) {
    run.m_phases.push_back(name);
    if (Phase* figures = m_traced.figures())
        figures->before = run.bestSeconds();
}

SearchRun::InPhase::~InPhase() {
    m_run.m_phases.pop_back();
    if (Phase* figures = m_traced.figures()) {
        figures->work = m_run.m_work - m_before;
        figures->after = m_run.bestSeconds();
    }
}

std::string SearchRun::openPhases() const {
    return fmt::format("{}", fmt::join(m_phases, kWithin));
}

double SearchRun::elapsed() const {
    return m_clock.steady() - m_begin;
}

bool SearchRun::spend(std::int64_t work, std::int64_t effort) {
    m_work += work;
    if (m_work >= m_limit)
        m_over = true;
    m_effort += effort;
    if (m_effort >= 256) {
        m_effort = 0;
        m_interrupted();
        report(false);
    }
    return m_over;
}

void SearchRun::setBound(const Bound& bound) {
    m_bound = bound;
    trace(bound);
    report(true);
}

void SearchRun::trace(const Bound& bound) const {
    if (m_options.trace)
        m_options.trace->happened(LogLevel::Debug,
                                  fmt::format("no plan of the space ({}) takes less than {}",
                                              bound.scope.text(), formatDuration(bound.value)));
}

void SearchRun::proveBound() {
    if (m_spaces.empty() || !m_options.uses("bound"))
        return;
    const double upper = m_bestCovered ? m_best : std::numeric_limits<double>::infinity();
    const InPhase proving = phase("bound");
    // What the planner leaves out belongs to the Space all the same.
    std::vector<Sharing> left = sharings(m_problem);
    std::erase_if(left, [&](const Sharing& sharing) {
        return std::any_of(m_spaces.begin(), m_spaces.end(),
                           [&](const auto& space) { return space->sharing() == sharing; });
    });
    const ChainSpaces others =
        chainSpaces(m_problem, m_table, left, m_interrupted, nullptr, m_options.threads);
    std::vector<const ChainSpace*> all = pointersTo(m_spaces);
    for (const auto& space : others)
        all.push_back(space.get());
    const Bound bound = LaunchCountBound(std::move(all), m_interrupted, m_options.threads).compute(upper);
    if (bound.value > m_bound.value)
        setBound(bound);
}

void SearchRun::setTotal(std::int64_t work) {
    m_total = work;
    report(true);
}

void SearchRun::report(bool force) {
    const double now = elapsed();
    if (!force && now - m_lastReport < 0.02)
        return;
    m_lastReport = now;
    SearchProgress progress;
    progress.elapsed = now;
    progress.work = m_work + m_ahead;
    if (m_total > 0)
        progress.work = std::min(progress.work, m_total); // the last candidates are judged in one go
    progress.workLimit = m_total;
    progress.evaluated = m_evaluated;
    progress.best = bestSeconds();
    progress.bound = m_bestCovered ? std::min(m_bound.value, Seconds(m_best)) : Seconds(0.0);
    progress.rejected = m_rejected;
    m_observer.progress(progress);
}

double SearchRun::consider(std::size_t space, const Chain& chain) {
    if (!areAlike(*m_spaces[space], chain)) {
        spend(1);
        reject(Rejection::StagesDiffer);
        return kNever;
    }
    const bool full = m_kept.size() == wanted();
    std::int64_t operations = 0;
    const std::optional<ChainResult> result =
        m_evaluators[space].best(chain, cutoff(), operations, m_interrupted);
    ++m_evaluated;
    const std::int64_t work = operations / 16 + 1;
    spend(work, work + kOwnEffort);
    meetTrials(space, chain);
    if (!result) {
        if (const std::optional<Rejection> apart = m_evaluators[space].apart())
            reject(*apart);
        else if (!stopped())
            reject(operations > 0 || full ? Rejection::SlowerThanTheBest : Rejection::OutOfMemory);
        return std::numeric_limits<double>::infinity();
    }
    const bool known = std::any_of(m_kept.begin(), m_kept.end(),
                                   [&](const Kept& k) { return k.space == space && k.chain == chain; });
    if (!known)
        keep({result->iteration, space, chain, *result, nullptr, openPhases()});
    return result->iteration;
}

double SearchRun::consider(Plan plan, Charge charge) {
    return consider(std::move(plan), charge, {});
}

double SearchRun::consider(const FoundPlan& found) {
    return consider(found.plan, Charge::One, found.foundBy.empty() ? "" : kWithin + found.foundBy);
}

double SearchRun::consider(Plan plan, Charge charge, const std::string& foundBy) {
    if (!areAlike(m_problem.space().alike, plan)) {
        spend(1);
        reject(Rejection::StagesDiffer);
        return kNever;
    }
    // A launch count takes no longer than a look at it; whoever compares such plans gets their times. Lists
    // that are searched for take up to seconds.
    const bool searched = std::ranges::any_of(
        plan.pipelines, [](const Pipeline& p) { return !usesLaunchCounts(p.schedule.kind); });
    const double most = searched ? cutoff() : kNever;
    auto evaluation = evaluate(m_problem, m_table, plan,
                               {.stop = &m_interrupted, .below = Seconds(std::isfinite(most) ? most : 0.0)});
    if (!evaluation) {
        spend(1, kOwnEffort);
        if (const auto why = apart(evaluation.error()))
            reject(*why);
        return kNever; // a structure that checkPlan refuses is not in the Space
    }
    std::int64_t operations = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        operations += 4 * static_cast<std::int64_t>(pipeline.stages.size()) * pipeline.schedule.chunks *
                      pipeline.microbatches;
    ++m_evaluated;
    const std::int64_t effort = operations / 16 + 4 * kOwnEffort;
    spend(charge == Charge::One ? 1 : effort, effort);
    if (!evaluation->feasible) {
        reject(Rejection::OutOfMemory);
        return kNever;
    }
    const double iteration = evaluation->iteration.value;
    meet(plan, *evaluation, foundBy);
    if (iteration >= cutoff()) {
        reject(Rejection::SlowerThanTheBest);
        return iteration;
    }
    const bool known = std::any_of(m_kept.begin(), m_kept.end(),
                                   [&](const Kept& k) { return k.plan && k.plan->plan == plan; });
    if (!known)
        keep({iteration,
              0,
              {},
              {},
              std::make_shared<const FoundPlan>(
                  FoundPlan{std::move(plan), *std::move(evaluation), openPhases() + foundBy}),
              {}});
    return iteration;
}

double SearchRun::cutoff() const {
    return m_kept.size() == wanted() ? m_kept.back().iteration : std::numeric_limits<double>::infinity();
}

std::vector<std::shared_ptr<const FoundPlan>> SearchRun::plansKept() const {
    std::vector<std::shared_ptr<const FoundPlan>> list;
    for (const Kept& kept : m_kept)
        if (kept.plan)
            list.push_back(kept.plan);
    return list;
}

void SearchRun::note(std::string code, Wording wording) {
    m_notes.push_back({Severity::Note, std::move(code), "search", std::move(wording)});
}

void SearchRun::tell(const FoundPlan& best) {
    m_observer.found(best);
    if (m_options.trace)
        m_options.trace->happened(
            LogLevel::Debug, fmt::format("a plan of {}, found by {} after {} candidates",
                                         formatDuration(best.evaluation.iteration), best.foundBy, m_work));
}

bool SearchRun::isSame(const Kept& chain, const Kept& whole) const {
    constexpr double kAlike = 1e-9; // the same plan is judged in two ways
    if (chain.chain.empty() || !whole.chain.empty() ||
        std::abs(chain.iteration - whole.iteration) > kAlike * whole.iteration)
        return false;
    const Plan plan =
        chain.plan ? chain.plan->plan
                   : m_spaces[chain.space]->plan(chain.chain, chain.result.schedule, chain.result.launch);
    return canonicalKey(plan) == canonicalKey(whole.plan->plan);
}

void SearchRun::keep(Kept kept) {
    for (Kept& known : m_kept) {
        const bool same = isSame(known, kept);
        if (same && !known.plan) // of use to whoever goes on from kept plans
            known.plan = std::make_shared<const FoundPlan>(
                FoundPlan{kept.plan->plan, kept.plan->evaluation, known.foundBy});
        if (same || isSame(kept, known))
            return;
    }
    const auto at = std::upper_bound(m_kept.begin(), m_kept.end(), kept.iteration,
                                     [](double t, const Kept& k) { return t < k.iteration; });
    const bool first = at == m_kept.begin();
    if (first && !kept.plan)
        kept.plan = found(kept, m_interrupted);
    if (first && !kept.plan && stopped())
        return; // a best plan is shown before it counts, so that a stopped search has one to return
    const auto placed = m_kept.insert(at, std::move(kept));
    if (first) {
        m_best = placed->iteration;
        m_bestCovered = placed->chain.empty() ? placed->plan && covered(placed->plan->plan)
                                              : m_spaces[placed->space]->entersOnce(placed->chain);
        if (placed->plan)
            tell(*placed->plan);
        report(true);
    }
    if (m_kept.size() > wanted())
        m_kept.pop_back();
}

std::vector<std::shared_ptr<const FoundPlan>> SearchRun::bestPlans(std::size_t count) {
    std::vector<std::shared_ptr<const FoundPlan>> plans;
    for (Kept& kept : m_kept) {
        if (plans.size() == count)
            break;
        if (!kept.plan)
            kept.plan = found(kept, m_interrupted);
        if (kept.plan)
            plans.push_back(kept.plan);
    }
    return plans;
}

std::shared_ptr<const FoundPlan> SearchRun::found(const Kept& kept, const std::function<bool()>& stop) {
    const double begin = elapsed();
    FoundPlan plan;
    plan.plan = m_spaces[kept.space]->plan(kept.chain, kept.result.schedule, kept.result.launch);
    auto evaluation = evaluate(m_problem, m_table, plan.plan, {.keepOps = false, .stop = &stop});
    if (!evaluation)
        return nullptr;
    m_judging = elapsed() - begin;
    plan.evaluation = *std::move(evaluation);
    plan.foundBy = kept.foundBy;
    return std::make_shared<const FoundPlan>(std::move(plan));
}

} // namespace pw
