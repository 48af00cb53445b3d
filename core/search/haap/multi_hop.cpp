// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/multi_hop.h"

#include <algorithm>

namespace pw {
namespace {

constexpr int kHops = 7;
constexpr std::size_t kWidth = 3; // candidates of a hop that are gone on from
constexpr int kExpansions = 48;   // of a trial
constexpr double kWorth = 1.2;    // times the best: no further from it
constexpr std::size_t kRemembered = 64;

double badness(const HaapState& state) {
    return state.time * (1.0 + 10.0 * state.overflow);
}

} // namespace

bool MultiHop::unseen(const HaapConfig& config) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL + config.space;
    const auto mix = [&hash](int value) { hash = Random(hash ^ static_cast<std::uint64_t>(value)).next(); };
    for (const ChainStage& stage : config.chain) {
        mix(stage.option);
        mix(stage.first);
        mix(stage.position);
    }
    return m_seen.insert(hash).second;
}

void MultiHop::remember(const HaapState& state) {
    if (!state.fits() || (m_best.size() == kRemembered && state.time >= std::prev(m_best.end())->first))
        return;
    m_best.emplace(state.time, state.config);
    if (m_best.size() > kRemembered)
        m_best.erase(std::prev(m_best.end()));
}

std::optional<HaapState> MultiHop::hop(const HaapState& trial, const HaapState& from, int depth) {
    if (depth == kHops || over() || ++m_expansions > kExpansions)
        return std::nullopt;
    std::vector<HaapState> children;
    for (HaapConfig& config : m_moves.of(from)) {
        if (over())
            return std::nullopt;
        if (!unseen(config))
            continue;
        m_costs.run().spend(static_cast<std::int64_t>(config.chain.size()));
        HaapState child = m_costs.state(std::move(config), &from);
        remember(child);
        if (better(child, trial))
            return child;
        if (badness(child) < kWorth * badness(trial))
            children.push_back(std::move(child));
    }
    for (std::size_t i = 0; i < children.size(); ++i) {
        if (i >= kWidth) {
            m_unexplored.emplace(badness(children[i]), std::move(children[i]));
            continue;
        }
        if (auto found = hop(trial, children[i], depth + 1)) {
            for (std::size_t rest = i + 1; rest < children.size(); ++rest)
                m_unexplored.emplace(badness(children[rest]), std::move(children[rest]));
            return found;
        }
    }
    return std::nullopt;
}

HaapState MultiHop::search(HaapConfig start, std::int64_t until) {
    m_until = until;
    m_unexplored.clear();
    unseen(start);
    m_costs.run().spend(static_cast<std::int64_t>(start.chain.size()));
    HaapState best = m_costs.state(std::move(start));
    remember(best);
    HaapState trial = best;
    while (!over()) {
        m_expansions = 0;
        if (auto found = hop(trial, trial, 0)) {
            trial = *std::move(found);
            if (better(trial, best))
                best = trial;
            continue;
        }
        if (m_unexplored.empty() || m_unexplored.begin()->first > kWorth * badness(best))
            break;
        trial = std::move(m_unexplored.extract(m_unexplored.begin()).mapped());
    }
    return best;
}

} // namespace pw
