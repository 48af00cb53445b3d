// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/search/haap/state.h"

#include <vector>

namespace pw {

// In which order a search changes a candidate.
enum class HaapOrder {
    Fixed,  // as Aceso's table of resources has the primitives
    Random, // those of the fixed order, shuffled; for tests
};

// The primitives, each of which relieves the bottleneck of a candidate: blocks migrate to another stage (the
// stages between hand theirs on), GPUs come from another stage of the class or from those that are unused, go
// to another stage or are given up, tensor and data parallelism are exchanged, recompute and the micro-batch
// size change. All of them stay inside the Space.
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

    HaapCosts& m_costs;
    HaapOrder m_order;
    Random m_random;
};

} // namespace pw
