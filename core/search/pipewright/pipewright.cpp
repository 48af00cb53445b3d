// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/pipewright.h"

#include "core/base/quantity.h"
#include "core/search/baselines/grid_search.h"
#include "core/search/exhaustive/enumerate.h"
#include "core/search/exhaustive/sharded.h"
#include "core/search/pipewright/chain_builder.h"
#include "core/search/pipewright/chain_moves.h"
#include "core/search/pipewright/fine_cuts.h"
#include "core/search/pipewright/first_plan.h"
#include "core/search/pipewright/launch_steps.h"
#include "core/search/pipewright/levelled_search.h"
#include "core/search/pipewright/pattern_search.h"
#include "core/search/pipewright/seeds.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/run.h"
#include "core/search/space/least_memory.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace pw {
namespace {

constexpr double kPromising = 1.1;     // times the best plan: by how much a descent may still lower a pattern
constexpr double kGrowing = 1.5;       // likewise of a space's best start, and where it has nodes to take up
constexpr double kBetter = 1.0 - 1e-4; // times the best plan: what another is worth a search

struct Start {
    std::size_t space = 0;
    Chain chain;
};

class Planner {
public:
    // `proves`: bounds are the run's, too, and made as sharp as they get; else they only guide the search.
    Planner(SearchRun& run, int threads, bool proves)
        : m_run(run), m_threads(threads), m_proves(proves),
          m_bound(pointersTo(run.spaces()), run.interrupted(), threads), m_patterns(run.spaces().size()) {}

    // True if the whole Space was settled.
    bool plan() {
        // First plans at once, from where a rough bound lets deadlines begin; below them a sharper one, which
        // says which deadlines and which spaces are worth a search.
        setRoughBound();
        searchPatterns(m_proven->value, Depth::Starts);
        if (m_run.problem().recipe().zero < 0)
            considerQuickestSharded(m_run);
        const Seconds proven = prove(m_run.best(), LaunchCountBound::Effort::Soon);
        searchPatterns(proven.value, Depth::Descents);
        stepFromBest();
        moveFromBest();
        joinEnds();
        sweeps(proven.value);
        m_searched = m_run.work();
        if (m_proves && std::isfinite(m_run.best()))
            prove(m_run.best()); // of what is left to try one by one
        const bool complete = !m_run.over() && enumerateChains(m_run, [&](std::size_t space) {
            return m_bound.mayEndRoughly(space, m_run.best());
        });
        if (m_proves && std::isfinite(m_run.best()) && !complete)
            prove(m_run.best());
        return complete;
    }

    std::int64_t searched() const { return m_searched; } // work before chains were tried one by one

private:
    // The bound below a time, set if it is the first or higher than the one before.
    Seconds prove(double upper, LaunchCountBound::Effort effort = LaunchCountBound::Effort::All) {
        const auto phase = m_run.phase("bound");
        return set(m_bound.compute(upper, effort));
    }

    Seconds set(const Bound& proven) {
        if (!m_proven || proven.value > *m_proven) {
            if (m_proves)
                m_run.setBound(proven);
            m_proven = proven.value;
        }
        return proven.value;
    }

    void sweeps(double bound) {
        const auto phase = m_run.phase("sweeps");
        for (int width = 16; width <= 256 && !m_run.over() && m_run.work() < m_run.workLimit() / 2;
             width *= 4) {
            sweep(bound, width);
            stepFromBest();
            moveFromBest();
        }
    }

    void moveFromBest() {
        const auto phase = m_run.phase("moves");
        int starts = 0;
        for (const auto& [time, start] : m_found) {
            if (++starts > 4 || m_run.over())
                return;
            improveChain(m_run, start.space, start.chain, time);
        }
    }

    // The formula that patterns go by ranks wrongly at the end: from the best chains to those neighbours of
    // their patterns that are best by the formula, each simulated, until the best ones have been left like
    // this.
    void stepFromBest() {
        const auto phase = m_run.phase("steps");
        constexpr std::ptrdiff_t kFrom = 4;
        constexpr std::size_t kSimulated = 16;
        const auto next = [&]() -> std::optional<Start> {
            const auto end = std::next(m_found.begin(), std::min<std::ptrdiff_t>(kFrom, std::ssize(m_found)));
            for (auto at = m_found.begin(); at != end; ++at) {
                const Start& start = at->second;
                if (m_left.emplace(start.space, patternsOf(start.space).patternOf(start.chain)).second)
                    return start;
            }
            return std::nullopt;
        };
        for (auto start = next(); start && !m_run.over(); start = next()) {
            const PatternOptions& options = patternsOf(start->space);
            PatternSearch search(m_run, options, m_threads);
            for (const PatternSearch::Found& found :
                 search.around(options.patternOf(start->chain), m_run.best(), kSimulated))
                take(start->space, found);
        }
    }

    void setRoughBound() {
        const auto phase = m_run.phase("bound");
        set(m_bound.computeRoughly(kNever));
    }

