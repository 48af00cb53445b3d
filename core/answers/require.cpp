// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/require.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kMostGroups = 5; // without a required device, to be left out: 31 sets

// The allowed devices that a name stands for.
std::vector<DeviceIndex> devicesOf(const Problem& problem, const std::string& name) {
    const Topology& topology = problem.topology();
    std::vector<DeviceIndex> devices;
    for (std::size_t d = 0; d < topology.devices().size(); ++d) {
        const Device& device = topology.devices()[d];
        const DeviceKind& kind = topology.kinds()[static_cast<std::size_t>(device.kind)];
        const Node& node = topology.cluster().nodes[static_cast<std::size_t>(device.node)];
        if (problem.allowed()[d] &&
            (name == device.id || name == node.id || name == kind.name || name == kind.shortName))
            devices.push_back(static_cast<DeviceIndex>(d));
    }
    return devices;
}

std::vector<bool> devicesInUse(const Problem& problem, const Plan& plan) {
    std::vector<bool> used(problem.topology().devices().size(), false);
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices)
                    used[static_cast<std::size_t>(d)] = true;
    return used;
}

using Wanted = std::vector<std::vector<DeviceIndex>>; // one device of each list

int missing(const Wanted& wanted, const std::vector<bool>& used) {
    return static_cast<int>(std::count_if(wanted.begin(), wanted.end(), [&](const auto& devices) {
        return std::none_of(devices.begin(), devices.end(),
                            [&](DeviceIndex d) { return used[static_cast<std::size_t>(d)]; });
    }));
}

Plan exchanged(const Problem& problem, Plan plan, int nodeA, int nodeB) {
    const Topology& topology = problem.topology();
    const DeviceIndex firstA = topology.firstOfNode(nodeA), firstB = topology.firstOfNode(nodeB);
    for (Pipeline& pipeline : plan.pipelines)
        for (Stage& stage : pipeline.stages)
            for (Replica& replica : stage.replicas)
                for (DeviceIndex& d : replica.devices) {
                    const Device& device = topology.devices()[static_cast<std::size_t>(d)];
                    if (device.node == nodeA)
                        d = firstB + device.slot;
                    else if (device.node == nodeB)
                        d = firstA + device.slot;
                }
    return plan;
}

// The plan with alike nodes exchanged until it uses what is wanted; nothing if that cannot be.
std::optional<Plan> complying(const Problem& problem, const std::vector<NodeGroup>& groups,
                              const Wanted& wanted, Plan plan) {
    std::vector<bool> used = devicesInUse(problem, plan);
    int left = missing(wanted, used);
    for (const std::vector<DeviceIndex>& devices : wanted) {
        if (left == 0)
            return plan;
        if (missing({devices}, used) == 0)
            continue;
        const int node = problem.topology().devices()[static_cast<std::size_t>(devices.front())].node;
        for (const NodeGroup& group : groups) {
            if (std::find(group.nodes.begin(), group.nodes.end(), node) == group.nodes.end())
                continue;
            for (const int other : group.nodes) {
                if (other == node)
                    continue;
                Plan next = exchanged(problem, plan, node, other);
                std::vector<bool> usedThen = devicesInUse(problem, next);
                if (const int then = missing(wanted, usedThen); then < left) {
                    plan = std::move(next);
                    used = std::move(usedThen);
                    left = then;
                    break;
                }
            }
        }
    }
    return left == 0 ? std::optional(std::move(plan)) : std::nullopt;
}

} // namespace

Status checkRequired(const Problem& problem, const std::vector<std::string>& required) {
    const Cluster& cluster = problem.topology().cluster();
    const std::vector<std::string> unknown = unknownNames(cluster, required);
    for (const std::string& name : required) {
        const bool isNetwork =
            cluster.node(name) == nullptr && (cluster.findSwitch(name) || cluster.link(name));
        if (isNetwork || std::ranges::count(unknown, name) > 0)
            return badInput("require.unknown", name,
                            "is to be used but is no node, device or device kind of this cluster");
    }
    for (const std::string& name : required)
        if (devicesOf(problem, name).empty())
            return badInput("require.forbidden", name, "is to be used and to stay unused");
    return Ok{};
}

Complying::Complying(const Problem& problem, const std::vector<std::string>& required)
    : m_problem(problem), m_groups(nodeGroups(problem)) {
    for (const std::string& name : required)
        m_wanted.push_back(devicesOf(problem, name));
}

