// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/search/exhaustive/enumerate.h"

#include "core/base/quantity.h"
#include "core/search/baselines/grid_search.h"
#include "core/search/exhaustive/sharded.h"
#include "core/search/exhaustive/wider_walk.h"

#include <algorithm>
#include <functional>

namespace pw {
namespace {

// What classes may still hold of a chain's front in less time than the best plan's: more than the
// launch-count bound of any front that stands, since each stage is taken as if it were the first one.
class Front {
public:
    explicit Front(const ChainSpace& space) : m_space(space) {
        for (const StageOption& option : space.options()) {
            double block = option.costs->quickestBlock(); // without what a stage takes once
            if (option.plain)
                block = std::min(block, option.plain->quickestBlock());
            m_leastBlock = std::min(m_leastBlock, block);
            const auto known = std::ranges::find(m_classes, option.cls, &Class::index);
            if (known == m_classes.end())
                m_classes.push_back({option.cls, block, {}});
            else
                known->leastBlock = std::min(known->leastBlock, block);
        }
        std::ranges::sort(m_classes, {}, &Class::leastBlock);
    }

    // `best`: s. What stands below is of fronts that end before it.
    void setBest(double best) {
        if (best == m_best)
            return;
        m_best = best;
        std::vector<int> most; // by option
        for (const StageOption& option : m_space.options())
            most.push_back(mostBlocks(option));
        for (Class& cls : m_classes) {
            cls.held.assign(static_cast<std::size_t>(classOf(cls).gpus()) + 1, 0);
            for (std::size_t n = 1; n < cls.held.size(); ++n) {
                cls.held[n] = cls.held[n - 1];
                for (std::size_t o = 0; o < most.size(); ++o) {
                    const StageOption& option = m_space.options()[o];
                    const auto devices = static_cast<std::size_t>(option.devices);
                    if (option.cls == cls.index && devices <= n)
                        cls.held[n] = std::max(cls.held[n], cls.held[n - devices] + most[o]);
                }
            }
        }
    }

    // Blocks that fit in front at most. `used`: devices of each class; the last stage is of this class.
    int held(const std::vector<int>& used, int last) const {
        int blocks = 0;
        for (const Class& cls : m_classes)
            blocks += heldBy(cls, used, last);
        return blocks;
    }
    // s: what a micro-batch takes at least through so many blocks in front.
    double least(int blocks, const std::vector<int>& used, int last) const {
        double time = 0.0;
        for (const Class& cls : m_classes) {
            const int here = std::min(blocks, heldBy(cls, used, last));
            time += here * cls.leastBlock;
            blocks -= here;
        }
        return time + blocks * m_leastBlock;
    }

private:
    struct Class {
        int index = 0;
        double leastBlock = 0.0; // s
        std::vector<int> held;   // blocks, by devices that are free
    };
    const ChainClass& classOf(const Class& cls) const {
        return m_space.classes()[static_cast<std::size_t>(cls.index)];
    }
    // Of a class that was left nothing is taken any more.
    static int heldBy(const Class& cls, const std::vector<int>& used, int last) {
        const int gone = used[static_cast<std::size_t>(cls.index)];
        return gone > 0 && cls.index != last ? 0
                                             : cls.held[cls.held.size() - 1 - static_cast<std::size_t>(gone)];
    }
    int mostBlocks(const StageOption& option) const {
        const auto time = [&](const ConfigCosts& costs, int blocks) {
            return costs.leastStage(blocks, false, false, option.copies(), option.zero).total();
        };
        const auto inTime = [&](int blocks) {
            const double plain = option.plain ? time(*option.plain, blocks) : kNever;
            return m_space.microbatches() * std::min(time(*option.costs, blocks), plain) < m_best;
        };
        int most = 0, beyond = m_space.blocks() + 1;
        while (beyond - most > 1) {
            const int middle = most + (beyond - most) / 2;
            (inTime(middle) ? most : beyond) = middle;
        }
        return most;
    }

