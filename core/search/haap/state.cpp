// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/state.h"

#include "core/search/haap/memory_floor.h"

#include <algorithm>

namespace pw {
namespace {

// Sums and maxima over the stages of a chain, front to back, whatever their costs come from.
struct Total {
    explicit Total(int microbatches) : m_microbatches(microbatches) {}

    // `front`: stages in front of it are there already; `send`: behind it.
    void add(double time, double backward, double send, double sync, double optimizer) {
        m_sum += time + 2.0 * send;
        m_period = std::max({m_period, time, send});
        // Stages behind end their last backward pass earlier: by what the gradients still have to pass.
        m_exposed = std::max(m_exposed, sync - m_ahead);
        m_ahead += backward + send;
        m_optimizer = std::max(m_optimizer, optimizer);
    }
    double time() const { return m_sum + (m_microbatches - 1) * m_period + m_exposed + m_optimizer; }

private:
    int m_microbatches;
    double m_sum = 0.0, m_period = 0.0, m_exposed = 0.0, m_ahead = 0.0, m_optimizer = 0.0;
};

} // namespace

bool better(const HaapState& a, const HaapState& b) {
    constexpr double kClearly = 1.0 - 1e-9;
    if (a.fits() && b.fits())
        return a.time < b.time * kClearly;
    return a.overflow < b.overflow * kClearly;
}

HaapCosts::HaapCosts(SearchRun& run, bool cached) : m_run(run), m_cached(cached) {
    for (const auto& space : run.spaces()) {
        m_indexes.push_back(std::make_unique<OptionIndex>(*space));
        m_lines.emplace_back(4 * space->options().size());
    }
}

int HaapCosts::held(std::size_t s, std::size_t fromEnd) const {
    return leastInFlight(m_run.problem().space(), space(s).microbatches(), static_cast<int>(fromEnd));
}

const StageLine& HaapCosts::line(std::size_t s, int option, bool embedding, bool head) {
    auto& known = m_lines[s][4 * static_cast<std::size_t>(option) + (embedding ? 1U : 0U) + (head ? 2U : 0U)];
    if (!known)
        known = std::make_unique<StageLine>(wholeStageLine(space(s), option, embedding, head));
    return *known;
}

StageWeights HaapCosts::fresh(std::size_t s, const ChainStage& stage) {
    const ChainSpace& in = space(s);
    const Problem& problem = m_run.problem();
    const StageOption& option = in.options()[static_cast<std::size_t>(stage.option)];
    const auto devices = in.devices(option, stage.position);
    StageCost cost;
    if (m_cached) {
        cost = option.costs->blocks(stage.first, stage.end, option.copies(), option.zero);
    } else {
        const ConfigCosts costs(problem, option.config);
        m_run.countOperators(costs.operators());
        cost = costs.blocks(stage.first, stage.end, option.copies(), option.zero);
    }
    StageWeights w;
    w.time = cost.total();
    w.backward = cost.backward;
    w.sync = syncTraffic(problem, devices, option.zero, cost).alone().value;
    w.optimizer = cost.optimizer;
    w.fixedMemory = memoryTotal(problem, cost, 0.0);
    w.kept = cost.kept;
    return w;
}

StageWeights HaapCosts::weights(std::size_t s, const ChainStage& stage) {
    if (!m_cached)
        return fresh(s, stage);
    const StageKey key{(static_cast<std::uint64_t>(s) << 32U) + static_cast<std::uint64_t>(stage.option),
                       (static_cast<std::uint64_t>(stage.position) << 32U) +
                           (static_cast<std::uint64_t>(stage.first) << 16U) +
                           static_cast<std::uint64_t>(stage.end)};
    const auto [at, isNew] = m_stages.try_emplace(key);
    m_run.countCache(!isNew);
    if (isNew)
        at->second = fresh(s, stage);
    return at->second;
}

HaapState HaapCosts::state(HaapConfig config, const HaapState* parent) {
    HaapState state;
    const ChainSpace& in = space(config.space);
    const Chain& chain = config.chain;
    const std::size_t n = chain.size();
    const bool delta = m_cached && parent != nullptr && parent->config.space == config.space &&
                       parent->config.chain.size() == n;
    std::vector<bool> same(n, false);
    state.stages.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        same[i] = delta && parent->config.chain[i] == chain[i];
        if (same[i])
            m_run.countCache(true);
        state.stages.push_back(same[i] ? parent->stages[i] : weights(config.space, chain[i]));
    }
    for (std::size_t i = 0; i + 1 < n; ++i)
        state.sends.push_back(same[i] && same[i + 1] ? parent->sends[i]
                                                     : in.send(chain[i + 1], chain[i]).time);
    Total total(in.microbatches());
    double slowest = 0.0, lacking = 0.0;
    for (std::size_t i = n; i-- > 0;) {
        const StageWeights& w = state.stages[i];
        total.add(w.time, w.backward, i > 0 ? state.sends[i - 1] : 0.0, w.sync, w.optimizer);
        const double capacity = in.capacity(in.options()[static_cast<std::size_t>(chain[i].option)]);
        const double lacks = (w.fixedMemory + w.kept * held(config.space, i)) / capacity - 1.0;
        if (lacks > 0.0)
            state.overflow += lacks;
        if (lacks > lacking || (lacking <= 0.0 && w.time > slowest))
            state.bottleneck = static_cast<int>(i);
        lacking = std::max(lacking, lacks);
        slowest = std::max(slowest, w.time);
    }
    state.time = total.time();
    state.config = std::move(config);
    return state;
}

HaapCosts::Prediction HaapCosts::predict(const HaapConfig& config) {
    const ChainSpace& in = space(config.space);
    const Chain& chain = config.chain;
    const std::size_t n = chain.size();
    Total total(in.microbatches());
    Prediction prediction;
    for (std::size_t i = n; i-- > 0;) {
        const StageLine& l = line(config.space, chain[i].option, i + 1 == n, i == 0);
        const double blocks = chain[i].end - chain[i].first;
        const double time = l.time(blocks);
        constexpr double kBackward = 2.0 / 3.0; // of it, about
        total.add(time, kBackward * time, i > 0 ? in.send(chain[i], chain[i - 1]).time : 0.0, l.tail(blocks),
                  0.0);
        const int inFlight = held(config.space, i);
        const double needs =
            l.fixedBase + blocks * l.fixedBlock + inFlight * (l.keptBase + blocks * l.keptBlock);
        prediction.overflow += std::max(0.0, (needs - l.room) / l.room);
    }
    prediction.time = total.time();
    return prediction;
}

} // namespace pw
