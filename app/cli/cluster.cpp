// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/inputs.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/cluster/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pw::cli {

namespace {

// Up to this many nodes every pair is printed; beyond it one pair stands for all that look the same (2,048
// nodes have two million pairs).
constexpr std::size_t kNodesPrintedInFull = 64;

Json problemsJson(const Diagnostics& problems) {
    Json list = Json::array();
    for (const Diagnostic& d : problems)
        list.push_back(toJson(d));
    return list;
}

struct PathRow {
    int from = 0, to = 0;
    Path path;
    std::int64_t pairs = 1;
};

std::vector<PathRow> pathRows(const Topology& topology) {
    const int nodes = static_cast<int>(topology.cluster().nodes.size());
    std::vector<PathRow> rows;
    if (topology.cluster().nodes.size() <= kNodesPrintedInFull) {
        for (int a = 0; a < nodes; ++a)
            for (int b = a + 1; b < nodes; ++b)
                rows.push_back({a, b, topology.path(a, b), 1});
        return rows;
    }
    const std::vector<NodeClass>& classes = topology.classes();
    for (std::size_t a = 0; a < classes.size(); ++a)
        for (std::size_t b = a; b < classes.size(); ++b) {
            const auto from = static_cast<std::int64_t>(classes[a].nodes.size());
            const auto to = static_cast<std::int64_t>(classes[b].nodes.size());
            const std::int64_t pairs = a == b ? from * (from - 1) / 2 : from * to;
            if (pairs == 0)
                continue;
            const int first = classes[a].nodes.front();
            const int second = a == b ? classes[a].nodes[1] : classes[b].nodes.front();
            rows.push_back({first, second, topology.path(first, second), pairs});
        }
    return rows;
}

struct Bottleneck {
    int node = 0;
    BytesPerSecond uplink, perGpu;
    std::int64_t nodes = 1; // alike
};

// The narrowest ways out of a node, per GPU behind it, worst first.
std::vector<Bottleneck> bottlenecks(const Topology& topology) {
    std::vector<Bottleneck> rows;
    std::map<std::pair<int, double>, std::size_t> known;
    for (int node = 0; node < static_cast<int>(topology.cluster().nodes.size()); ++node) {
        const BytesPerSecond uplink = topology.uplink(node);
        const auto [entry, fresh] =
            known.try_emplace({topology.classOfNode(node), uplink.value}, rows.size());
        if (!fresh) {
            ++rows[entry->second].nodes;
            continue;
        }
        const int gpus = topology.cluster().nodes[static_cast<std::size_t>(node)].gpus;
        rows.push_back({node, uplink, BytesPerSecond(uplink.value / std::max(1, gpus)), 1});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Bottleneck& a, const Bottleneck& b) { return a.perGpu < b.perGpu; });
    return rows;
}

Json document(const Topology& topology, const Diagnostics& problems) {
    const Cluster& cluster = topology.cluster();
    const auto nodeId = [&](int node) { return cluster.nodes[static_cast<std::size_t>(node)].id; };
    const auto classOf = [&](int node) {
        return topology.classes()[static_cast<std::size_t>(topology.classOfNode(node))].name;
    };
    Json devices = Json::array();
    for (const Device& device : topology.devices())
        devices.push_back({{"id", device.id},
                           {"node", nodeId(device.node)},
                           {"kind", topology.kinds()[static_cast<std::size_t>(device.kind)].name},
                           {"class", classOf(device.node)},
                           {"memory", device.capacity.value},
                           {"speed", device.speed}});
    Json classes = Json::array();
    for (const NodeClass& group : topology.classes()) {
        std::vector<std::string> nodes;
        for (int node : group.nodes)
            nodes.push_back(nodeId(node));
        classes.push_back({{"name", group.name},
                           {"kind", topology.kinds()[static_cast<std::size_t>(group.kind)].name},
                           {"gpus_per_node", group.gpusPerNode},
                           {"gpus", group.gpus()},
                           {"intra_bandwidth", topology.intraBandwidth(group.nodes.front()).value},
                           {"nodes", std::move(nodes)}});
    }
    Json paths = Json::array();
    for (const PathRow& row : pathRows(topology)) {
        std::vector<std::string> links;
        for (const int link : row.path.oneWay(cluster, nodeId(row.from)))
            links.push_back(cluster.links[static_cast<std::size_t>(link)].id);
        paths.push_back({{"from", nodeId(row.from)},
                         {"to", nodeId(row.to)},
                         {"pairs", row.pairs},
                         {"reachable", row.path.reachable},
                         {"bandwidth", row.path.bandwidth.value},
                         {"latency_s", row.path.latency.value},
                         {"links", std::move(links)},
                         {"equal_ways", row.path.ways}});
    }
    Json narrow = Json::array();
    for (const Bottleneck& row : bottlenecks(topology))
        narrow.push_back({{"node", nodeId(row.node)},
                          {"class", classOf(row.node)},
                          {"nodes", row.nodes},
                          {"bandwidth", row.uplink.value},
                          {"bandwidth_per_gpu", row.perGpu.value}});
    return Json{{"name", cluster.name},
                {"gpus", cluster.gpuCount()},
                {"devices", std::move(devices)},
                {"classes", std::move(classes)},
                {"paths", std::move(paths)},
                {"bottlenecks", std::move(narrow)},
                {"problems", problemsJson(problems)}};
}

