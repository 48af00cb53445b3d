// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/harp.h"

#include "core/search/bound.h"
#include "core/search/enumerate.h"
#include "core/search/run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pw {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr int kWidth = 24;   // partial chains kept per number of layers left
constexpr int kPerState = 2; // of them with the same devices used

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
    ChainBuilder(SearchRun& run, std::size_t space, std::vector<double> prices, double deadline,
                 bool launchForLinks)
        : m_run(run), m_space(*run.spaces()[space]), m_prices(std::move(prices)), m_deadline(deadline),
          m_launchForLinks(launchForLinks) {}

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
        for (std::size_t i = 0; i < done.size() && i < kWidth; ++i)
            chains.push_back(chainOf(done[i]));
        return chains;
    }

private:
    struct Ends {
        double time, fixed, kept, blockTime, blockFixed, blockKept;
    };
    struct Line {
        Ends plain, withHead;
    };

    // Every option as a line in its blocks, and the least time that a block costs anywhere.
    void measureOptions() {
        m_leastBlock = kForever;
        for (const StageOption& option : m_space.options()) {
            const auto ends = [&](bool head) {
                const StageCost one = option.costs->leastStage(1, false, head, option.dp, option.zero);
                const StageCost two = option.costs->leastStage(2, false, head, option.dp, option.zero);
                const double time = two.total() - one.total();
                const double fixed = two.fixedMemory() - one.fixedMemory();
                const double kept = two.kept - one.kept;
                return Ends{
                    one.total() - time, one.fixedMemory() - fixed, one.kept - kept, time, fixed, kept};
            };
            m_lines.push_back({ends(false), ends(true)});
            m_leastBlock = std::min(m_leastBlock, m_lines.back().plain.blockTime);
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
            if (same < kPerState)
                kept.push_back(at);
            if (kept.size() == kWidth)
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
        return worth - p.blocksLeft + 0.25 * (done - spent * m_space.blocks());
    }

    void extend(std::int32_t at) {
        for (std::size_t o = 0; o < m_space.options().size() && !m_run.over(); ++o) {
            const Partial base = m_arena[static_cast<std::size_t>(at)];
            const StageOption& option = m_space.options()[o];
            const auto cls = static_cast<std::size_t>(option.cls);
            if (base.stages >= m_space.maxStages() || (option.cls != base.cls && base.used[cls] > 0) ||
                !m_space.placeable(option, base.used[cls]))
                continue;
            grow(base, at, static_cast<int>(o));
        }
    }

    // No stage of this option holds more blocks: linear in the cheapest block.
    int mostBlocks(int optionIndex, const Partial& base, double send, int inFlight) const {
        const Line& line = m_lines[static_cast<std::size_t>(optionIndex)];
        const Ends& ends = base.stages == 0 ? line.withHead : line.plain;
        const double limit =
            std::min(m_deadline / m_space.microbatches(), m_deadline - 2.0 * send - base.bound);
        const StageOption& option = m_space.options()[static_cast<std::size_t>(optionIndex)];
        const double room = m_space.capacity(option) - m_space.problem().recipe().reserve.value - ends.fixed -
                            inFlight * ends.kept;
        const double most = std::min((limit - ends.time) / ends.blockTime,
                                     room / (ends.blockFixed + inFlight * ends.blockKept));
        return most <= 0.0 ? 0
                           : static_cast<int>(
                                 std::min(most * (1.0 + 1e-9) + 1e-9, static_cast<double>(base.blocksLeft)));
    }

    // The most blocks that this option takes within the deadline and memory, and one fewer.
    void grow(const Partial& base, std::int32_t at, int optionIndex) {
        const StageOption& option = m_space.options()[static_cast<std::size_t>(optionIndex)];
        Partial next;
        next.stage.option = optionIndex;
        next.stage.end = base.blocksLeft;
        next.stage.position = base.used[static_cast<std::size_t>(option.cls)];
        ChainSpace::Send boundary;
        int delta = 1;
        if (base.stages > 0) {
            boundary = m_space.send(next.stage, base.stage);
            if (m_launchForLinks && !boundary.inNode)
                delta = h1f1bDelta(LaunchRule::Ceil, boundary.time, m_deadline / m_space.microbatches(),
                                   m_space.microbatches());
        }
        const double send = boundary.time;
        next.launch = base.stages == 0 ? 1 : base.launch + delta;
        const int inFlight = std::min(next.launch, m_space.microbatches());
        const auto fits = [&](int blocks) {
            m_run.spend(1);
            const StageCost cost =
                option.costs->blocks(base.blocksLeft - blocks, base.blocksLeft, option.dp, option.zero);
            next.bound =
                std::max(m_space.microbatches() * cost.total(), cost.total() + 2.0 * send + base.bound);
            return next.bound + (base.blocksLeft - blocks) * m_leastBlock <= m_deadline &&
                   memoryTotal(m_space.problem(), cost, inFlight) <= m_space.capacity(option);
        };
        int low = mostBlocks(optionIndex, base, send, inFlight);
        while (low > 0 && !fits(low))
            --low; // the estimate takes the cheapest blocks and forgets the embedding
        if (low == 0) {
            m_run.reject("over time or memory");
            return;
        }
        next.cls = option.cls;
        next.stages = base.stages + 1;
        next.behind = at;
        next.used = base.used;
        next.used[static_cast<std::size_t>(option.cls)] += option.devices;
        for (int blocks = low; blocks >= std::max(1, low - 1); --blocks) {
            if (!fits(blocks))
                continue;
            Partial grown = next;
            grown.blocksLeft = base.blocksLeft - blocks;
            grown.stage.first = grown.blocksLeft;
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
    std::vector<double> m_prices;
    double m_deadline;
    bool m_launchForLinks;
    double m_leastBlock = 0.0;
    std::vector<Line> m_lines; // by option
    std::vector<Partial> m_arena;
    std::vector<std::vector<std::int32_t>> m_levels; // by blocks left
};

// Chains for one deadline, simulated. True if some chain's bound meets the deadline.
bool tryDeadline(SearchRun& run, LaunchCountBound& bound, std::size_t space, double deadline,
                 std::map<double, std::pair<std::size_t, Chain>>& pool) {
    const std::vector<double> prices = bound.guidePrices(space, deadline);
    bool met = false;
    for (const bool forLinks : {true, false}) {
        if (run.over())
            break;
        ChainBuilder builder(run, space, prices, deadline, forLinks);
        for (const Chain& chain : builder.build()) {
            if (run.over())
                break;
            met = true;
            const double time = run.consider(space, chain);
            if (std::isfinite(time))
                pool.emplace(time, std::pair{space, chain});
        }
        if (met)
            break; // without launches for slow links only where they do not fit into memory
    }
    return met;
}

// Moves that keep the stages' devices: a block over a boundary, another mode or split of the same devices.
void improve(SearchRun& run, std::size_t space, Chain chain, double time) {
    const ChainSpace& s = *run.spaces()[space];
    bool better = true;
    while (better && !run.over()) {
        better = false;
        std::vector<Chain> moves;
        for (std::size_t i = 0; i + 1 < chain.size(); ++i)
            for (const int by : {-2, -1, 1, 2}) {
                Chain moved = chain; // chain[i] stands behind chain[i + 1]
                moved[i].first += by;
                moved[i + 1].end += by;
                if (moved[i].first < moved[i].end && moved[i + 1].first < moved[i + 1].end)
                    moves.push_back(std::move(moved));
            }
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const StageOption& now = s.options()[static_cast<std::size_t>(chain[i].option)];
            for (std::size_t o = 0; o < s.options().size(); ++o) {
                const StageOption& other = s.options()[o];
                if (other.cls != now.cls || other.devices != now.devices ||
                    static_cast<int>(o) == chain[i].option)
                    continue;
                Chain moved = chain;
                moved[i].option = static_cast<int>(o);
                moves.push_back(std::move(moved));
            }
        }
        for (const Chain& moved : moves) {
            if (run.over())
                return;
            const double t = run.consider(space, moved);
            if (t < time * (1.0 - 1e-12)) {
                time = t;
                chain = moved;
                better = true;
            }
        }
    }
}

} // namespace

