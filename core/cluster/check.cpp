// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace pw {

namespace {

// A GPU whose share of the node's way out is a hundredth of what it has to its neighbours waits on every step
// that leaves the node: worth a remark, though the plan may well be to keep traffic inside.
constexpr double kNarrowUplink = 100.0;

class Check {
public:
    explicit Check(const Cluster& cluster) : m_cluster(cluster) {}

    Diagnostics run() {
        kinds();
        items();
        links();
        if (!hasErrors(m_found))
            reach();
        return std::move(m_found);
    }

private:
    void add(Severity severity, const char* code, const std::string& where, std::string message,
             std::string value = {}, std::string limit = {}) {
        m_found.push_back({severity, code, where, std::move(message), std::move(value), std::move(limit)});
    }
    void error(const char* code, const std::string& where, std::string message, std::string value = {},
               std::string limit = {}) {
        add(Severity::Error, code, where, std::move(message), std::move(value), std::move(limit));
    }

    void kinds() {
        std::map<std::string_view, int> seen;
        for (const DeviceKind& kind : m_cluster.kinds) {
            if (++seen[kind.name] == 2)
                error("cluster.kind_duplicate", kind.name,
                      fmt::format("Device kind {} is defined twice", kind.name));
            if (kind.memory.value <= 0.0 || kind.memoryBandwidth.value <= 0.0)
                error("cluster.kind_memory", kind.name,
                      fmt::format("Device kind {} needs a memory size and bandwidth above 0", kind.name));
            if (kind.fp32.value <= 0.0 && kind.fp16.value <= 0.0 && kind.bf16.value <= 0.0)
                error("cluster.kind_peak", kind.name,
                      fmt::format("Device kind {} has no arithmetic rate above 0", kind.name));
            if (kind.pcie.value <= 0.0)
                error("cluster.kind_bandwidth", kind.name,
                      fmt::format("Device kind {} needs a bandwidth to its host above 0", kind.name));
        }
    }

    void identity(const std::string& id, const char* what) {
        if (id.empty())
            error("cluster.id_empty", id, fmt::format("A {} has no name", what));
        else if (id.find_first_of(" \t\r\n,/") != std::string::npos)
            error("cluster.id_character", id,
                  fmt::format("The name of {} {} holds a blank, comma or slash", what, id), id);
        else if (++m_ids[id] == 2)
            error("cluster.id_duplicate", id, fmt::format("The name {} is used twice", id), id);
    }

    void items() {
        if (m_cluster.nodes.empty())
            error("cluster.empty", "", "The cluster has no node with GPUs");
        for (const Node& n : m_cluster.nodes) {
            identity(n.id, "node");
            if (n.gpus < 1 || n.gpus > 1024)
                error("cluster.gpus", n.id, fmt::format("Node {} must have 1 to 1024 GPUs", n.id),
                      std::to_string(n.gpus), "1 to 1024");
            if (!(n.speed > 0.0 && n.speed <= 10.0))
                error("cluster.speed", n.id,
                      fmt::format("The speed of {} must be above 0 and at most 10", n.id),
                      fmt::format("{}", n.speed), "0 to 10");
            if (!(n.intraBandwidth.value >= 0.0) || !(n.intraLatency.value >= 0.0) ||
                !std::isfinite(n.intraBandwidth.value + n.intraLatency.value))
                error("cluster.intra", n.id,
                      fmt::format("Bandwidth and latency inside {} must not be negative", n.id));
            const DeviceKind* kind = findKind(m_cluster, n.kind);
            if (!kind)
                error(
                    "cluster.kind_unknown", n.id,
                    fmt::format(
                        "Node {} has GPUs of kind \"{}\", which neither this cluster nor the catalogue knows",
                        n.id, n.kind),
                    n.kind);
            else if (!(n.memoryTaken.value >= 0.0 && n.memoryTaken.value < kind->memory.value))
                error("cluster.memory_taken", n.id,
                      fmt::format("The memory taken on {} leaves nothing to plan with", n.id),
                      formatGibibytes(n.memoryTaken), formatGibibytes(kind->memory));
        }
        for (const Switch& s : m_cluster.switches)
            identity(s.id, "switch");
    }

    void links() {
        std::map<std::string_view, int> seen;
        for (const Link& l : m_cluster.links) {
            if (++seen[l.id] == 2)
                error("cluster.link_duplicate", l.id, fmt::format("The link name {} is used twice", l.id),
                      l.id);
            for (const std::string& end : {l.a, l.b})
                if (!m_ids.contains(end))
                    error("cluster.link_end", l.id,
                          fmt::format("Link {} leads to {}, which does not exist", l.id, end), end);
            if (l.a == l.b)
                error("cluster.link_self", l.id, fmt::format("Link {} leads from {} to itself", l.id, l.a));
            if (!(l.bandwidth.value > 0.0) || !std::isfinite(l.bandwidth.value))
                error("cluster.bandwidth", l.id,
                      fmt::format("The bandwidth of link {} must be above 0", l.id),
                      formatBitRate(l.bandwidth), "above 0");
            if (l.lanes < 1 || l.lanes > 1024)
                error("cluster.lanes", l.id, fmt::format("Link {} must have 1 to 1024 lanes", l.id),
                      std::to_string(l.lanes), "1 to 1024");
            if (!(l.latency.value >= 0.0) || !std::isfinite(l.latency.value))
                error("cluster.latency", l.id,
                      fmt::format("The latency of link {} must not be negative", l.id));
            if (!(l.efficiency > 0.0 && l.efficiency <= 1.0))
                error("cluster.efficiency", l.id,
                      fmt::format("The usable share of link {} must be above 0 and at most 1", l.id),
                      fmt::format("{}", l.efficiency), "0 to 1");
        }
    }

