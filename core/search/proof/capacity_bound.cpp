// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/capacity_bound.h"

#include "core/base/quantity.h"
#include "core/evaluate/stage_terms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace pw {
namespace {

constexpr int kManyReplicas = 1 << 20;

// CostConfig::expertTp: cut as the rest is, or whole over tensor-parallel ranks too.
std::vector<int> expertTps(const Space& space, int tp, int ep) {
    return space.foldExperts && tp > 1 && ep > 1 ? std::vector<int>{0, 1} : std::vector<int>{0};
}

// Every way in which replicas of a class run: those of the Space, and with other numbers of sequences.
std::vector<CostConfig> waysOf(const Problem& problem, const std::vector<ChainClass>& classes,
                               std::size_t c) {
    const ChainClass& cls = classes[c];
    const std::vector<std::int64_t> sizes = ChainSpace::microbatchSizes(problem);
    std::set<std::int64_t> sequences;
    const std::vector<std::int64_t>& asked = problem.recipe().mbs;
    const auto take = [&](std::int64_t s) {
        if (asked.empty() || std::find(asked.begin(), asked.end(), s) != asked.end())
            sequences.insert(s);
    };
    const std::int64_t most = sizes.back();
    for (std::int64_t s = 1; s <= std::min<std::int64_t>(most, WiderSpace::kMostUneven); ++s)
        take(s);
    for (const std::int64_t m : sizes)
        for (const int size : stageSizes(cls))
            for (int each = 1; each <= size; ++each)
                if (size % each == 0 && m % (size / each) == 0)
                    take(m / (size / each));
    CostConfig config;
    placeOn(config, problem.topology(), cls.nodes.front().front());
    std::vector<CostConfig> ways;
    for (int tp = 1; tp <= std::min(cls.gpusPerNode, problem.space().maxTp); tp *= 2) {
        if (!divides(problem.model(), tp))
            continue;
        config.tp = tp;
        config.sequenceParallel = usesSequenceParallel(problem, tp);
        for (const Sharing& sharing : sharings(problem)) {
            config.cp = sharing.cp;
            config.ep = sharing.ep;
            for (const Recompute mode :
                 recomputeModes(problem, problem.topology().kinds()[static_cast<std::size_t>(cls.kind)])) {
                config.recompute = mode;
                for (const int expertTp : expertTps(problem.space(), tp, sharing.ep))
                    for (const std::int64_t s : sequences) {
                        config.expertTp = expertTp;
                        config.mbs = static_cast<int>(s);
                        ways.push_back(config);
                    }
            }
        }
    }
    std::sort(ways.begin(), ways.end());
    return ways;
}

} // namespace

CapacityBound::CapacityBound(const Problem& problem, const std::function<bool()>& stop)
    : m_problem(problem), m_classes(ChainSpace::classes(problem)) {
    const auto layers = static_cast<int>(problem.layers().size());
    std::vector<Item> items;
    for (int i = 0; i < layers; ++i)
        items.push_back({i, 1, std::vector<double>(m_classes.size(), kNever)});
    for (std::size_t c = 0; c < m_classes.size(); ++c) {
        m_configs.push_back(waysOf(problem, m_classes, c));
        for (const CostConfig& config : m_configs.back()) {
            if (stop()) {
                m_whole = false;
                return;
            }
            const ConfigCosts costs(problem, config); // too many to keep
            const double devices = 1.0 * config.tp * config.cp / config.mbs;
            for (int i = 0; i < layers; ++i) {
                // A stage holds at least the layer itself and one micro-batch of it, its states sharded over
                // as many replicas as there can be.
                const StageCost cost = costs.stage(i, i, kManyReplicas, 2);
                const StageCost gathered = costs.stage(i, i, kManyReplicas, 3);
                if (std::min(memoryTotal(problem, cost, 1.0), memoryTotal(problem, gathered, 1.0)) >
                    m_classes[c].capacity.value)
                    continue;
                double& rate = items[static_cast<std::size_t>(i)].rate[c];
                rate = std::min(rate, devices * cost.total());
            }
        }
    }
    for (Item& item : items) {
        const auto alike = std::find_if(m_items.begin(), m_items.end(),
                                        [&](const Item& known) { return known.rate == item.rate; });
        if (alike == m_items.end())
            m_items.push_back(std::move(item));
        else
            ++alike->count;
    }
}

