// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/search/chain.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>

namespace pw {

// What every planner's run has: its budget, the best plans so far, and the observer. Work is counted in
// evaluated stage candidates; simulated operations count as a sixteenth each, which is about what they take.
class SearchRun {
public:
    SearchRun(const Problem& problem, const SearchOptions& options, std::int64_t defaultWork,
              SearchObserver& observer, std::stop_token stop);

    const Problem& problem() const { return m_problem; }
    const CostTable& table() const { return m_table; }
    const std::vector<std::unique_ptr<ChainSpace>>& spaces() const { return m_spaces; }

    // Counts work; true once the search must end (work, time or stop). Cheap: looks at the clock every 256
    // calls.
    bool spend(std::int64_t work);
    bool over() const { return m_over; }
    std::int64_t work() const { return m_work; }
    std::int64_t workLimit() const { return m_limit; }
    bool stopped() const { return m_stop.stop_requested() || m_timeUp; }
    void reject(const char* reason) { ++m_rejected[reason]; }

    // Simulates a chain and keeps it if it belongs to the best. Returns its time, or infinity.
    double consider(std::size_t space, const Chain& chain);
    // Keeps a plan that somebody else evaluated; an infeasible one is only counted.
    void consider(FoundPlan plan);
    double best() const { return m_best; } // infinity before the first plan
    void setBound(const Bound& bound);

    // The finished outcome: the best plans evaluated in full. `complete`: nothing in the Space was left out.
    SearchOutcome finish(bool complete);

private:
    struct Kept {
        double iteration = 0.0;
        std::size_t space = 0;
        Chain chain;
        ChainResult result;
        std::shared_ptr<const FoundPlan> plan; // instead of the chain, where it was evaluated outside
    };
    void keep(Kept kept);
    void report(bool force);
    std::optional<FoundPlan> found(const Kept& kept) const; // nothing if evaluate() refuses the plan
    std::size_t wanted() const { return static_cast<std::size_t>(std::max(1, m_options.top)); }
    double elapsed() const;

    const Problem& m_problem;
    const SearchOptions& m_options;
    SearchObserver& m_observer;
    std::stop_token m_stop;
    CostTable m_table;
    std::vector<std::unique_ptr<ChainSpace>> m_spaces;
    std::vector<ChainEvaluator> m_evaluators;
    std::vector<Kept> m_kept; // best first
    std::map<std::string, std::int64_t> m_rejected;
    Bound m_bound;
    std::chrono::steady_clock::time_point m_begin;
    double m_best;
    double m_lastReport = 0.0;
    std::int64_t m_work = 0, m_limit, m_evaluated = 0, m_operations = 0, m_calls = 0;
    bool m_over = false, m_timeUp = false;
};

} // namespace pw
