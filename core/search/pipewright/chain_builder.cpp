// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/chain_builder.h"

#include "core/base/quantity.h"
#include "core/search/space/stage_line.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

// A chain without its front.
struct Partial {
    double bound = 0.0; // V: launch-count bound of the stages so far
    double score = 0.0; // blocks that the rest may hold beyond those left, by price
    int launch = 0;
    int blocksLeft = 0;
    int stages = 0;
    int cls = -1;
    std::vector<int> used; // per class
    ChainStage stage;      // the front one
    std::int32_t behind = -1;
};

// Builds chains that may end by a deadline, best first at every number of layers left.
class ChainBuilder {
public:
    ChainBuilder(SearchRun& run, const ChainSearch& search)
        : m_run(run), m_space(*run.spaces()[search.space]), m_prices(search.prices),
          m_deadline(search.deadline), m_launch(search.launch),
          m_width(static_cast<std::size_t>(search.width)), m_perState(std::max(2, search.width / 12)) {}

    // Finished chains, least bound first.
    std::vector<Chain> build() {
        m_levels.assign(static_cast<std::size_t>(m_space.blocks()) + 1, {});
        measureOptions();
        Partial empty;
        empty.blocksLeft = m_space.blocks();
        empty.used.assign(m_space.classes().size(), 0);
        m_arena.push_back(empty);
        extend(0);
        for (int left = m_space.blocks() - 1; left > 0 && !m_run.over(); --left) {
            std::vector<std::int32_t> level = choose(m_levels[static_cast<std::size_t>(left)]);
            for (const std::int32_t at : level)
                extend(at);
        }
        std::vector<std::int32_t>& done = m_levels.front();
        std::stable_sort(done.begin(), done.end(), [&](std::int32_t a, std::int32_t b) {
            return m_arena[static_cast<std::size_t>(a)].bound < m_arena[static_cast<std::size_t>(b)].bound;
        });
        std::vector<Chain> chains;
        for (std::size_t i = 0; i < done.size() && i < m_width; ++i)
            chains.push_back(chainOf(done[i]));
        return chains;
    }

private:
    struct Line {
        StageLine plain, withHead;
    };

    // Every option as a line in its blocks, and the least time that a block costs anywhere.
    void measureOptions() {
        m_leastBlock = kNever;
        for (int o = 0; o < static_cast<int>(m_space.options().size()); ++o) {
            m_lines.push_back({stageLine(m_space, o, false, false), stageLine(m_space, o, false, true)});
            m_leastBlock = std::min(m_leastBlock, m_lines.back().plain.timeBlock);
        }
    }

    std::vector<std::int32_t> choose(std::vector<std::int32_t>& level) const {
        std::stable_sort(level.begin(), level.end(), [&](std::int32_t a, std::int32_t b) {
            return m_arena[static_cast<std::size_t>(a)].score > m_arena[static_cast<std::size_t>(b)].score;
        });
        std::vector<std::int32_t> kept;
        for (const std::int32_t at : level) {
            const Partial& p = m_arena[static_cast<std::size_t>(at)];
            const auto same = std::count_if(kept.begin(), kept.end(), [&](std::int32_t k) {
                const Partial& o = m_arena[static_cast<std::size_t>(k)];
                return o.used == p.used && o.cls == p.cls;
            });
            if (same < m_perState)
                kept.push_back(at);
            if (kept.size() == m_width)
                break;
        }
        return kept;
    }

    // How a partial chain stands: the blocks that its unused devices are worth and the time still free,
    // against those left.
    double scoreOf(const Partial& p) const {
        double worth = 0.0;
        for (std::size_t c = 0; c < p.used.size(); ++c)
            worth += m_prices[c] * (m_space.classes()[c].gpus() - p.used[c]);
        const double spent = p.bound / m_deadline;
        const double done = static_cast<double>(m_space.blocks() - p.blocksLeft);
        return worth - p.blocksLeft + 0.1 * (done - spent * m_space.blocks());
    }

