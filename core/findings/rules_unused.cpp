// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/findings/advisor.h"
#include "core/whatif/whatif.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pw {
namespace {

constexpr double kNarrower = 0.5;     // of the narrowest way within the plan: what narrows a way beyond that
constexpr std::size_t kMostEnds = 48; // nodes on either side; of more, as many are looked at

// Two nodes of each class that has them among the devices, for nodes of a class reach the others alike; of
// more than are looked at every n-th.
std::vector<int> ends(const Topology& topology, const std::vector<DeviceIndex>& devices) {
    std::map<int, std::set<int>> byClass;
    for (const DeviceIndex d : devices) {
        const int node = topology.devices()[static_cast<std::size_t>(d)].node;
        if (std::set<int>& own = byClass[topology.classOfNode(node)]; own.size() < 2)
            own.insert(node);
    }
    std::vector<int> all, some;
    for (const auto& [nodeClass, nodes] : byClass)
        all.insert(all.end(), nodes.begin(), nodes.end());
    const std::size_t step = (all.size() + kMostEnds - 1) / kMostEnds;
    for (std::size_t i = 0; i < all.size(); i += step)
        some.push_back(all[i]);
    return some;
}

std::vector<DeviceIndex> devicesOf(const Plan& plan) {
    std::vector<DeviceIndex> devices;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                devices.insert(devices.end(), replica.devices.begin(), replica.devices.end());
    return devices;
}

// The widest way from one of `from` to one of `to`; not reachable if there is none.
Path widest(const Topology& topology, const std::vector<int>& from, const std::vector<int>& to) {
    Path best;
    for (const int a : from)
        for (const int b : to)
            if (a != b)
                if (Path way = topology.path(a, b); way.reachable && way.bandwidth > best.bandwidth)
                    best = std::move(way);
    return best;
}

// Of the ways between the nodes, or of one node's cables if there are no others.
double narrowestWithin(const Topology& topology, const std::vector<int>& nodes) {
    double least = std::numeric_limits<double>::infinity();
    for (const int a : nodes)
        for (const int b : nodes)
            if (a < b)
                least = std::min(least, topology.path(a, b).bandwidth.value);
    if (nodes.size() > 1)
        return least;
    double cables = 0.0;
    for (const int link : topology.cables(nodes.front()))
        cables += topology.cluster().links[static_cast<std::size_t>(link)].usable().value;
    return cables;
}

// The link that makes the way from the devices to the plan's much narrower than any within the plan; null if
// none does.
const Link* narrowBetween(const Advisor& advisor, const std::vector<DeviceIndex>& devices) {
    const Topology& topology = advisor.problem().topology();
    const std::vector<int> used = ends(topology, devicesOf(advisor.plan()));
    const Path way = widest(topology, ends(topology, devices), used);
    if (!way.reachable || way.bandwidth.value >= kNarrower * narrowestWithin(topology, used))
        return nullptr;
    const std::vector<Link>& links = topology.cluster().links;
    const auto narrow = std::ranges::min_element(way.links, {}, [&](const PathLink& l) {
        return links[static_cast<std::size_t>(l.link)].usable().value / l.share;
    });
    return narrow == way.links.end() ? nullptr : &links[static_cast<std::size_t>(narrow->link)];
}

} // namespace

void findUnused(Advisor& advisor, std::vector<Finding>& found) {
    const Topology& topology = advisor.problem().topology();
    std::map<int, std::vector<DeviceIndex>> byKind;
    for (const DeviceIndex d : whatif::unusedDevices(advisor.problem(), advisor.plan()))
        byKind[topology.devices()[static_cast<std::size_t>(d)].kind].push_back(d);
    for (const auto& [kind, devices] : byKind) {
        Finding finding;
        finding.rule = "unused";
        finding.severity = Severity::Note;
        const std::string& name = topology.kinds()[static_cast<std::size_t>(kind)].shortName;
        finding.text = fmt::format("{} {} in no stage", devices.size(),
                                   devices.size() == 1 ? name + " is" : name + " are");
        if (const Link* narrow = narrowBetween(advisor, devices)) {
            finding.link = narrow->id;
            finding.text += fmt::format("; the way from there to the plan's GPUs narrows to link {} ({})",
                                        narrow->id, rateText(narrow->bandwidth * narrow->lanes));
        }
        std::optional<Advisor::Trial> best;
        for (int i = 0; i < advisor.stages(); ++i) {
            const Stage& stage = advisor.pipeline().stages[static_cast<std::size_t>(i)];
            for (int dp = stage.dp() + 1; dp <= stage.dp() + static_cast<int>(devices.size()); ++dp)
                advisor.attempt(whatif::setDp(advisor.problem(), advisor.plan(), i, dp),
                                fmt::format("raise dp of stage {} to {}", i, dp), best);
            advisor.attempt(whatif::moveDevices(advisor.problem(), advisor.plan(), devices, i),
                            fmt::format("give them to stage {}", i), best);
        }
        found.push_back(advisor.with(std::move(finding), best));
    }
}

} // namespace pw
