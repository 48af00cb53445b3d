// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/harp/harp.h"

#include "core/base/quantity.h"
#include "core/search/harp/fine_layers.h"
#include "core/search/harp/harp_tables.h"
#include "core/search/harp/sub_clusters.h"
#include "core/search/run.h"
#include "core/search/space/least_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace pw {
namespace {

constexpr std::int64_t kStepsACandidate = 16;

// A chain of sub-clusters to solve for one micro-batch size.
struct Chained {
    std::size_t space = 0;
    std::vector<int> order;
    bool allDevices = true;
    bool anywhere = false; // stages may be divided over slow networks
    bool operator==(const Chained&) const = default;
};
struct Finalist {
    Chained chained;
    StageRuns::Layers layers = StageRuns::Layers::Blocks;
    HarpPlan plan;
};

// Fastest layers a second over all submeshes of a class' GPUs, for every class together.
double largestRate(const HarpInput& input) {
    double rate = 0.0;
    for (std::size_t c = 0; c < input.clusters.size(); ++c) {
        double best = 0.0; // layers a second and GPU
        for (std::size_t s = 0; s < input.clusters[c].sizes.size(); ++s)
            for (int first = 0; first < input.layers; ++first)
                for (int end = first + 1; end <= input.layers; ++end) {
                    const auto& ways =
                        input.ways[input.waysAt(static_cast<int>(c), s, input.run[input.runAt(first, end)])];
                    if (!ways.empty())
                        best =
                            std::max(best, (end - first) / (ways.front().time * input.clusters[c].sizes[s]));
                }
        rate += best * input.clusters[c].devices;
    }
    return rate;
}

class Harp {
public:
    Harp(SearchRun& run, const SearchOptions& options)
        : m_run(run), m_problem(run.problem()),
          m_fine(m_problem.space().fineCuts && options.uses("fine-layers")),
          m_anywhere(!options.uses("fast-networks")), m_coarseRuns(m_problem, StageRuns::Layers::Blocks) {
        for (const ScheduleChoice& choice : m_problem.space().schedules) {
            if (choice.loneStage)
                continue;
            if (choice.kind == ScheduleKind::H1F1B && options.uses("h1f1b"))
                add(choice.rule == LaunchRule::Artifact ? HarpLaunch::Artifact : HarpLaunch::Ceil, choice);
            else if (choice.kind == ScheduleKind::OneFOneB)
                add(HarpLaunch::Classic, choice);
        }
        if (m_fine)
            m_fineRuns.emplace(m_problem, StageRuns::Layers::Fine);
    }

    void plan() {
        if (m_rules.empty())
            return m_run.reject(Rejection::ScheduleNotAllowed);
        coarse();
        fine();
        judge();
        explain();
    }
    bool cutShort() const { return m_cutShort; } // a part of the work is kept for judging

private:
    struct Rule {
        HarpLaunch launch;
        ScheduleChoice schedule;
    };
    void add(HarpLaunch launch, const ScheduleChoice& schedule) {
        if (std::none_of(m_rules.begin(), m_rules.end(), [&](const Rule& r) { return r.launch == launch; }))
            m_rules.push_back({launch, schedule});
    }

    const ChainSpace& space(std::size_t index) const { return *m_run.spaces()[index]; }
    const StageRuns& runs(StageRuns::Layers layers) const {
        return layers == StageRuns::Layers::Fine ? *m_fineRuns : m_coarseRuns;
    }
    const HarpInput& tables(const Chained& chained, StageRuns::Layers layers) {
        const std::size_t index = chained.space;
        auto& entry = m_tables[{index, layers, chained.anywhere}];
        if (!entry) {
            const std::function<bool(std::int64_t)> spend = [&](std::int64_t n) { return m_run.spend(n); };
            entry = std::make_unique<HarpInput>(
                harpTables(space(index), runs(layers), clustersOf(chained), spend));
        }
        return *entry;
    }