    const ChainSpace& m_space;
    double m_best = 0.0, m_leastBlock = kNever; // s
    std::vector<Class> m_classes;               // the quickest first
};

// Walks chains of one micro-batch size and hands every complete one to `leaf`.
class Walk {
public:
    Walk(SearchRun& run, std::size_t space, Prune prune, std::function<void(const Chain&)> leaf)
        : m_run(run), m_space(*run.spaces()[space]), m_prune(prune), m_leaf(std::move(leaf)),
          m_used(m_space.classes().size(), 0), m_front(m_space), m_begin(run.work()) {}

    // False if it gave up, because what was left would have taken many times the work that is left.
    bool all() {
        stageBehind(m_space.blocks(), 0.0, {0.0, 1.0});
        return !m_hopeless;
    }

private:
    // A part of the walk, as if all branches of a fork took the same.
    struct Part {
        double first = 0.0, width = 1.0;
        Part of(std::size_t i, std::size_t count) const {
            const double each = width / static_cast<double>(count);
            return {first + static_cast<double>(i) * each, each};
        }
    };

    bool over() const { return m_run.over() || m_hopeless; }
    // Looks whether the walk can end, once a part of the work is spent on it. Forks are not alike, hence the
    // margin; walks that cannot end are off by orders of magnitude.
    void lookAhead(const Part& here) {
        constexpr double kProbe = 1.0 / 16.0, kMargin = 16.0;
        const auto spent = static_cast<double>(m_run.work() - m_begin);
        const auto limit = static_cast<double>(m_run.workLimit());
        if (m_prune == Prune::ByBound && spent > kProbe * limit)
            m_hopeless = spent * (1.0 - here.first) >
                         kMargin * here.first * (limit - static_cast<double>(m_run.work()));
    }

    // `left` blocks still need stages; V is the launch-count bound of those that stand.
    void stageBehind(int left, double bound, const Part& part) {
        if (left == 0) {
            m_leaf(m_chain);
            return;
        }
        if (static_cast<int>(m_chain.size()) == m_space.maxStages())
            return;
        lookAhead(part);
        for (std::size_t o = 0; o < m_space.options().size() && !over(); ++o) {
            const StageOption& option = m_space.options()[o];
            const Part here = part.of(o, m_space.options().size());
            const auto cls = static_cast<std::size_t>(option.cls);
            const bool sameClass =
                !m_chain.empty() &&
                m_space.options()[static_cast<std::size_t>(m_chain.back().option)].cls == option.cls;
            const int before = m_used[cls], position = m_space.placeOf(option, before);
            if ((before > 0 && !sameClass) || position < 0)
                continue;
            ChainStage stage;
            stage.option = static_cast<int>(o);
            stage.end = left;
            stage.position = position;
            stage.first = left - 1;
            const double send = m_chain.empty() ? 0.0 : m_space.send(stage, m_chain.back()).time;
            const int inFlight = std::min(m_space.microbatches(), static_cast<int>(m_chain.size()) + 1);
            m_used[cls] = position + option.devices;
            for (int blocks = fewestBlocks(left, option.cls); blocks <= left; ++blocks) {
                stage.first = left - blocks;
                bool more = false;
                // Of so many blocks the fewer are recomputed the faster, and the last mode (all) is the
                // lightest.
                const int modes = option.plain ? blocks : 1;
                for (int mode = 1; mode <= modes && !over(); ++mode) {
                    stage.recomputed = mode < modes ? mode : 0;
                    const Verdict verdict = tryStage(
                        stage, option, left - blocks, send, inFlight, bound,
                        here.of(static_cast<std::size_t>(blocks - 1), static_cast<std::size_t>(left))
                            .of(static_cast<std::size_t>(mode - 1), static_cast<std::size_t>(modes)));
                    more = more || verdict == Verdict::Went;
                    if (verdict == Verdict::Slow)
                        break;
                }
                if (!more)
                    break; // more blocks only make it worse
            }
            m_used[cls] = before;
        }
    }

    // What is left but for those that fit in front of the stage, which is of this class.
    int fewestBlocks(int left, int cls) {
        if (m_prune == Prune::Nothing)
            return 1;
        m_front.setBest(m_run.best());
        return std::max(1, left - m_front.held(m_used, cls));
    }