std::optional<FoundPlan> Complying::from(const FoundPlan& found) const {
    std::optional<Plan> plan = complying(m_problem, m_groups, m_wanted, found.plan);
    if (!plan)
        return std::nullopt;
    Result<Evaluation> evaluation = evaluate(m_problem, *plan);
    if (!evaluation || !evaluation->feasible)
        return std::nullopt;
    return FoundPlan{*std::move(plan), *std::move(evaluation), found.foundBy};
}

bool Complying::wants(const NodeGroup& group) const {
    return std::any_of(m_wanted.begin(), m_wanted.end(), [&](const auto& devices) {
        return std::any_of(devices.begin(), devices.end(), [&](DeviceIndex d) {
            const int node = m_problem.topology().devices()[static_cast<std::size_t>(d)].node;
            return std::find(group.nodes.begin(), group.nodes.end(), node) != group.nodes.end();
        });
    });
}

Result<SearchOutcome> searchRequiring(const std::shared_ptr<const Problem>& problem,
                                      const std::vector<std::string>& required, std::size_t top,
                                      const Searcher& searcher, const std::stop_token& stop) {
    const Complying complying(*problem, required);
    const std::vector<NodeGroup>& groups = complying.groups();
    std::vector<std::size_t> others; // groups without a required device
    for (std::size_t g = 0; g < groups.size() && others.size() < kMostGroups; ++g)
        if (!complying.wants(groups[g]))
            others.push_back(g);
    std::vector<unsigned> sets;
    for (unsigned set = 0; set < 1U << others.size(); ++set)
        sets.push_back(set);
    std::stable_sort(sets.begin(), sets.end(),
                     [](unsigned a, unsigned b) { return std::popcount(a) < std::popcount(b); });

    std::optional<SearchOutcome> result;
    std::map<std::string, FoundPlan> kept; // by canonical key
    std::vector<FoundPlan> differing;
    std::size_t looked = 0, searches = 0;
    double fastest = 0.0; // of all plans of the problem itself
    for (const unsigned set : sets) {
        if (stop.stop_requested() && result)
            break;
        NodeCounts counts = allNodes(groups);
        for (std::size_t i = 0; i < others.size(); ++i)
            if ((set >> i & 1U) != 0)
                counts[others[i]] = 0;
        const auto asked = set == 0 ? Result(problem) : withCounts(*problem, groups, counts);
        if (!asked)
            return asked.error();
        Result<SearchOutcome> outcome = searcher(*asked);
        if (!outcome)
            return outcome.error();
        ++searches;
        looked += outcome->plans.size();
        if (set == 0 && !outcome->plans.empty())
            fastest = outcome->plans.front().evaluation.iteration.value;
        for (const FoundPlan& found : outcome->plans)
            if (std::optional<FoundPlan> plan = complying.from(found)) {
                std::string key = canonicalKey(plan->plan);
                kept.try_emplace(std::move(key), *std::move(plan));
            }
        for (const FoundPlan& found : outcome->differing)
            if (std::optional<FoundPlan> plan = complying.from(found))
                differing.push_back(*std::move(plan));
        if (!result) {
            result = *std::move(outcome);
        } else {
            result->work += outcome->work;
            result->evaluated += outcome->evaluated;
            result->wall += outcome->wall;
            append(result->phases, std::move(outcome->phases));
        }
        if (set == 0 && !kept.empty())
            break;
    }
    result->plans.clear();
    for (auto& [key, found] : kept)
        result->plans.push_back(std::move(found));
    std::stable_sort(result->plans.begin(), result->plans.end(), [](const FoundPlan& a, const FoundPlan& b) {
        return a.evaluation.iteration < b.evaluation.iteration;
    });
    while (result->plans.size() > top) {
        differing.push_back(std::move(result->plans.back()));
        result->plans.pop_back();
    }
    result->differing = std::move(differing);
    markDifferences(*problem, result->plans, result->differing);
    if (result->plans.empty()) {
        if (result->status != SearchStatus::Stopped)
            result->status = SearchStatus::Infeasible;
        result->reasons.push_back({"none of {plans} plans from {searches} searches can use {required}",
                                   {{"plans", looked},
                                    {"searches", searches},
                                    {"required", fmt::format("{}", fmt::join(required, ", "))}}});
    } else if (result->plans.front().evaluation.iteration.value > fastest * (1.0 + 1e-12)) {
        result->optimalInOwnSpace = false;
        if (result->status == SearchStatus::Optimal) // of the problem without the constraint
            result->status = SearchStatus::Feasible;
    }
    return *std::move(result);
}

} // namespace pw
