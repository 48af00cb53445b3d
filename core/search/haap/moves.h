// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/search/haap/state.h"

#include <vector>

namespace pw {

// In which order, and by how much, a search changes a candidate.
enum class HaapOrder {
    Guided, // by the load-balancing estimator
    Fixed,  // as Aceso's table of resources has the primitives
    Random, // those of the fixed order, shuffled
};

// The primitives, each of which relieves the bottleneck of a candidate: blocks migrate to another stage (the
// stages between hand theirs on), GPUs come from another stage of the class or from those that are unused, go
// to another stage or are given up, tensor and data parallelism are exchanged, recompute and the micro-batch
// size change. All of them stay inside the Space.
//
// The estimator predicts a candidate from lines through the costs of each stage on its own kind of GPU. With
// marginal costs dt of a block, moving x blocks from a to b makes the slower of the two
//
//     max(t_a - x dt_a, t_b + x dt_b),   least at   x* = (t_a - t_b) / (dt_a + dt_b)
//
// rounded both ways and clamped to what fits into b. Moves are ordered by the time that they are predicted to
// bring, per unit of memory that they overdraw.
class HaapMoves {
public:
    HaapMoves(HaapCosts& costs, HaapOrder order, std::uint64_t seed)
        : m_costs(costs), m_order(order), m_random(seed) {}

    std::vector<HaapConfig> of(const HaapState& state);

private:
    void addMigrations(const HaapState& state, std::vector<HaapConfig>& out);
    void addExchanges(const HaapState& state, std::vector<HaapConfig>& out, bool recompute);
    void addDevices(const HaapState& state, std::vector<HaapConfig>& out, bool take);
    void addMicrobatch(const HaapState& state, std::vector<HaapConfig>& out, bool larger);
    std::vector<int> amounts(const HaapState& state, std::size_t a, std::size_t b);
    void sortByGain(const HaapState& state, std::vector<HaapConfig>& list);

    HaapCosts& m_costs;
    HaapOrder m_order;
    Random m_random;
};

} // namespace pw