    // Islands and narrow ways out, on a drawing whose links all lead somewhere. Nodes do not forward the
    // traffic of others: two nodes reach each other by a link of their own or through switches.
    void reach() {
        const std::vector<Node>& nodes = m_cluster.nodes;
        std::map<std::string_view, std::size_t> nodeAt, switchAt;
        for (const Node& n : nodes)
            nodeAt.emplace(n.id, nodeAt.size());
        for (const Switch& s : m_cluster.switches)
            switchAt.emplace(s.id, switchAt.size());
        std::vector<std::size_t> root(switchAt.size());
        std::iota(root.begin(), root.end(), std::size_t{0});
        const auto fabric = [&root](std::size_t i) {
            while (root[i] != i)
                i = root[i] = root[root[i]];
            return i;
        };
        for (const Link& l : m_cluster.links)
            if (switchAt.contains(l.a) && switchAt.contains(l.b))
                root[fabric(switchAt[l.b])] = fabric(switchAt[l.a]);

        std::vector<std::vector<const Link*>> ways(nodes.size());
        std::vector<std::set<std::size_t>> fabrics(nodes.size()), peers(nodes.size());
        for (const Link& l : m_cluster.links)
            for (const auto& [end, other] : {std::pair(l.a, l.b), std::pair(l.b, l.a)}) {
                const auto at = nodeAt.find(end);
                if (at == nodeAt.end())
                    continue;
                ways[at->second].push_back(&l);
                if (const auto s = switchAt.find(other); s != switchAt.end())
                    fabrics[at->second].insert(fabric(s->second));
                else
                    peers[at->second].insert(nodeAt[other]);
            }
        // Nodes by the fabrics that they are on, so that thousands of nodes need no table of pairs.
        std::map<std::set<std::size_t>, std::vector<std::size_t>> alike;
        const auto firstApart = [&](std::size_t i) {
            std::size_t first = i; // none
            for (const auto& [other, members] : alike) {
                const bool shared = std::any_of(fabrics[i].begin(), fabrics[i].end(),
                                                [&](std::size_t f) { return other.contains(f); });
                if (shared)
                    continue;
                const auto apart = std::find_if(members.begin(), members.end(),
                                                [&](std::size_t j) { return !peers[i].contains(j); });
                if (apart != members.end())
                    first = std::min(first, *apart);
            }
            return first;
        };
        for (std::size_t i = 0; i < nodes.size() && nodes.size() > 1; ++i) {
            if (ways[i].empty()) {
                error("cluster.unlinked", nodes[i].id,
                      fmt::format("Node {} has no link: its {} GPUs cannot be reached", nodes[i].id,
                                  nodes[i].gpus),
                      "0 links", "at least 1");
                continue;
            }
            narrow(nodes[i], ways[i]);
            if (const std::size_t j = firstApart(i); j != i)
                add(Severity::Warning, "cluster.island", nodes[i].id,
                    fmt::format("There is no way from {} to {}: they cannot work on neighbouring stages",
                                nodes[i].id, nodes[j].id));
            alike[fabrics[i]].push_back(i);
        }
    }

    void narrow(const Node& n, const std::vector<const Link*>& ways) {
        const DeviceKind& kind = *findKind(m_cluster, n.kind);
        const double inside = n.intraBandwidth.value > 0.0      ? n.intraBandwidth.value
                              : kind.intraBandwidth.value > 0.0 ? kind.intraBandwidth.value
                                                                : kind.pcie.value;
        double usable = 0.0, line = 0.0;
        for (const Link* l : ways) {
            usable += l->usable().value;
            line += l->bandwidth.value * l->lanes;
        }
        const double share = usable / n.gpus;
        if (n.gpus < 2 || inside <= kNarrowUplink * share)
            return;
        add(Severity::Warning, "cluster.narrow", ways.size() == 1 ? ways[0]->id : n.id,
            fmt::format("{} GPUs of {} share {} to the others, against {} inside the node", n.gpus, n.id,
                        formatBitRate(BytesPerSecond(line)), formatByteRate(BytesPerSecond(inside))),
            formatByteRate(BytesPerSecond(share)) + " a GPU",
            formatByteRate(BytesPerSecond(inside / kNarrowUplink)) + " a GPU");
    }

    const Cluster& m_cluster;
    Diagnostics m_found;
    std::map<std::string, int> m_ids;
};

} // namespace

Diagnostics checkCluster(const Cluster& cluster) {
    return Check(cluster).run();
}

} // namespace pw
