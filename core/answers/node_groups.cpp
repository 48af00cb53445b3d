// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/node_groups.h"

#include "core/base/name_ranges.h"
#include "core/cluster/node_count.h"
#include "core/search/search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace pw {

namespace {

// Groups of the same kind and size, apart by their links or by what is allowed of them: named with their
// nodes, which a number in the order of the drawing would not tell.
void nameApart(const Topology& topology, std::vector<NodeGroup>& groups) {
    const auto plainName = [&](const NodeGroup& group) {
        const auto first = static_cast<std::size_t>(group.nodes.front());
        return fmt::format("{} x{}", topology.kinds()[static_cast<std::size_t>(group.kind)].shortName,
                           topology.cluster().nodes[first].gpus);
    };
    std::map<std::string, int> alike;
    for (const NodeGroup& group : groups)
        ++alike[plainName(group)];
    for (NodeGroup& group : groups) {
        group.name = plainName(group);
        if (alike[group.name] < 2)
            continue;
        std::vector<std::string> nodes;
        for (const int node : group.nodes)
            nodes.push_back(topology.cluster().nodes[static_cast<std::size_t>(node)].id);
        constexpr std::size_t kMost = 3;
        std::vector<std::string> ranges = nameRanges(nodes);
        const std::size_t left = ranges.size() > kMost ? ranges.size() - kMost : 0;
        ranges.resize(ranges.size() - left);
        group.name += fmt::format(" of {}{}", fmt::join(ranges, ", "), left ? " and others" : "");
    }
}

} // namespace

std::vector<NodeGroup> nodeGroups(const Problem& problem) {
    const Topology& topology = problem.topology();
    std::vector<NodeGroup> groups;
    for (const NodeClass& nodes : topology.classes()) {
        std::map<std::vector<bool>, NodeGroup> byAllowed;
        for (const int node : nodes.nodes) {
            const auto first = problem.allowed().begin() + topology.firstOfNode(node);
            NodeGroup& group = byAllowed[std::vector<bool>(first, first + nodes.gpusPerNode)];
            group.nodes.push_back(node);
        }
        for (auto& [allowed, group] : byAllowed) {
            group.kind = nodes.kind;
            group.gpus = static_cast<int>(std::count(allowed.begin(), allowed.end(), true));
            if (group.gpus > 0)
                groups.push_back(std::move(group));
        }
    }
    nameApart(topology, groups);
    return groups;
}

std::vector<const DeviceKind*> allowedKinds(const Problem& problem) {
    std::vector<const DeviceKind*> kinds;
    for (const NodeGroup& group : nodeGroups(problem)) {
        const DeviceKind* kind = &problem.topology().kinds()[static_cast<std::size_t>(group.kind)];
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            kinds.push_back(kind);
    }
    return kinds;
}

int gpusOf(const std::vector<NodeGroup>& groups, const NodeCounts& counts) {
    int gpus = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
        gpus += groups[g].gpus * counts[g];
    return gpus;
}

NodeCounts allNodes(const std::vector<NodeGroup>& groups) {
    NodeCounts counts;
    for (const NodeGroup& group : groups)
        counts.push_back(group.count());
    return counts;
}

namespace {

std::vector<bool> nodesInUse(const Topology& topology, const Plan& plan) {
    std::vector<bool> used(topology.cluster().nodes.size(), false);
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices)
                    used[static_cast<std::size_t>(topology.devices()[static_cast<std::size_t>(d)].node)] =
                        true;
    return used;
}

} // namespace

NodeCounts usedNodes(const Problem& problem, const std::vector<NodeGroup>& groups, const Plan& plan) {
    const std::vector<bool> used = nodesInUse(problem.topology(), plan);
    NodeCounts counts;
    for (const NodeGroup& group : groups)
        counts.push_back(
            static_cast<int>(std::count_if(group.nodes.begin(), group.nodes.end(), [&used](int node) {
                return used[static_cast<std::size_t>(node)];
            })));
    return counts;
}

std::string countsText(const std::vector<NodeGroup>& groups, const NodeCounts& counts) {
    std::vector<std::string> parts;
    for (std::size_t g = 0; g < groups.size(); ++g)
        parts.push_back(fmt::format("{} of {} {}", counts[g], groups[g].count(), groups[g].name));
    return fmt::format("{}", fmt::join(parts, ", "));
}

Result<std::shared_ptr<const Problem>>
withCounts(const Problem& problem, const std::vector<NodeGroup>& groups, const NodeCounts& counts) {
    std::vector<std::string> forbidden = problem.space().forbidden;
    for (std::size_t g = 0; g < groups.size(); ++g)
        for (int i = counts[g]; i < groups[g].count(); ++i) {
            const int node = groups[g].nodes[static_cast<std::size_t>(i)];
            forbidden.push_back(problem.topology().cluster().nodes[static_cast<std::size_t>(node)].id);
        }
    return problem.withForbidden(std::move(forbidden));
}

Result<std::shared_ptr<const Problem>> withExtraNodes(const Problem& problem, const NodeGroup& group,
                                                      int nodes) {
    Cluster cluster = problem.topology().cluster();
    const std::string original = cluster.nodes[static_cast<std::size_t>(group.nodes.front())].id;
    Space space = problem.space();
    for (int i = 0; i < nodes; ++i)
        addNodeCopy(cluster, original, &space.forbidden);
    return Problem::make(std::move(cluster), problem.model(), problem.recipe(), problem.profiles().rows(),
                         std::move(space), problem.constants());
}

Result<std::optional<ExtraNode>> extraOf(const Problem& problem, const std::vector<NodeGroup>& groups,
                                         std::size_t group, int nodes, Seconds now,
                                         const Searcher& searcher) {
    const auto larger = withExtraNodes(problem, groups[group], nodes);
    if (!larger) // a single node without a link, say: nothing says how another would be joined to it
        return std::optional<ExtraNode>();
    const Result<SearchOutcome> outcome = searcher(*larger);
    if (!outcome)
        return outcome.error();
    ExtraNode extra{static_cast<int>(group), nodes, now, outcome->bound.ofAnyLaunches()};
    if (!outcome->plans.empty()) {
        const Seconds found = outcome->plans.front().evaluation.iteration;
        extra.iteration = now.value > 0.0 ? std::min(now, found) : found;
    }
    return std::optional(extra);
}

Result<std::vector<ExtraNode>> extraNodes(const Problem& problem, const std::vector<NodeGroup>& groups,
                                          Seconds now, const Searcher& searcher,
                                          const std::stop_token& stop) {
    std::vector<ExtraNode> extras;
    for (std::size_t g = 0; g < groups.size() && !stop.stop_requested(); ++g) {
        const auto extra = extraOf(problem, groups, g, 1, now, searcher);
        if (!extra)
            return extra.error();
        if (*extra)
            extras.push_back(**extra);
    }
    std::stable_sort(extras.begin(), extras.end(), [](const ExtraNode& a, const ExtraNode& b) {
        const bool none = a.iteration.value == 0.0, noneToo = b.iteration.value == 0.0;
        return none != noneToo ? noneToo : a.iteration < b.iteration;
    });
    return extras;
}

} // namespace pw