SearchOutcome runHarp(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop) {
    SearchRun run(problem, options, kHarpWork, observer, stop);
    if (run.spaces().empty() || !statesThatCannotFit(problem).empty())
        return run.finish(run.spaces().empty());
    const auto stopping = [&] { return stop.stop_requested(); };

    // A first bound says where the deadlines worth trying begin; a second one, below the best plan, is
    // sharper.
    LaunchCountBound bound(run.spaces());
    Bound proven = bound.compute(kForever, stopping);
    run.setBound(proven);

    std::map<double, std::pair<std::size_t, Chain>> pool;
    std::vector<std::size_t> order(run.spaces().size());
    std::iota(order.begin(), order.end(), 0);
    // Sizes that the bound lets end earliest come first.
    for (double slack = 1.0; !order.empty() && !run.over() && slack < 1e9;
         slack *= slack < 1.3 ? 1.03 : 1.5) {
        const double deadline = proven.value.value * slack;
        std::vector<std::size_t> later;
        for (const std::size_t space : order) {
            if (deadline < run.best() && !bound.mayEndBy(space, deadline)) {
                later.push_back(space);
                continue;
            }
            // Widen until a chain ends by the deadline, then close in from both sides.
            double low = deadline, high = std::min(run.best(), deadline * 1.02);
            while (!run.over() && high < run.best() && !tryDeadline(run, bound, space, high, pool)) {
                low = high;
                high = std::min(run.best(), high * (high < deadline * 1.5 ? 1.05 : 1.5));
                if (high > 1e9 * deadline)
                    break;
            }
            for (int step = 0; step < 5 && high > low * 1.002 && !run.over(); ++step) {
                const double middle = std::min(0.5 * (low + high), run.best() * 0.9995);
                if (middle <= low)
                    break;
                (tryDeadline(run, bound, space, middle, pool) ? high : low) = middle;
            }
        }
        order = std::move(later);
        if (deadline >= run.best())
            break;
    }
    int starts = 0;
    for (const auto& [time, start] : pool) {
        if (++starts > 4 || run.over())
            break;
        improve(run, start.first, start.second, time);
    }
    const bool complete = !run.over() && enumerateChains(run, Prune::ByBound);
    if (std::isfinite(run.best()) && !complete) {
        const Bound sharper = bound.compute(run.best(), stopping);
        if (sharper.value > proven.value)
            proven = sharper;
        run.setBound(proven);
    }
    return run.finish(complete);
}

} // namespace pw