    enum class Verdict { Went, Slow, Large }; // on from here; too slow; too large
    Verdict tryStage(const ChainStage& stage, const StageOption& option, int left, double send, int inFlight,
                     double bound, const Part& part) {
        if (m_run.spend(1))
            return Verdict::Slow;
        double next = bound;
        if (m_prune == Prune::ByBound) {
            const StageCost cost = m_space.cost(stage);
            next = std::max(m_space.microbatches() * cost.total(), cost.total() + 2.0 * send + bound);
            if (next >= m_run.best())
                return Verdict::Slow;
            if (memoryTotal(m_space.problem(), cost, inFlight) > m_space.capacity(option)) {
                m_run.reject(Rejection::OutOfMemory);
                return Verdict::Large;
            }
            if (next + m_front.least(left, m_used, option.cls) >= m_run.best())
                return Verdict::Went; // what is left is less with more blocks here
        }
        m_chain.push_back(stage);
        stageBehind(left, next, part);
        m_chain.pop_back();
        return Verdict::Went;
    }

    SearchRun& m_run;
    const ChainSpace& m_space;
    Prune m_prune;
    std::function<void(const Chain&)> m_leaf;
    std::vector<int> m_used;
    Front m_front;
    Chain m_chain;
    const std::int64_t m_begin; // work
    bool m_hopeless = false;
};

} // namespace

bool enumerateChains(SearchRun& run, const std::function<bool(std::size_t)>& mayBeFaster) {
    const auto phase = run.phase("enumeration");
    bool whole = true;
    for (std::size_t space = 0; space < run.spaces().size() && whole && !run.over(); ++space)
        whole = !mayBeFaster(space) || Walk(run, space, Prune::ByBound, [&](const Chain& chain) {
                                           run.consider(space, chain);
                                       }).all();
    return whole && !run.over();
}

namespace {

// Every chain under every schedule, as a plan.
void enumeratePlans(SearchRun& run) {
    const auto phase = run.phase("enumeration");
    for (std::size_t s = 0; s < run.spaces().size() && !run.over(); ++s) {
        const ChainSpace& space = *run.spaces()[s];
        Walk(run, s, Prune::Nothing, [&](const Chain& chain) {
            for (const ScheduleChoice& choice : run.problem().space().schedules) {
                if (run.over())
                    return;
                if (!choice.allows(chain.size()))
                    continue;
                run.consider(space.plan(chain, choice, {}), SearchRun::Charge::One);
            }
        }).all();
    }
}

} // namespace

std::int64_t exhaustiveWork(const Problem&) {
    return 50'000'000;
}

std::optional<Error> tooLargeToEnumerate(const Problem& problem) {
    constexpr std::int64_t kMost = 8; // GPUs, and blocks
    const int gpus = allowedGpus(problem);
    if (gpus <= kMost && problem.model().blocks <= kMost)
        return std::nullopt;
    return infeasible("search.too_large", "",
                      {"{gpus} GPUs and {blocks} blocks; plans are all tried up to {most} of each",
                       {{"gpus", gpus}, {"blocks", problem.model().blocks}, {"most", kMost}}});
}

SearchOutcome runExhaustive(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                            const std::stop_token& stop) {
    SearchRun run(problem, options, exhaustiveWork(problem), observer, stop, SearchRun::Share::AsAllowed);
    if (problem.space().wider.any()) {
        const bool complete = walkWiderSpace(run, Prune::Nothing);
        considerSharded(run);
        const bool whole = complete && !run.over();
        return run.finish(considerFasterGrids(run, options) && whole);
    }
    run.proveBound(); // prunes nothing; said beside the best plan until the enumeration proves more
    enumeratePlans(run);
    considerSharded(run);
    const bool whole = !run.over();
    if (!considerFasterGrids(run, options) || !whole)
        return run.finish(SearchRun::Settled::Nothing);
    return run.finish(problem.space().fineCuts ? SearchRun::Settled::OwnSearch : SearchRun::Settled::Space);
}

} // namespace pw
