// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/search/met_plans.h"
#include "core/search/search.h"
#include "core/search/space/chain.h"
#include "core/search/space/coverage.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>

namespace pw {

// What every planner's run has: its budget, the best plans so far, and the observer. Work is counted in
// evaluated stage candidates; simulated operations count as a sixteenth each, which is about what they take.
class SearchRun {
public:
    // How the planner lets replicas share sequences and experts: not at all, or as the Space has it, from
    // buildSpaces() on.
    enum class Share { Nothing, AsAllowed, AsAllowedLater };
    SearchRun(const Problem& problem, const SearchOptions& options, std::int64_t defaultWork,
              SearchObserver& observer, std::stop_token stop, Share share = Share::Nothing);

    const Problem& problem() const { return m_problem; }
    const CostTable& table() const { return m_table; }
    const ChainSpaces& spaces() const { return m_spaces; }
    // One before the others, and its place among spaces() until there are all.
    std::size_t addSpace(std::int64_t microbatchSize, const Sharing& sharing);
    void buildSpaces();

    SearchRun(const SearchRun&) = delete;
    SearchRun& operator=(const SearchRun&) = delete;

    // From here to the end of the value's life what is done and found belongs to the phase of this name,
    // which lies within those that are open. Names are literals.
    class InPhase {
    public:
        InPhase(SearchRun& run, const char* name);
        ~InPhase();
        InPhase(const InPhase&) = delete;
        InPhase& operator=(const InPhase&) = delete;

        // Another search's run, on a thread of its own.
        void add(const SearchOutcome& other) { m_traced.add(other.wall, other.phases); }

    private:
        SearchRun& m_run;
        pw::InPhase m_traced;
        std::int64_t m_before;
    };
    [[nodiscard]] InPhase phase(const char* name) { return InPhase(*this, name); }

    // Counts work; true once the search must end (work, time or stop). Looks at the clock after every 256
    // units of effort; `effort` is the work unless what was done took longer than that says.
    bool spend(std::int64_t work) { return spend(work, work); }
    bool spend(std::int64_t work, std::int64_t effort);
    // Looks at the clock and the stop at once; for what takes long inside.
    const std::function<bool()>& interrupted() const { return m_interrupted; }
    bool over() const { return m_over; }
    // Of all that the search may do, with what it asks others for; at first the run's own limit. 0: not
    // known.
    void setTotal(std::int64_t work);
    // Tells the observer of work that others have done for this run so far, all of it. Only while the run
    // itself waits for them; by one of their threads at a time. Once they have ended it is spent.
    void reportOthers(std::int64_t work) {
        m_ahead = work;
        report(false);
    }
    void spendOthers(std::int64_t work) { // what one of them has done
        m_ahead = std::max<std::int64_t>(0, m_ahead - work);
        spend(work, 0);
    }
    std::int64_t work() const { return m_work; }
    std::int64_t workLimit() const { return m_limit; }
    bool stopped() const { return m_stop.stop_requested() || m_timeUp; }
    void reject(Rejection reason, std::int64_t candidates = 1) { m_rejected[reason] += candidates; }
    // What a planner with caches of its own, or without any, adds to what the cost table counts.
    void countCache(bool hit) {
        ++m_cacheLookups;
        m_cacheHits += hit ? 1 : 0;
    }
    void countOperators(std::int64_t evaluated) { m_operators += evaluated; }

    // Simulates a chain and keeps it if it belongs to the best. Returns its time, or infinity.
    double consider(std::size_t space, const Chain& chain);
    // Evaluates a plan and keeps it if it belongs to the best; an infeasible one is only counted. Returns its
    // time, or infinity if it does not fit, is none of this problem, or has a schedule that need not be
    // searched for since the plan takes cutoff() without it.
    enum class Charge { Operations, One }; // work: what the simulation took, or one candidate whatever it did
    double consider(Plan plan, Charge charge = Charge::Operations);
    // The same for what another search has found, charged as one candidate; its phases stand behind ours.
    double consider(const FoundPlan& found);
    // What might be wanted for what sets it apart, though it is none of the best. No work is counted: another
    // search has found it, or a planner has gone by about what the chain takes.
    void meet(const FoundPlan& found);
    void guess(const ChainSpace& space, const Chain& chain, double about);
    double best() const { return m_best; } // infinity before the first plan
    std::shared_ptr<const FoundPlan> bestPlan() const {
        return m_kept.empty() ? nullptr : m_kept.front().plan;
    }
    double cutoff() const; // a plan that takes so long is not among the best; infinity while there is room
    void setBound(const Bound& bound);
    // A bound over the Space of a levelled drawing that is nowhere narrower (levelled.h): for a best plan of
    // that Space of which those over this one do not speak.
    void setLevelBound(std::shared_ptr<const Problem> level, const Bound& bound);
    // Computes the launch-count bound over the whole Space, up to the best plan so far if that is one that it
    // covers, and sets it if it is higher than the one before. Not where the bound is left out.
    void proveBound();