    // Of the options that take the same devices only two go on: the one that holds most blocks, and the
    // fastest of those that hold nearly as many.
    void extend(std::int32_t at) {
        const Partial base = m_arena[static_cast<std::size_t>(at)];
        if (base.stages >= m_space.maxStages())
            return;
        const auto& options = m_space.options();
        for (std::size_t o = 0; o < options.size() && !m_run.over();) {
            const StageOption& first = options[o];
            std::size_t end = o;
            while (end < options.size() && options[end].cls == first.cls &&
                   options[end].devices == first.devices)
                ++end;
            const int used = base.used[static_cast<std::size_t>(first.cls)];
            if ((first.cls == base.cls || used == 0) && m_space.placeOf(first, used) >= 0)
                growBest(base, at, o, end);
            o = end;
        }
    }

    void growBest(const Partial& base, std::int32_t at, std::size_t first, std::size_t end) {
        m_run.spend(1);
        const Boundary boundary = boundaryOf(base, first);
        int most = 0;
        m_holds.clear();
        for (std::size_t o = first; o < end; ++o) {
            // Transfers differ little between ways to use the same devices: the first one's stands for all
            // here.
            m_holds.push_back(mostBlocks(static_cast<int>(o), base, boundary.send, boundary.inFlight));
            most = std::max(most, m_holds.back());
        }
        if (most == 0) {
            m_run.reject(Rejection::OverTimeOrMemory);
            return;
        }
        std::size_t widest = end, fastest = end;
        const auto blockTime = [&](std::size_t o) { return m_lines[o].plain.timeBlock; };
        for (std::size_t o = first; o < end; ++o) {
            const int holds = m_holds[o - first];
            if (holds == most && (widest == end || blockTime(o) < blockTime(widest)))
                widest = o;
            if (holds >= std::max(1, most - 1) && (fastest == end || blockTime(o) < blockTime(fastest)))
                fastest = o;
        }
        grow(base, at, static_cast<int>(widest));
        if (fastest != widest)
            grow(base, at, static_cast<int>(fastest));
    }

    int positionOf(const Partial& base, const StageOption& option) const {
        return m_space.placeOf(option, base.used[static_cast<std::size_t>(option.cls)]);
    }

    struct Boundary {
        double send = 0.0;
        int launch = 1, inFlight = 1;
    };
    Boundary boundaryOf(const Partial& base, std::size_t option) const {
        Boundary boundary;
        if (base.stages > 0) {
            ChainStage stage;
            stage.option = static_cast<int>(option);
            stage.position = positionOf(base, m_space.options()[option]);
            const ChainSpace::Send& send = m_space.send(stage, base.stage);
            boundary.send = send.time;
            boundary.launch = base.launch + 1;
            if (m_launch != ChainSearch::Launch::One && !send.inNode)
                boundary.launch =
                    base.launch + h1f1bDelta(m_launch == ChainSearch::Launch::Ceil ? LaunchRule::Ceil
                                                                                   : LaunchRule::Artifact,
                                             send.time, m_deadline / m_space.microbatches(),
                                             m_space.microbatches());
        }
        boundary.inFlight = std::min(boundary.launch, m_space.microbatches());
        return boundary;
    }

    // No stage of this option holds more blocks: linear in the cheapest block.
    int mostBlocks(int optionIndex, const Partial& base, double send, int inFlight) const {
        const Line& both = m_lines[static_cast<std::size_t>(optionIndex)];
        const StageLine& line = base.stages == 0 ? both.withHead : both.plain;
        const double limit =
            std::min(m_deadline / m_space.microbatches(), m_deadline - 2.0 * send - base.bound);
        double most = std::floor(line.most(limit, 1.0, 0.0, inFlight) * (1.0 + 1e-9));
        if (base.blocksLeft - most < m_space.leadBlocks() && most >= 0.0)
            most += m_space.leadBlocks(); // which may take nothing
        return most <= 0.0 ? 0
                           : static_cast<int>(
                                 std::min(most * (1.0 + 1e-9) + 1e-9, static_cast<double>(base.blocksLeft)));
    }

