// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/hyperpipe.h"

#include "core/base/quantity.h"
#include "core/base/units.h"
#include "core/search/baselines/grid_search.h"
#include "core/search/baselines/hybrid_strategy.h"
#include "core/search/space/least_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace pw {
namespace {

constexpr std::size_t kSimulated = 16;  // strategies of each set of classes, best estimates first
constexpr std::size_t kMostClasses = 6; // of more, only the fastest so many are left out one by one

struct Reference {
    const char* words;
    double time = kNever;
};

// Sets of node classes, in the order in which they are tried: all first.
std::vector<std::vector<int>> classSets(const std::vector<ChainClass>& classes,
                                        const std::vector<double>& secondsPerBlock) {
    std::vector<int> fastest(classes.size());
    for (std::size_t c = 0; c < classes.size(); ++c)
        fastest[c] = static_cast<int>(c);
    std::stable_sort(fastest.begin(), fastest.end(), [&](int a, int b) {
        return secondsPerBlock[static_cast<std::size_t>(a)] < secondsPerBlock[static_cast<std::size_t>(b)];
    });
    std::vector<std::vector<int>> sets;
    if (classes.size() <= kMostClasses) {
        for (std::size_t mask = (std::size_t{1} << classes.size()) - 1; mask > 0; --mask) {
            std::vector<int> set;
            for (std::size_t c = 0; c < classes.size(); ++c)
                if ((mask >> c & 1U) != 0)
                    set.push_back(fastest[c]);
            sets.push_back(std::move(set));
        }
    } else
        for (std::size_t count = classes.size(); count > 0; --count)
            sets.emplace_back(fastest.begin(), fastest.begin() + static_cast<std::ptrdiff_t>(count));
    std::stable_sort(sets.begin(), sets.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return sets;
}

class HyperPipe {
public:
    explicit HyperPipe(SearchRun& run) : m_run(run), m_problem(run.problem()) {}

    void plan() {
        const auto phase = m_run.phase("strategies");
        const std::vector<ChainClass> classes = ChainSpace::classes(m_problem);
        const std::vector<double> pace = secondsPerBlock(classes);
        references(classes, pace);
        for (const std::vector<int>& set : classSets(classes, pace)) {
            for (const HybridStrategy& strategy : hybridStrategies(m_run, set, kSimulated)) {
                judge(*m_run.spaces()[strategy.space], strategy);
                if (m_run.over())
                    return;
            }
        }
    }

    void explain() {
        if (!std::isfinite(m_best.time))
            return;
        const auto phase = m_run.phase("comparison");
        compare();
        leaveOut();
    }

private:
    struct Found {
        double time = kNever;
        Plan plan;
        std::set<DeviceIndex> devices;
    };

    // Under the best schedule of the Space that its memory allows.
    void judge(const ChainSpace& space, const HybridStrategy& strategy) {
        const Chain chain = chainOf(space, strategy);
        ChainEvaluator evaluator(space);
        std::int64_t operations = 0;
        const auto best =
            chain.empty() ? std::nullopt : evaluator.best(chain, kNever, operations, m_run.interrupted());
        m_run.spend(operations / 16);
        if (best)
            consider(space.plan(chain, best->schedule, best->launch));
        else if (!m_run.stopped())
            m_run.reject(evaluator.apart().value_or(Rejection::OutOfMemory));
    }

    // A small kernel suite: one block, one sequence, on one GPU of each class.
    std::vector<double> secondsPerBlock(const std::vector<ChainClass>& classes) const {
        std::vector<double> list;
        for (const ChainClass& cls : classes) {
            CostConfig config;
            placeOn(config, m_problem.topology(), cls.nodes.front().front());
            list.push_back(m_run.table().costs(config).leastStage(1, false, false, 1, 0).total());
        }
        return list;
    }

    void references(const std::vector<ChainClass>& classes, const std::vector<double>& pace) {
        const auto fastest =
            static_cast<std::size_t>(std::min_element(pace.begin(), pace.end()) - pace.begin());
        const int kind = classes[fastest].kind;
        constexpr int kAny = std::numeric_limits<int>::max();
        m_references = {{"a uniform split over all GPUs"},
                        {"a uniform split over the fastest kind alone"},
                        {"pipeline parallelism alone"},
                        {"data parallelism alone"}};
        for (const GpuPool& pool : gpuPools(m_problem)) {
            const auto judge = [&](std::size_t which, const GridLimits& limits) {
                Reference& reference = m_references[which];
                for (const UniformGrid& grid : uniformGrids(m_run, pool, limits)) {
                    if (m_run.over() || grid.least >= reference.time)
                        break;
                    reference.time = std::min(reference.time, consider(planOf(m_problem, pool, grid)));
                }
            };
            const bool fast = std::all_of(pool.nodes.begin(), pool.nodes.end(), [&](const auto& node) {
                return m_problem.topology().devices()[static_cast<std::size_t>(node.front())].kind == kind;
            });
            if (pool.all) {
                judge(0, {.interleaved = false});
                judge(2, {.interleaved = false, .leastStages = pool.gpus(), .mostTp = 1});
                judge(3, {.interleaved = false, .leastStages = 1, .mostStages = 1, .mostTp = 1});
            }
            if (fast)
                judge(1, {.interleaved = false, .leastStages = 1, .mostStages = kAny});
        }
    }

    double consider(Plan plan) {
        Found found{m_run.consider(plan), std::move(plan), {}};
        if (!std::isfinite(found.time))
            return kNever;
        for (const Stage& stage : found.plan.pipelines.front().stages)
            for (const Replica& replica : stage.replicas)
                found.devices.insert(replica.devices.begin(), replica.devices.end());
        const double time = found.time;
        if (time < m_best.time)
            m_best = found;
        // The fastest of every set of devices tells what leaving others out is worth.
        const auto at = std::find_if(m_bySet.begin(), m_bySet.end(),
                                     [&](const Found& f) { return f.devices == found.devices; });
        if (at == m_bySet.end())
            m_bySet.push_back(std::move(found));
        else if (time < at->time)
            *at = std::move(found);
        return time;
    }

    void compare() {
        std::vector<std::string> parts;
        double least = kNever, most = 0.0;
        for (const Reference& r : m_references) {
            parts.push_back(fmt::format("{} {}", r.words,
                                        std::isfinite(r.time) ? formatDuration(Seconds(r.time)) : "no plan"));
            if (std::isfinite(r.time)) {
                least = std::min(least, r.time / m_best.time);
                most = std::max(most, r.time / m_best.time);
            }
        }
        const std::string byHand = fmt::format("{}", fmt::join(parts, ", "));
        if (most > 0.0)
            m_run.note(
                "search.hyperpipe.compared",
                {"predicted by this program, for this problem: {least} to {most} times as fast as what "
                 "people do by hand ({plans})",
                 {{"least", fmt::format("{:.2f}", least)},
                  {"most", fmt::format("{:.2f}", most)},
                  {"plans", byHand}}});
        else
            m_run.note(
                "search.hyperpipe.compared",
                {"predicted by this program, for this problem: against what people do by hand ({plans})",
                 {{"plans", byHand}}});
    }

    // Why GPUs of the Space stay unused: what the best plan that has them too takes, and where it loses.
    void leaveOut() {
        const Topology& topology = m_problem.topology();
        std::map<int, std::vector<DeviceIndex>> unused; // by kind
        for (std::size_t d = 0; d < topology.devices().size(); ++d)
            if (const auto device = static_cast<DeviceIndex>(d);
                m_problem.allowed()[d] && m_best.devices.count(device) == 0)
                unused[topology.devices()[d].kind].push_back(device);
        for (const auto& [kind, devices] : unused) {
            std::set<DeviceIndex> more = m_best.devices;
            more.insert(devices.begin(), devices.end());
            const Found* with = nullptr;
            for (const Found& f : m_bySet)
                if (std::includes(f.devices.begin(), f.devices.end(), more.begin(), more.end()) &&
                    (with == nullptr || f.time < with->time))
                    with = &f;
            const std::string& name = topology.kinds()[static_cast<std::size_t>(kind)].shortName;
            if (with == nullptr)
                m_run.note("search.hyperpipe.left_out",
                           {"{count} {kind} stay unused; no plan that uses them as well was found",
                            {{"count", devices.size()}, {"kind", name}}});
            else
                m_run.note("search.hyperpipe.left_out",
                           {"{count} {kind} stay unused: {loss}",
                            {{"count", devices.size()}, {"kind", name}, {"loss", lossOf(*with)}}});
        }
    }

    std::string lossOf(const Found& with) const {
        const auto e = evaluate(m_problem, m_run.table(), with.plan);
        if (!e)
            return "a plan with them could not be judged";
        const PipelineFigures& pipeline = e->pipelines.front();
        std::size_t slowest = 0;
        double send = 0.0;
        for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
            const auto time = [&](std::size_t s) {
                return (pipeline.stages[s].forward + pipeline.stages[s].backward).value;
            };
            if (time(i) > time(slowest))
                slowest = i;
            send = std::max(send, pipeline.stages[i].send.value);
        }
        const StageFigures& f = pipeline.stages[slowest];
        const Stage& stage = with.plan.pipelines.front().stages[slowest];
        std::string text = fmt::format(
            "the best plan tried that uses them as well takes {}, {:.1f} % longer than {} without",
            formatDuration(Seconds(with.time)), 100.0 * (with.time / m_best.time - 1.0),
            formatDuration(Seconds(m_best.time)));
        text += fmt::format("; its slowest stage, with {}, takes {} a micro-batch",
                            m_problem.topology().kindOf(stage.replicas.front().devices.front()).shortName,
                            formatDuration(f.forward + f.backward));
        if (send > 0.0)
            text += fmt::format(", its slowest transfer {} each way", formatDuration(Seconds(send)));
        const Seconds transfers = e->time.exposedPp, sums = e->time.exposedDp + e->time.sync;
        text += fmt::format("; transfers that nothing hides take {} of it, gradient sums {}",
                            formatDuration(transfers), formatDuration(sums));
        return text;
    }

    SearchRun& m_run;
    const Problem& m_problem;
    std::vector<Reference> m_references;
    Found m_best;
    std::vector<Found> m_bySet;
};

} // namespace

std::int64_t hyperPipeWork(const Problem&) {
    return 10'000'000;
}

SearchOutcome runHyperPipe(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                           const std::stop_token& stop) {
    SearchRun run(problem, options, hyperPipeWork(problem), observer, stop);
    HyperPipe planner(run);
    if (!statesThatCannotFit(problem) && !problem.space().schedules.empty()) {
        run.proveBound();
        planner.plan();
        run.proveBound();
        planner.explain();
    }
    return run.finish(run.over() ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
}

} // namespace pw