    const std::vector<SubCluster>& clustersOf(const Chained& chained) {
        std::vector<SubCluster>& list = m_clusters[{chained.space, chained.anywhere}];
        if (list.empty())
            list = harpSubClusters(space(chained.space), chained.anywhere);
        return list;
    }
    // As published; then leaving devices out, and where that makes a difference over slow networks too.
    std::vector<Chained> runsOf(std::size_t index) {
        std::vector<Chained> list = {{index, {}, true, m_anywhere}, {index, {}, false, m_anywhere}};
        if (const Chained anywhere{index, {}, false, true}; clustersOf(anywhere) != clustersOf(list.back()))
            list.push_back(anywhere);
        return list;
    }

    void solve(const Chained& chained, StageRuns::Layers layers, HarpLaunch launch, std::size_t keep) {
        constexpr double kSlack = 1.05; // of the best so far: what the objective leaves out may turn it round
        constexpr std::size_t kLimits = 24;
        HarpQuestion question;
        question.order = chained.order;
        question.launch = launch;
        question.allDevices = chained.allDevices;
        question.below = chained.allDevices ? kSlack * m_best : m_best;
        question.merge = 1e-4;
        question.most = kLimits;
        question.keep = keep;
        question.slack = keep > 1 ? kSlack - 1.0 : 0.0;
        const std::function<bool(std::int64_t)> spend = [&](std::int64_t steps) {
            const bool over = m_run.spend(steps / kStepsACandidate + 1);
            m_cutShort = m_cutShort || shareIsUsed();
            return over || shareIsUsed();
        };
        const auto found = harpProgramme(tables(chained, layers), question, spend);
        if (found.empty() && !m_run.over())
            m_run.reject(whyNone(tables(chained, layers), question));
        for (const HarpPlan& plan : found)
            m_found.push_back({chained, layers, plan});
        if (!found.empty() && found.front().total < m_best) { // shown at once
            m_best = found.front().total;
            judge({chained, layers, found.front()});
        }
    }
    Rejection whyNone(const HarpInput& input, const HarpQuestion& question) const {
        const std::vector<int>& order = question.order;
        for (std::size_t i = 0; question.allDevices && i + 1 < order.size(); ++i) {
            bool way = false;
            for (std::size_t s = 0; s < input.clusters[static_cast<std::size_t>(order[i])].sizes.size(); ++s)
                way = way || std::isfinite(input.send[input.sendAt(order[i], s, order[i + 1], 1)]);
            if (!way)
                return Rejection::NoWayBetweenStages;
        }
        if (question.allDevices && !std::isfinite(input.ends[input.endsAt(order.front(), order.back())]))
            return Rejection::TiedEndsApart;
        return m_best < kNever ? Rejection::SlowerThanTheBest : Rejection::OutOfMemory;
    }
    // Of the work that the phase may take with those before it; the rest is for what comes after.
    bool shareIsUsed() const {
        return static_cast<double>(m_run.work()) >= m_share * static_cast<double>(m_run.workLimit());
    }

    // Every micro-batch and order on whole blocks, the most promising first.
    void coarse() {
        const auto phase = m_run.phase("coarse");
        struct Size {
            double estimate = 0.0, least = 0.0; // of T
            std::size_t space = 0;
        };
        std::vector<Size> sizes;
        for (std::size_t i = 0; i < m_run.spaces().size() && !m_run.over(); ++i) {
            const HarpInput& input =
                tables(runsOf(i).back(), StageRuns::Layers::Blocks); // the most submeshes
            const double rate = largestRate(input);
            if (rate == 0.0) {
                m_run.reject(Rejection::OutOfMemory);
                continue;
            }
            int hosts = 0;
            for (const HarpCluster& cluster : input.clusters)
                hosts += cluster.devices / cluster.perHost;
            const double period = input.layers / rate; // no t_max below it
            const auto rounds = static_cast<double>(input.microbatches - 1);
            sizes.push_back({(rounds + std::min(hosts, input.stages)) * period, rounds * period, i});
        }
        std::stable_sort(sizes.begin(), sizes.end(),
                         [](const Size& a, const Size& b) { return a.estimate < b.estimate; });
        constexpr double kShares[] = {0.4, 0.5, 0.6};
        for (std::size_t r = 0; r < std::size(kShares); ++r) {
            m_share = kShares[r];
            for (const Size& size : sizes) {
                const std::vector<Chained> runs = runsOf(size.space);
                if (r >= runs.size())
                    continue;
                Chained chained = runs[r];
                for (std::vector<int>& order : harpOrders(clustersOf(chained), space(size.space).classes())) {
                    if (m_run.over())
                        return;
                    chained.order = std::move(order);
                    if (size.least < m_best && !shareIsUsed())
                        solve(chained, StageRuns::Layers::Blocks, m_rules.front().launch, 1);
                }
            }
        }
    }