    // Blocks that such a stage has to recompute; all of them (0) where the option has one mode.
    int recomputedBlocks(int optionIndex, const Partial& base, int blocks, int inFlight) const {
        const Line& both = m_lines[static_cast<std::size_t>(optionIndex)];
        const StageLine& line = base.stages == 0 ? both.withHead : both.plain;
        if (line.lighterBlock <= 0.0)
            return 0;
        const int least = static_cast<int>(std::ceil(line.recomputed(blocks, inFlight) * (1.0 - 1e-9)));
        return std::max(1, least) >= blocks ? 0 : std::max(1, least);
    }

    // The most blocks that this option takes within the deadline and memory, and one fewer.
    void grow(const Partial& base, std::int32_t at, int optionIndex) {
        const StageOption& option = m_space.options()[static_cast<std::size_t>(optionIndex)];
        Partial next;
        next.stage.option = optionIndex;
        next.stage.end = base.blocksLeft;
        next.stage.position = positionOf(base, option);
        const auto [send, launch, inFlight] = boundaryOf(base, static_cast<std::size_t>(optionIndex));
        next.launch = launch;
        // As few blocks recomputed as the estimate says, or one more: it forgets the embedding.
        const auto fitsWith = [&, send = send, inFlight = inFlight](int blocks, int recomputed) {
            m_run.spend(1);
            next.stage.first = base.blocksLeft - blocks;
            next.stage.recomputed = recomputed;
            const StageCost cost = m_space.cost(next.stage);
            next.bound =
                std::max(m_space.microbatches() * cost.total(), cost.total() + 2.0 * send + base.bound);
            return next.bound + std::max(0, base.blocksLeft - blocks - m_space.leadBlocks()) * m_leastBlock <=
                       m_deadline &&
                   memoryTotal(m_space.problem(), cost, inFlight) <= m_space.capacity(option);
        };
        const auto fits = [&, inFlight = inFlight](int blocks) {
            const int few = recomputedBlocks(optionIndex, base, blocks, inFlight);
            return fitsWith(blocks, few) || (few > 0 && fitsWith(blocks, few + 1 < blocks ? few + 1 : 0));
        };
        int low = mostBlocks(optionIndex, base, send, inFlight);
        while (low > 0 && !fits(low))
            --low; // the estimate takes the cheapest blocks and forgets the embedding
        if (low == 0) {
            m_run.reject(Rejection::OverTimeOrMemory);
            return;
        }
        next.cls = option.cls;
        next.stages = base.stages + 1;
        next.behind = at;
        next.used = base.used;
        next.used[static_cast<std::size_t>(option.cls)] = next.stage.position + option.devices;
        for (int blocks = low; blocks >= std::max(1, low - 1); --blocks) {
            if (!fits(blocks))
                continue;
            Partial grown = next;
            grown.blocksLeft = base.blocksLeft - blocks;
            grown.score = scoreOf(grown);
            m_levels[static_cast<std::size_t>(grown.blocksLeft)].push_back(
                static_cast<std::int32_t>(m_arena.size()));
            m_arena.push_back(std::move(grown));
        }
    }

    Chain chainOf(std::int32_t at) const {
        Chain chain;
        for (; at > 0; at = m_arena[static_cast<std::size_t>(at)].behind)
            chain.push_back(m_arena[static_cast<std::size_t>(at)].stage);
        std::reverse(chain.begin(), chain.end());
        return chain;
    }

    SearchRun& m_run;
    const ChainSpace& m_space;
    const std::vector<double>& m_prices;
    double m_deadline;
    ChainSearch::Launch m_launch;
    std::size_t m_width;
    std::ptrdiff_t m_perState; // partial chains with the same devices used
    double m_leastBlock = 0.0;
    std::vector<Line> m_lines; // by option
    std::vector<int> m_holds;  // most blocks of the options in question
    std::vector<Partial> m_arena;
    std::vector<std::vector<std::int32_t>> m_levels; // by blocks left
};

} // namespace

std::vector<Chain> buildChains(SearchRun& run, const ChainSearch& search) {
    return ChainBuilder(run, search).build();
}

} // namespace pw
