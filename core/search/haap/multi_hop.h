// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/haap/moves.h"

#include <map>
#include <optional>
#include <unordered_set>

namespace pw {

// Aceso's multi-hop search (EuroSys 2024), which is published: from a candidate, primitives for its
// bottleneck are tried depth-first, up to 7 hops, until one is better than where the trial began; then the
// next trial begins there. Candidates seen before are not looked at again. A trial that ends without success
// leaves what it did not explore and what is not 20 % worse than the best; the search restarts from the best
// of those.
class MultiHop {
public:
    MultiHop(HaapCosts& costs, HaapMoves& moves) : m_costs(costs), m_moves(moves) {}

    // Searches from `start` until the run's work reaches `until`, the run is over or nothing is left. The
    // best candidate that it came to.
    HaapState search(HaapConfig start, std::int64_t until);

    // The best candidates that fit of all searches so far, by time.
    const std::multimap<double, HaapConfig>& best() const { return m_best; }

private:
    std::optional<HaapState> hop(const HaapState& trial, const HaapState& from, int depth);
    bool unseen(const HaapConfig& config);
    void remember(const HaapState& state);
    bool over() const { return m_costs.run().over() || m_costs.run().work() >= m_until; }

    HaapCosts& m_costs;
    HaapMoves& m_moves;
    std::int64_t m_until = 0;
    int m_expansions = 0; // of this trial
    std::unordered_set<std::uint64_t> m_seen;
    std::multimap<double, HaapState> m_unexplored; // of this search, by how bad they are
    std::multimap<double, HaapConfig> m_best;
};

} // namespace pw