std::string problemsText(const Diagnostics& problems) {
    std::string text;
    for (const Diagnostic& d : problems)
        text += fmt::format("{}: {}: {}\n", name(d.severity), printable(d.where, kInLine),
                            printable(d.message, kInLine));
    return text;
}

std::string table(const Topology& topology, const Diagnostics& problems) {
    const Cluster& cluster = topology.cluster();
    const auto nodeId = [&](int node) { return cluster.nodes[static_cast<std::size_t>(node)].id; };
    Table classes({"class", ">nodes", ">GPUs", ">memory", ">inside a node"});
    for (const NodeClass& group : topology.classes())
        classes.add(
            {group.name, fmt::format("{}", group.nodes.size()), fmt::format("{}", group.gpus()),
             formatGibibytes(
                 topology.devices()[static_cast<std::size_t>(topology.firstOfNode(group.nodes.front()))]
                     .capacity),
             formatByteRate(topology.intraBandwidth(group.nodes.front()))});
    Table paths({"path", "to", ">pairs", ">bandwidth", ">latency", ">links", ">equal ways"});
    for (const PathRow& row : pathRows(topology))
        paths.add({nodeId(row.from), nodeId(row.to), fmt::format("{}", row.pairs),
                   row.path.reachable ? formatByteRate(row.path.bandwidth) : "unreachable",
                   formatDuration(row.path.latency), fmt::format("{}", row.path.hops),
                   fmt::format("{:g}", row.path.ways)});
    Table narrow({"bottleneck", ">alike", ">out of the node", ">per GPU"});
    for (const Bottleneck& row : bottlenecks(topology))
        narrow.add({nodeId(row.node), fmt::format("{}", row.nodes), formatByteRate(row.uplink),
                    formatByteRate(row.perGpu)});
    return fmt::format("{}: {} GPU{} on {} node{}\n\n{}\n{}\n{}\n{}", printable(cluster.name, kInLine),
                       cluster.gpuCount(), cluster.gpuCount() == 1 ? "" : "s", cluster.nodes.size(),
                       cluster.nodes.size() == 1 ? "" : "s", classes.text(), paths.text(), narrow.text(),
                       problemsText(problems));
}

Result<Answer> describe(const Cluster& cluster, const std::string& file) {
    const Diagnostics problems = checkCluster(cluster);
    if (!hasErrors(problems)) {
        const std::shared_ptr<const Topology> topology = Topology::make(cluster);
        return Answer{document(*topology, problems), table(*topology, problems), {}};
    }
    Error error = badInput("cluster.invalid", file, "the cluster cannot be planned on");
    for (const Diagnostic& d : problems)
        if (d.severity == Severity::Error)
            error.reasons.push_back(badInput(d.code, d.where, d));
    return Answer{Json{{"name", cluster.name}, {"problems", problemsJson(problems)}}, {}, error};
}

} // namespace

Command addCluster(CLI::App& app) {
    auto file = std::make_shared<std::string>();
    CLI::App* sub = app.add_subcommand(
        "cluster", "print what was understood of a cluster: devices, paths, bottlenecks, problems");
    sub->add_option("C", *file, "a cluster file");
    return {sub, [file](const Session& session) -> Result<Answer> {
                const Result<Cluster> cluster = readCluster(session, *file);
                if (!cluster)
                    return cluster.error();
                return describe(*cluster, file->empty() ? session.project : *file);
            }};
}

} // namespace pw::cli
