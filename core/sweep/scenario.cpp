// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/scenario.h"

#include "core/accuracy/cases.h"
#include "core/accuracy/tie.h"
#include "core/base/hash.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/cluster/network_kind.h"
#include "core/cluster/node_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace pw {

namespace {

bool isOfKind(const Cluster& cluster, const Node& node, const std::string& kind) {
    const DeviceKind* own = findKind(cluster, node.kind);
    return own != nullptr && (own->name == kind || own->shortName == kind);
}

// The index into Cluster::nodes; their number if there is none.
std::size_t nodeOf(const Cluster& cluster, const std::string& of) {
    const auto byId = std::ranges::find(cluster.nodes, of, &Node::id);
    if (byId != cluster.nodes.end())
        return static_cast<std::size_t>(byId - cluster.nodes.begin());
    const auto byKind =
        std::ranges::find_if(cluster.nodes, [&](const Node& node) { return isOfKind(cluster, node, of); });
    return static_cast<std::size_t>(byKind - cluster.nodes.begin());
}

double standardNormal(Random& random) { // Box and Muller's
    const double u = 1.0 - random.uniform(), v = random.uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

std::uint64_t seedOf(const std::string& text) {
    std::uint64_t seed = 0;
    const std::string hash = hashText(text).substr(0, 16);
    std::from_chars(hash.data(), hash.data() + hash.size(), seed, 16);
    return seed;
}

} // namespace

Result<Scenario> scenarioFromText(const std::string& text, const std::string& where) {
    const std::vector<std::string_view> parts = partsOf(text, ':');
    Scenario scenario;
    if (text == "none")
        return scenario;
    if (parts.size() == 2 && parts[0] == "lost" && !parts[1].empty()) {
        scenario.kind = Scenario::Kind::Lost;
        scenario.of = parts[1];
        return scenario;
    }
    if (parts.size() == 3 && parts[0] == "slow" && !parts[1].empty()) {
        const std::optional<double> speed = finiteNumber(parts[2]);
        if (speed && *speed > 0.0 && *speed <= 1.0) {
            scenario.kind = Scenario::Kind::Slow;
            scenario.of = parts[1];
            scenario.speed = *speed;
            return scenario;
        }
    }
    return badInput(
        "sweep.scenario", where,
        {"\"{text}\"; expected none, lost:NODE or slow:NODE:SPEED, with a speed above 0 and up to 1",
         {{"text", text}}});
}

Status checkScenario(const Scenario& scenario, const Cluster& drawn, const std::string& where) {
    if (scenario.kind == Scenario::Kind::None || nodeOf(drawn, scenario.of) < drawn.nodes.size())
        return Ok{};
    return badInput("sweep.scenario", where,
                    {"{value} is no node and no device kind of {cluster}",
                     {{"value", scenario.of}, {"cluster", drawn.name}}});
}

Cluster after(Cluster cluster, const Scenario& scenario) {
    const std::size_t node =
        scenario.kind == Scenario::Kind::None ? cluster.nodes.size() : nodeOf(cluster, scenario.of);
    if (node == cluster.nodes.size())
        return cluster;
    if (scenario.kind == Scenario::Kind::Slow)
        cluster.nodes[node].speed *= scenario.speed;
    else
        removeNodes(cluster, {cluster.nodes[node].id});
    return cluster;
}

double drawnFactor(std::uint64_t seed, std::uint64_t draw, const std::string& name) {
    constexpr double kOneDifference = 1.0, kMost = 3.0;
    constexpr double kQuantile = 1.2815515655446004; // of a standard normal: 80 % lie within
    static const double deviation =
        pairReach(kOneDifference, measuredCases().widths.pair) / (kQuantile * std::numbers::sqrt2);
    Random random(seedOf(fmt::format("{}/{}/{}", seed, draw, name)));
    return std::exp(deviation * std::clamp(standardNormal(random), -kMost, kMost));
}

Cluster drawn(Cluster cluster, std::uint64_t seed, std::uint64_t draw) {
    constexpr double kFastest = 10.0; // that a drawing may have
    for (Node& node : cluster.nodes)
        if (const DeviceKind* kind = findKind(cluster, node.kind); kind != nullptr)
            node.speed = std::min(kFastest, node.speed * drawnFactor(seed, draw, kind->name));
    for (Link& link : cluster.links)
        link.bandwidth = link.bandwidth * drawnFactor(seed, draw, std::string(mediumOf(cluster, link)));
    return cluster;
}

} // namespace pw
