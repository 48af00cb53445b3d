// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/faster_links.h"

#include "core/cluster/cluster_difference.h"
#include "core/evaluate/link_loads.h"
#include "core/problem/problem.h"
#include "core/search/search.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

constexpr std::size_t kMostLinkGroups = 3;

// Of an end: the kind of a node, "switch" of the rest.
std::string endOf(const Cluster& cluster, const std::map<std::string_view, const Node*>& nodes,
                  const std::string& id) {
    const auto node = nodes.find(id);
    if (node == nodes.end())
        return "switch";
    const DeviceKind* kind = findKind(cluster, node->second->kind);
    return kind != nullptr ? kind->shortName : node->second->kind;
}

std::vector<FasterLinks> groupsToAskAbout(const Problem& problem, const Plan& plan, Seconds now) {
    const Cluster& cluster = problem.topology().cluster();
    std::map<std::string_view, const Node*> nodes;
    for (const Node& node : cluster.nodes)
        nodes.emplace(node.id, &node);
    const LinkLoads loads = linkLoads(problem, plan);
    const std::vector<bool>& closed = problem.topology().closed();
    std::map<std::tuple<std::string, std::string, double, int>, FasterLinks> groups;
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        if (!closed.empty() && closed[i])
            continue;
        const Link& link = cluster.links[i];
        std::string one = endOf(cluster, nodes, link.a), other = endOf(cluster, nodes, link.b);
        if (one == "switch" || (other != "switch" && other < one))
            std::swap(one, other);
        FasterLinks& group = groups[{one, other, link.bandwidth.value, link.lanes}];
        group.links.push_back(link.id);
        group.busy = std::max(group.busy, std::max(loads[i][0].total(), loads[i][1].total()) / now.value);
        const std::string rate = lanesText(link);
        group.name = group.links.size() == 1
                         ? fmt::format("link {} ({})", link.id, rate)
                         : fmt::format("{} links of {}, {} to {}", group.links.size(), rate, one, other);
    }
    std::vector<std::pair<double, FasterLinks>> known; // beside its rate
    for (auto& [key, group] : groups)
        known.emplace_back(std::get<2>(key) * std::get<3>(key), std::move(group));
    std::ranges::sort(known, [](const auto& a, const auto& b) {
        return std::tuple(-a.second.busy, a.first, a.second.links.front()) <
               std::tuple(-b.second.busy, b.first, b.second.links.front());
    });
    // The slowest that is left alone takes the last of the places, however many are busy.
    const auto idle = std::ranges::find(known, 0.0, [](const auto& one) { return one.second.busy; });
    if (idle - known.begin() >= static_cast<std::ptrdiff_t>(kMostLinkGroups) && idle != known.end())
        std::iter_swap(idle, known.begin() + static_cast<std::ptrdiff_t>(kMostLinkGroups) - 1);
    std::vector<FasterLinks> list;
    for (auto& [rate, group] : known)
        if (list.size() < kMostLinkGroups)
            list.push_back(std::move(group));
    return list;
}

} // namespace

Result<std::vector<FasterLinks>> fasterLinks(const Problem& problem, const Plan& plan, Seconds now,
                                             const Searcher& searcher, const std::stop_token& stop) {
    std::vector<FasterLinks> known;
    for (FasterLinks& group : groupsToAskAbout(problem, plan, now)) {
        if (stop.stop_requested())
            break;
        const auto faster = whatif::withLinksScaled(problem, group.links, kFasterFactor);
        if (!faster)
            return faster.error();
        const Result<Evaluation> kept = evaluate(**faster, plan);
        if (!kept)
            return kept.error();
        const Result<SearchOutcome> outcome = searcher(*faster);
        if (!outcome)
            return outcome.error();
        group.same = group.iteration = kept->iteration;
        group.bound = outcome->bound.ofAnyLaunches();
        if (!outcome->plans.empty())
            group.iteration = std::min(group.same, outcome->plans.front().evaluation.iteration);
        known.push_back(std::move(group));
    }
    std::ranges::stable_sort(known, {}, &FasterLinks::iteration);
    return known;
}

} // namespace pw
