// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/moves.h"

#include <algorithm>

namespace pw {
namespace {

// One way from stage a to stage b, blocks at the ends of those between moving along.
Chain migrated(Chain chain, std::size_t a, std::size_t b, int blocks) {
    const int by = a < b ? blocks : -blocks;
    for (std::size_t x = std::min(a, b); x < std::max(a, b); ++x) {
        chain[x].first += by;
        chain[x + 1].end += by;
    }
    return chain;
}

int blocksOf(const ChainStage& stage) {
    return stage.end - stage.first;
}

} // namespace

std::vector<HaapConfig> HaapMoves::of(const HaapState& state) {
    std::vector<HaapConfig> list;
    addMigrations(state, list);
    addDevices(state, list, true);
    addExchanges(state, list, false);
    if (!state.fits()) {
        addMicrobatch(state, list, false);
        addExchanges(state, list, true);
        addMicrobatch(state, list, true);
    } else {
        addMicrobatch(state, list, true);
        addExchanges(state, list, true);
        addMicrobatch(state, list, false);
    }
    addDevices(state, list, false);
    if (m_order == HaapOrder::Random)
        for (std::size_t i = list.size(); i > 1; --i)
            std::swap(list[i - 1], list[m_random.below(i)]);
    return list;
}

namespace {

// Blocks that may go from stage a to stage b: until the bottleneck is that share of the gap above its
// partner.
std::vector<int> amounts(const HaapState& state, std::size_t a, std::size_t b) {
    const int most = blocksOf(state.config.chain[a]) - 1;
    std::vector<int> list;
    if (most < 1)
        return list;
    const double each = state.stages[a].time / blocksOf(state.config.chain[a]);
    const double gap = state.stages[a].time - state.stages[b].time;
    for (const double share : {0.4, 0.2, 0.0}) {
        const int blocks = std::clamp(static_cast<int>(std::max(0.0, (1.0 - share) * gap) / each), 1, most);
        if (std::find(list.begin(), list.end(), blocks) == list.end())
            list.push_back(blocks);
    }
    return list;
}

} // namespace

void HaapMoves::addMigrations(const HaapState& state, std::vector<HaapConfig>& out) {
    const auto a = static_cast<std::size_t>(state.bottleneck);
    std::vector<std::size_t> partners;
    for (std::size_t b = 0; b < state.config.chain.size(); ++b)
        if (b != a)
            partners.push_back(b);
    constexpr std::size_t kPartners = 3; // the idlest first
    std::stable_sort(partners.begin(), partners.end(), [&](std::size_t x, std::size_t y) {
        return state.stages[x].time < state.stages[y].time;
    });
    partners.resize(std::min(partners.size(), kPartners));
    for (const std::size_t b : partners)
        for (const int blocks : amounts(state, a, b))
            out.push_back({state.config.space, migrated(state.config.chain, a, b, blocks)});
}

// Other splits of the same devices (tp against dp), or other recompute modes of the same split.
void HaapMoves::addExchanges(const HaapState& state, std::vector<HaapConfig>& out, bool recompute) {
    const auto a = static_cast<std::size_t>(state.bottleneck);
    const ChainSpace& space = m_costs.space(state.config.space);
    const StageOption& now = space.options()[static_cast<std::size_t>(state.config.chain[a].option)];
    const OptionIndex::Size* size = m_costs.index(state.config.space).size(now.cls, now.devices);
    for (const OptionIndex::Split& split : size->splits)
        for (const int o : split.options) {
            const bool sameMode = space.options()[static_cast<std::size_t>(o)].recompute == now.recompute;
            if (o == state.config.chain[a].option || (split.tp == now.tp) != recompute ||
                (!recompute && !sameMode))
                continue;
            HaapConfig config = state.config;
            config.chain[a].option = o;
            out.push_back(std::move(config));
        }
}

// The bottleneck takes GPUs (inc dp, inc tp) or gives some up (dec); another stage of its class, or those
// that nobody uses, are the other side.
void HaapMoves::addDevices(const HaapState& state, std::vector<HaapConfig>& out, bool take) {
    const auto a = static_cast<std::size_t>(state.bottleneck);
    const ChainSpace& space = m_costs.space(state.config.space);
    const OptionIndex& index = m_costs.index(state.config.space);
    const Chain& chain = state.config.chain;
    const auto optionAt = [&](std::size_t i) -> const StageOption& {
        return space.options()[static_cast<std::size_t>(chain[i].option)];
    };
    const StageOption& now = optionAt(a);
    int used = 0;
    for (std::size_t i = 0; i < chain.size(); ++i)
        used += optionAt(i).cls == now.cls ? optionAt(i).devices : 0;
    const int unused = space.classes()[static_cast<std::size_t>(now.cls)].gpus() - used;
    // The same split of what it has now, or the nearest to it.
    const auto put = [&](HaapConfig& config, std::size_t stage, const OptionIndex::Split& split) {
        const Recompute mode = optionAt(stage).recompute;
        config.chain[stage].option = split.options.front();
        for (const int o : split.options)
            if (space.options()[static_cast<std::size_t>(o)].recompute == mode)
                config.chain[stage].option = o;
    };
    const auto nearest = [](const OptionIndex::Size& size, int tp) -> const OptionIndex::Split& {
        const OptionIndex::Split* best = &size.splits.front();
        for (const OptionIndex::Split& split : size.splits)
            if (split.tp <= tp)
                best = &split;
        return *best;
    };
    const auto add = [&](const OptionIndex::Size& size, std::size_t other, const OptionIndex::Size* rest) {
        for (const OptionIndex::Split& split : size.splits) {
            HaapConfig config = state.config;
            put(config, a, split);
            if (rest)
                put(config, other, nearest(*rest, optionAt(other).tp));
            if (settle(space, config.chain))
                out.push_back(std::move(config));
        }
    };
    constexpr int kSizes = 2; // the next ones
    int sizes = 0;
    const std::vector<OptionIndex::Size>& all = index.sizes(now.cls);
    for (std::size_t at = 0; at < all.size() && sizes < kSizes; ++at) {
        const OptionIndex::Size& size = take ? all[at] : all[all.size() - 1 - at];
        const int more = size.devices - now.devices;
        if (take ? more <= 0 : more >= 0)
            continue;
        bool possible = false;
        for (std::size_t b = 0; b < chain.size(); ++b)
            if (b != a && optionAt(b).cls == now.cls)
                if (const OptionIndex::Size* rest = index.size(now.cls, optionAt(b).devices - more)) {
                    add(size, b, rest);
                    possible = true;
                }
        if (more <= unused) {
            add(size, a, nullptr);
            possible = true;
        }
        sizes += possible ? 1 : 0;
    }
}

void HaapMoves::addMicrobatch(const HaapState& state, std::vector<HaapConfig>& out, bool larger) {
    const std::size_t s = state.config.space;
    if (larger ? s + 1 >= m_costs.spaces() : s == 0)
        return;
    HaapConfig config;
    config.space = larger ? s + 1 : s - 1;
    for (ChainStage stage : state.config.chain) {
        const StageOption& now = m_costs.space(s).options()[static_cast<std::size_t>(stage.option)];
        stage.option = m_costs.index(config.space).option(now.cls, now.devices, now.tp, now.recompute);
        if (stage.option < 0)
            return;
        config.chain.push_back(stage);
    }
    out.push_back(std::move(config));
}

} // namespace pw