    const PatternOptions& patternsOf(std::size_t space) {
        if (!m_patterns[space])
            m_patterns[space].emplace(*m_run.spaces()[space], m_threads);
        return *m_patterns[space];
    }

    enum class Depth { Starts, Descents };

    // Over patterns of devices, micro-batch sizes in the order in which the bound lets them end: those that
    // the search starts from, or also what they become by steps.
    void searchPatterns(double bound, Depth depth) {
        const auto phase = m_run.phase(depth == Depth::Starts ? "starts" : "patterns");
        const auto follow = [&](PatternSearch& search, PatternSearch::Found&& found, double deadline) {
            return depth == Depth::Starts ? std::move(found) : search.descend(std::move(found), deadline);
        };
        constexpr int kCheap = 128; // GPUs, up to which descents take little time
        const std::size_t few = allowedGpus(m_run.problem()) <= kCheap ? 6 : 2;
        std::vector<std::size_t> order(m_run.spaces().size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        constexpr double kHopeless = 1e3; // times the bound
        constexpr double kFirst = 1.02,
                         kNear = 1.005; // times the bound: the first deadline, and what needs none
        for (double slack = kFirst; !order.empty() && !m_run.over() && slack < kHopeless;
             slack *= slack < 1.3 ? 1.03 : 1.5) {
            if (bound * (slack > kFirst ? slack : kNear) >= m_run.best())
                return;
            std::vector<std::size_t> later;
            for (const std::size_t space : order) {
                if (m_run.over())
                    return;
                // What another one has just beaten may be beaten in turn.
                const double deadline = std::min(bound * slack, m_run.best() * kBetter);
                if (!m_bound.mayEndRoughly(space, deadline)) {
                    later.push_back(space);
                    continue;
                }
                PatternSearch search(m_run, patternsOf(space), m_threads);
                const auto takeAll = [&](std::vector<PatternSearch::Found> starts) {
                    std::size_t count = 0;
                    for (PatternSearch::Found& found : starts)
                        if (found.value < (++count == 1 ? kGrowing : kPromising) * m_run.best())
                            take(space, follow(search, std::move(found), deadline));
                };
                takeAll(search.uniform(deadline, 2 * few));
                takeAll(search.ofFewClasses(deadline, few));
                takeAll(search.filled(deadline, few));
            }
            order = std::move(later);
        }
    }

    // Where the ends of a tied model are far from each other: the best plans anew with both on one class.
    void joinEnds() {
        constexpr double kWorth = 0.01; // of the iteration
        constexpr std::size_t kTried = 2;
        if (!headTakesEmbedding(m_run.problem().model()) || m_run.problem().space().wider.any() ||
            !tooLargeToEnumerate(m_run.problem()))
            return; // bounds speak of no such plan: who tries all of theirs takes none
        const auto phase = m_run.phase("both ends");
        std::vector<Start> starts;
        for (const auto& [time, start] : m_found) {
            const ChainSpace& space = *m_run.spaces()[start.space];
            if (starts.size() < kTried && start.chain.size() > 1 && m_patterns[start.space] &&
                space.tied(start.chain.back(), start.chain.front()) > kWorth * time)
                starts.push_back(start);
        }
        for (const Start& start : starts) {
            const PatternOptions& options = *m_patterns[start.space];
            PatternSearch search(m_run, options, m_threads);
            for (const PatternSearch::Found& found :
                 search.withBothEnds(options.patternOf(start.chain), m_run.best(), kTried))
                take(start.space, found);
        }
    }

    void take(std::size_t space, const PatternSearch::Found& found) {
        for (const PatternProgramme::Layers& layers : found.layers) {
            if (m_run.over() && !m_found.empty())
                return;
            const double time = m_run.consider(space, layers.chain);
            if (std::isfinite(time))
                m_found.emplace(time, Start{space, layers.chain});
        }
    }

    // Micro-batch sizes in the order in which the bound lets them end, each one's deadline closed in from
    // both sides.
    void sweep(double bound, int width) {
        std::vector<std::size_t> order(m_run.spaces().size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        constexpr double kHopeless = 1e3; // times the bound
        for (double slack = 1.0; !order.empty() && !m_run.over() && slack < kHopeless;
             slack *= slack < 1.3 ? 1.03 : 1.5) {
            const double deadline = bound * slack;
            if (deadline >= m_run.best())
                break;
            std::vector<std::size_t> later;
            for (const std::size_t space : order) {
                if (m_bound.mayEndRoughly(space, deadline))
                    closeIn(space, deadline, width);
                else
                    later.push_back(space);
            }
            order = std::move(later);
        }
    }

    void closeIn(std::size_t space, double deadline, int width) {
        constexpr double kHopeless = 64.0;
        double low = deadline, high = std::min(m_run.best(), deadline * 1.02);
        while (!m_run.over() && high < m_run.best() && !meets(space, high, width)) {
            low = high;
            high = std::min(m_run.best(), high * (high < deadline * 1.5 ? 1.05 : 1.5));
            if (high > kHopeless * deadline)
                return;
        }
        for (int step = 0; step < 5 && high > low * 1.002 && !m_run.over(); ++step) {
            const double middle = std::min(0.5 * (low + high), m_run.best() * 0.9995);
            if (middle <= low)
                return;
            (meets(space, middle, width) ? high : low) = middle;
        }
    }

    // Simulates the chains that may end by the deadline. True if there is one, by its bound.
    bool meets(std::size_t space, double deadline, int width) {
        ChainSearch search;
        search.space = space;
        search.prices = m_bound.guidePrices(space, deadline);
        search.deadline = deadline;
        search.width = width;
        bool met = false;
        for (const auto launch :
             {ChainSearch::Launch::Ceil, ChainSearch::Launch::Artifact, ChainSearch::Launch::One}) {
            search.launch = launch;
            const std::vector<Chain> chains = buildChains(m_run, search);
            for (const Chain& chain : chains) {
                if (m_run.over())
                    return true;
                const double time = m_run.consider(space, chain);
                if (std::isfinite(time))
                    m_found.emplace(time, Start{space, chain});
            }
            met = met || !chains.empty();
        }
        return met;
    }

    SearchRun& m_run;
    const int m_threads;
    const bool m_proves;
    LaunchCountBound m_bound;
    std::vector<std::optional<PatternOptions>> m_patterns; // by space, once they are asked for
    std::optional<Seconds> m_proven;
    std::int64_t m_searched = 0;
    std::map<double, Start> m_found;                  // by time
    std::set<std::pair<std::size_t, Pattern>> m_left; // of which spaces, by stepFromBest()
};

} // namespace

std::int64_t pipewrightWork(const Problem& problem) {
    const std::int64_t allowed = allowedGpus(problem);
    return std::clamp<std::int64_t>(800 * allowed * allowed, 1'000'000, 2'500'000);
}

SearchOutcome runPipewright(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                            const std::stop_token& stop) {
    return runPipewright(problem, options, observer, stop, Drawing::LevelledToo);
}

SearchOutcome runPipewright(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                            const std::stop_token& stop, Drawing drawing) {
    constexpr std::int64_t kLeastForLaunches = 4000;
    constexpr std::int64_t kForLaunches = 16;     // of the search's work one part
    constexpr std::int64_t kLeastShare = 1000;    // stage candidates; with less the others find nothing
    const std::int64_t share = options.work / 24; // a quarter of a given amount is for the six others
    const bool ask = options.work == 0 || share >= kLeastShare;
    const std::optional<Levelled> level =
        ask && drawing == Drawing::LevelledToo ? levelled(problem) : std::nullopt; // a quarter is for it
    const bool stepping = hasLaunchesToStep(problem.space()) &&
                          tooLargeToEnumerate(problem); // else all of the Space is tried, and that is said
    SearchOptions own = options;
    own.work = options.work - (ask ? (level ? 12 : 6) * share : 0) -
               (stepping && ask ? options.work / kForLaunches : 0);
    SearchRun run(problem, own, pipewrightWork(problem), observer, stop, SearchRun::Share::AsAllowedLater);
    if (options.work > 0)
        run.setTotal(options.work);
    findFirstPlan(run, options.threads);
    run.buildSpaces();
    if (run.spaces().empty() || statesThatCannotFit(problem))
        return run.finish(run.spaces().empty() && !run.over());
    considerQuickestSharded(run);
    Planner planner = [&] {
        const auto phase = run.phase("bound"); // the lines of all spaces, which it is made of
        return Planner(run, options.threads, options.uses("bound"));
    }();
    const bool settled = planner.plan();
    const bool finer = problem.space().fineCuts;
    if (finer)
        cutFiner(run); // from the best plan of whole blocks
    if (!settled && ask)
        considerOthers(run, options, share, planner.searched(), stop);
    // 0, the default for the levelled drawing, where no work is given: with half of it lost lanes cost 2 %.
    const bool outside = level && considerLevelled(run, *level, options, 6 * share, stop);
    considerSharded(run);
    const bool inTime = !run.over(); // plans of one stage with further sharding, too
    bool complete = considerFasterGrids(run, options) && settled && inTime && !outside;
    // Neither proven nor out of work: the search has ended by itself.
    const bool ended = complete || (inTime && !run.stopped() && std::isfinite(run.best()));
    if (finer)
        cutFiner(run); // from what harp found, if that is better
    // What was tried has launch counts by rule.
    const std::int64_t forLaunches = options.work > 0
                                         ? options.work - run.work()
                                         : std::max(kLeastForLaunches, planner.searched() / kForLaunches);
    const bool stepped = stepping && stepLaunches(run, forLaunches);
    complete = complete && !stepped && !finer;
    return run.finish(complete ? SearchRun::Settled::Space
                      : ended  ? SearchRun::Settled::OwnSearch
                               : SearchRun::Settled::Nothing);
}

} // namespace pw