    // What was most promising, by every rule and on fine layers.
    void fine() {
        const auto phase = m_run.phase("fine");
        constexpr std::size_t kChains = 4;
        sort();
        std::vector<Chained> chains;
        for (const bool all : {true, false})
            for (const Finalist& finalist : m_found) {
                const auto count = std::count_if(chains.begin(), chains.end(),
                                                 [&](const Chained& c) { return c.allDevices == all; });
                if (finalist.chained.allDevices == all && count < static_cast<std::ptrdiff_t>(kChains) &&
                    std::find(chains.begin(), chains.end(), finalist.chained) == chains.end())
                    chains.push_back(finalist.chained);
            }
        const auto layers = m_fine ? StageRuns::Layers::Fine : StageRuns::Layers::Blocks;
        m_share = 0.9;
        for (const Chained& chained : chains)
            for (const Rule& rule : m_rules) {
                if (m_run.over() || shareIsUsed())
                    return;
                if (m_fine || rule.launch != m_rules.front().launch)
                    solve(chained, layers, rule.launch, 8);
            }
    }

    void sort() {
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const Finalist& a, const Finalist& b) { return a.plan.total < b.plan.total; });
    }

    // Simulates the best few plans of the programme, at least some that use all devices.
    void judge() {
        const auto phase = m_run.phase("finalists");
        constexpr std::size_t kFinalists = 64, kPublished = 8;
        sort();
        std::size_t judged = 0, published = 0;
        for (const Finalist& finalist : m_found) {
            const bool all = finalist.chained.allDevices;
            if (judged >= kFinalists && (!all || published >= kPublished))
                continue;
            if (m_run.over())
                return;
            ++judged;
            published += all ? 1 : 0;
            judge(finalist);
        }
    }
    void judge(const Finalist& finalist) {
        double& best = finalist.chained.allDevices ? m_bestAll : m_bestAny;
        best = std::min(best, consider(finalist));
    }

    double consider(const Finalist& finalist) {
        const ChainSpace& s = space(finalist.chained.space);
        const StageRuns& cuts = runs(finalist.layers);
        const HarpInput& input = tables(finalist.chained, finalist.layers);
        const std::vector<HarpPlan::Stage>& stages = finalist.plan.stages;
        Chain chain; // last stage first; its blocks give way to the fine layers below
        StageTimes times;
        std::vector<bool> inNode;
        std::vector<StageCost> costs;
        std::vector<LayerRange> ranges;
        for (const HarpPlan::Stage& stage : stages) {
            const int run = input.run[input.runAt(stage.first, stage.end)];
            const int option = input.ways[input.waysAt(stage.cluster, stage.size, run)][stage.way].id;
            const StageOption& o = s.options()[static_cast<std::size_t>(option)];
            const int before = clustersOf(finalist.chained)[static_cast<std::size_t>(stage.cluster)].first;
            chain.insert(chain.begin(), {option, 0, s.blocks(), before + stage.position});
            ranges.push_back({cuts.firstFine(stage.first), cuts.lastFine(stage.end)});
            costs.push_back(o.costs->stage(ranges.back().first, ranges.back().last, o.dp, o.zero));
            times.forward.push_back(costs.back().forward);
            times.backward.push_back(costs.back().backward);
        }
        for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
            const ChainSpace::Send& send = s.send(chain[stages.size() - 1 - i], chain[stages.size() - 2 - i]);
            times.send.push_back(send.time);
            inNode.push_back(send.inNode);
        }
        if (launchCountBound(times, s.microbatches()) >= m_run.cutoff())
            return kNever;
        double best = kNever;
        std::set<std::vector<int>> tried;
        const auto simulated = [&](const ScheduleChoice& schedule, const std::vector<int>& launch) {
            std::vector<int> capped = launch;
            for (int& l : capped)
                l = std::min(l, s.microbatches());
            if (!tried.insert(capped).second || m_run.over())
                return;
            Plan plan = s.plan(chain, schedule, launch);
            for (std::size_t i = 0; i < ranges.size(); ++i)
                plan.pipelines.front().stages[i].chunks = {ranges[i]};
            best = std::min(best, m_run.consider(std::move(plan)));
        };
        // By the plan's own slowest stage, which is no longer than t_max: what no longer fits then may do so
        // with the launches of another rule.
        for (const Rule& rule : m_rules)
            simulated(rule.schedule,
                      launchCounts(rule.schedule.kind, rule.schedule.rule, times, s.microbatches(), inNode));
        return best;
    }

    void explain() {
        noteLayers();
        if (m_bestAny < m_bestAll)
            m_run.note(
                "search.harp.devices",
                {m_bestAll < kNever
                     ? "HARP uses all devices; its best plan so takes {all} s. A plan that leaves some out "
                       "is "
                       "predicted to take {any} s"
                     : "HARP uses all devices and has no plan so; one that leaves some out is predicted to "
                       "take {any} s",
                 {{"all", fmt::format("{:.4g}", m_bestAll)}, {"any", fmt::format("{:.4g}", m_bestAny)}}});
    }

    void noteLayers() {
        const StageRuns& cuts = m_fine ? *m_fineRuns : m_coarseRuns;
        const double saved = 100.0 * (1.0 - static_cast<double>(cuts.distinctLayers()) / cuts.allLayers());
        m_run.note("search.harp.layers", {"{distinct} distinct layers of {all} priced, {saved} % saved",
                                          {{"distinct", cuts.distinctLayers()},
                                           {"all", cuts.allLayers()},
                                           {"saved", fmt::format("{:.0f}", saved)}}});
        if (!m_fine)
            return;
        constexpr int kSubLayers = 2;
        const std::vector<BlockOperator> operators = blockOperators(m_problem, 0);
        const auto ends = clusterOperators(operators, kSubLayers);
        if (!ends) {
            m_run.note(
                "search.harp.clusters",
                {"No cut leaves {parts} parts of a block within 1.5 times their mean FLOP; plans are cut "
                 "between attention and MLP",
                 {{"parts", kSubLayers}}});
            return;
        }
        const BlockOperator& behind = operators[static_cast<std::size_t>(ends->front())];
        m_run.note("search.harp.clusters",
                   {"HARP's clustering cuts a block in front of operator {number} of {all} (\"{operator}\"); "
                    "plans are cut between attention and MLP, the finest that the plan document has",
                    {{"number", ends->front() + 1}, {"all", operators.size()}, {"operator", behind.name}}});
    }

    SearchRun& m_run;
    const Problem& m_problem;
    const bool m_fine, m_anywhere;
    std::vector<Rule> m_rules; // in the order of the Space
    StageRuns m_coarseRuns;
    std::optional<StageRuns> m_fineRuns;
    // By space, and whether stages may be divided over slow networks.
    std::map<std::pair<std::size_t, bool>, std::vector<SubCluster>> m_clusters;
    std::map<std::tuple<std::size_t, StageRuns::Layers, bool>, std::unique_ptr<HarpInput>> m_tables;
    std::vector<Finalist> m_found;
    double m_best = kNever; // by the programme's objective
    double m_share = 1.0;
    bool m_cutShort = false;
    double m_bestAll = kNever, m_bestAny = kNever; // simulated
};

} // namespace

std::int64_t harpWork(const Problem&) {
    return 20'000'000;
}

SearchOutcome runHarp(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                      const std::stop_token& stop) {
    SearchRun run(problem, options, harpWork(problem), observer, stop);
    bool cutShort = false;
    if (!run.spaces().empty() && !statesThatCannotFit(problem)) {
        run.proveBound();
        Harp harp(run, options);
        harp.plan();
        cutShort = harp.cutShort();
        run.proveBound();
    }
    return run.finish(run.over() || cutShort ? SearchRun::Settled::Nothing : SearchRun::Settled::OwnSearch);
}

} // namespace pw