bool CapacityBound::covers(const Plan& plan) const {
    if (!m_whole)
        return false;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages) {
            if (!stage.partition.empty())
                return false;
            for (const Replica& replica : stage.replicas) {
                const auto nodeOf = [&](DeviceIndex d) {
                    return m_problem.topology().devices()[static_cast<std::size_t>(d)].node;
                };
                const int node = nodeOf(replica.devices.front());
                const auto cls = std::find_if(m_classes.begin(), m_classes.end(), [&](const ChainClass& k) {
                    return std::ranges::any_of(k.nodes, [&](const std::vector<DeviceIndex>& gpus) {
                        return std::ranges::any_of(gpus, [&](DeviceIndex d) { return nodeOf(d) == node; });
                    });
                });
                if (cls == m_classes.end())
                    return false;
                // Tensor-parallel groups that leave their node are priced nowhere.
                for (std::size_t first = 0; first < replica.devices.size();
                     first += static_cast<std::size_t>(stage.tp))
                    for (std::size_t k = 1; k < static_cast<std::size_t>(stage.tp); ++k)
                        if (!m_problem.topology().joined(replica.devices[first + k], replica.devices[first]))
                            return false;
                CostConfig config;
                placeOn(config, m_problem.topology(), cls->nodes.front().front());
                config.tp = stage.tp;
                config.cp = stage.cp;
                config.ep = stage.ep;
                config.expertTp = stage.expertTp();
                config.recompute = stage.recompute;
                config.sequenceParallel = stage.sequenceParallel;
                config.mbs = static_cast<int>(
                    std::llround(replica.share * static_cast<double>(pipeline.microbatchSize)));
                const std::vector<CostConfig>& ways =
                    m_configs[static_cast<std::size_t>(cls - m_classes.begin())];
                if (!std::binary_search(ways.begin(), ways.end(), config))
                    return false;
                // Blocks behind the recomputed ones keep everything.
                config.recompute = Recompute::None;
                if (stage.recomputeLayers > 0 && !std::binary_search(ways.begin(), ways.end(), config))
                    return false;
            }
        }
    return true;
}

double CapacityBound::value(const std::vector<double>& prices) const {
    double paid = 0.0, speed = 0.0;
    for (std::size_t i = 0; i < m_items.size(); ++i)
        paid += prices[i] * m_items[i].count;
    for (std::size_t c = 0; c < m_classes.size(); ++c) {
        double best = 0.0;
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (prices[i] > 0.0)
                best = std::max(best, prices[i] / m_items[i].rate[c]);
        speed += m_classes[c].gpus() * best;
    }
    return static_cast<double>(m_problem.recipe().gbs) * paid / speed * (1.0 - 1e-9);
}

Bound CapacityBound::compute() const {
    Bound bound;
    bound.kind = kKind;
    bound.scope.family = ProofScope::Family::AnyShape;
    if (!m_whole || m_items.empty())
        return bound;
    // From what each class takes, then one price after the other as long as that helps.
    std::vector<double> best;
    for (std::size_t c = 0; c < m_classes.size(); ++c) {
        std::vector<double> prices;
        for (const Item& item : m_items)
            prices.push_back(std::isfinite(item.rate[c]) ? item.rate[c] : 0.0);
        if (std::ranges::any_of(prices, [](double p) { return p > 0.0; }) &&
            (best.empty() || value(prices) > value(best)))
            best = std::move(prices);
    }
    if (best.empty())
        return bound;
    for (double step = 0.2; step > 1e-4; step *= 0.5)
        for (std::size_t i = 0; i < best.size(); ++i)
            for (const double factor : {1.0 + step, 1.0 / (1.0 + step)}) {
                const double before = value(best), price = best[i];
                best[i] = price * factor;
                if (value(best) <= before)
                    best[i] = price;
            }
    bound.value = Seconds(value(best));
    Json list = Json::array();
    for (std::size_t i = 0; i < m_items.size(); ++i)
        list.push_back({{"first", m_items[i].first}, {"count", m_items[i].count}, {"price", best[i]}});
    bound.certificate = std::make_shared<const Json>(Json{{"layers", std::move(list)}});
    return bound;
}

bool CapacityBound::proves(const Json& certificate, Seconds wanted) const {
    constexpr double kDearest = 1e300; // finite
    const JsonReader reader(certificate, "certificate");
    std::vector<double> prices;
    for (const JsonReader& item : reader.array("layers"))
        prices.push_back(item.number("price", 0.0, kDearest));
    return reader.status() && m_whole && prices.size() == m_items.size() &&
           std::ranges::any_of(prices, [](double p) { return p > 0.0; }) &&
           value(prices) >= wanted.value * (1.0 - 1e-12);
}

} // namespace pw