    // Whether the plan belongs to what bounds over the Space speak of: chains, uniform grids, and what wider
    // axes allow.
    bool covered(const Plan& plan) const;
    // All uniform grids that might be faster than the best plan have been considered.
    void settleGrids() { m_gridsSettled = true; }
    // Likewise all plans of one stage with further sharding (sharded_stages.h).
    void settleSharded();
    // The best plans so far, best first, those that were judged as plans only.
    std::vector<std::shared_ptr<const FoundPlan>> plansKept() const;
    // At most so many of the best ones, judged as plans where they were chains so far.
    std::vector<std::shared_ptr<const FoundPlan>> bestPlans(std::size_t count);
    Seconds bound() const { return m_bound.value; }
    double elapsed() const; // s

    void note(std::string code, Wording wording); // for SearchOutcome::notes

    // What has come to its end: nothing; a search by another objective than iteration_s; everything that the
    // planner searches by design, judged by iteration_s; the whole Space.
    enum class Settled { Nothing, OwnSearch, OwnSpace, Space };
    // The finished outcome: the best plans evaluated in full.
    SearchOutcome finish(Settled settled);
    SearchOutcome finish(bool complete) { return finish(complete ? Settled::Space : Settled::Nothing); }

private:
    using Kept = MetPlan;
    static constexpr const char* kWithin = " / "; // between phases
    double consider(Plan plan, Charge charge, const std::string& foundBy);
    std::string openPhases() const; // "other planners / haap"
    Seconds bestSeconds() const { return Seconds(m_kept.empty() ? 0.0 : m_best); }
    void keep(Kept kept);
    bool isSame(const Kept& chain, const Kept& whole) const; // a chain, and a plan that was made otherwise
    void tell(const FoundPlan& best);                        // who observes and who traces
    void trace(const Bound& bound) const;
    void report(bool force);
    bool isChain(const Plan& plan, ChainOrder order = ChainOrder::Filled) const; // of any of spaces()
    // What the bound proves of the whole Space, uniform grids and plans of one stage with it.
    Bound boundWithGrids(const std::vector<FoundPlan>& plans);
    // The bound of the levelled drawing for the plan, no higher than the one over this Space; none where the
    // plan is of neither.
    Bound boundOfLevel(const Plan& plan) const;
    // The capacity bound if it holds for the first of the plans.
    Bound boundOfAnyShape(const std::vector<FoundPlan>& plans) const;
    // Nothing if evaluate() refuses the plan or is stopped.
    std::shared_ptr<const FoundPlan> found(const Kept& kept, const std::function<bool()>& stop);
    // What was just simulated of a chain, the slower schedules with it. `foundBy`: empty: the open phases.
    void meetTrials(std::size_t space, const Chain& chain, const std::string& foundBy = {});
    void meet(const Plan& plan, const Evaluation& evaluation, const std::string& foundBy);
    // The best plan only gets faster: what is too slow beside it now is never wanted.
    bool isWorthMeeting(double iteration) const { return iteration <= kMostTime * m_best; }
    // Those that were met and differ from the fastest plan, as far as there is time (`soon`) and nothing
    // stops it (`late`).
    std::vector<FoundPlan> differingFrom(const FoundPlan& fastest, const std::function<bool()>& soon,
                                         const std::function<bool()>& late);
    std::size_t wanted() const { return static_cast<std::size_t>(std::max(1, m_options.top)); }

    const Problem& m_problem;
    const SearchOptions& m_options;
    SearchObserver& m_observer;
    std::stop_token m_stop;
    const std::function<bool()> m_interrupted;
    CostTable m_table;
    std::vector<Sharing> m_sharings;
    ChainSpaces m_spaces;
    std::vector<ChainEvaluator> m_evaluators;
    std::vector<Kept> m_kept; // best first
    MetPlans m_met;
    Rejections m_rejected;
    Diagnostics m_notes;
    std::vector<const char*> m_phases; // open ones
    Bound m_bound;
    bool m_bestCovered = true;              // by m_bound
    std::shared_ptr<const Problem> m_level; // null: none
    Bound m_levelBound;                     // over its Space
    bool m_gridsSettled = false, m_shardedSettled = false;
    const Clock& m_clock;
    const double m_begin; // s
    double m_best;
    double m_lastReport = 0.0;
    double m_judging = 0.0; // s: what making and evaluating a plan took last
    std::int64_t m_work = 0, m_limit, m_total, m_evaluated = 0, m_effort = 0;
    std::int64_t m_ahead = 0; // work that was told and is not spent yet
    std::int64_t m_cacheLookups = 0, m_cacheHits = 0, m_operators = 0;
    std::atomic<bool> m_over = false, m_timeUp = false; // asked and set from the bound's threads too
};

} // namespace pw
