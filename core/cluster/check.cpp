// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/cluster/cluster.h"
#include "core/cluster/host_name.h"
#include "core/cluster/network_kind.h"

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
constexpr const char* kSeparators = " \t\r\n,/"; // of lists and paths

class Check {
public:
    explicit Check(const Cluster& cluster) : m_cluster(cluster) {}

    Diagnostics run() {
        kinds();
        items();
        hostNames();
        links();
        domains();
        if (!hasErrors(m_found))
            reach();
        return std::move(m_found);
    }

private:
    void add(Severity severity, const char* code, const std::string& where, Wording wording) {
        m_found.push_back({severity, code, where, std::move(wording)});
    }
    void error(const char* code, const std::string& where, Wording wording) {
        add(Severity::Error, code, where, std::move(wording));
    }

    void kinds() {
        std::map<std::string_view, int> seen;
        for (const DeviceKind& kind : m_cluster.kinds) {
            if (++seen[kind.name] == 2)
                error("cluster.kind_duplicate", kind.name,
                      {"Device kind {kind} is defined twice", {{"kind", kind.name}}});
            if (kind.memory.value <= 0.0 || kind.memoryBandwidth.value <= 0.0)
                error(
                    "cluster.kind_memory", kind.name,
                    {"Device kind {kind} needs a memory size and bandwidth above 0", {{"kind", kind.name}}});
            if (kind.fp32.value <= 0.0 && kind.fp16.value <= 0.0 && kind.bf16.value <= 0.0)
                error("cluster.kind_peak", kind.name,
                      {"Device kind {kind} has no arithmetic rate above 0", {{"kind", kind.name}}});
            if (kind.pcie.value <= 0.0)
                error("cluster.kind_bandwidth", kind.name,
                      {"Device kind {kind} needs a bandwidth to its host above 0", {{"kind", kind.name}}});
        }
    }

    void identity(const std::string& id, const char* what) {
        if (id.empty())
            error("cluster.id_empty", id, {"A {item} has no name", {{"item", what}}});
        else if (++m_ids[id] == 1 && id.find_first_of(kSeparators) != std::string::npos)
            error("cluster.id_character", id,
                  {"The name \"{value}\" holds a blank, comma or slash", {{"value", id}}});
        else if (m_ids[id] == 2)
            error("cluster.id_duplicate", id, {"The name {value} is used twice", {{"value", id}}});
    }

    // What a plan can do without and no launch file can; said once, of what is a name at all.
    void hostNames() {
        std::vector<std::string_view> odd;
        for (const Node& n : m_cluster.nodes)
            if (!n.id.empty() && !isHostName(n.id) && n.id.find_first_of(kSeparators) == std::string::npos)
                odd.push_back(n.id);
        if (odd.empty())
            return;
        const std::string first(odd.front());
        add(Severity::Warning, "cluster.host_name", first,
            odd.size() == 1 ? Wording{"No host can be called \"{node}\", and no launch file can name it",
                                      {{"node", first}}}
                            : Wording{"{count} nodes have names that no launch file can hold, as \"{node}\"",
                                      {{"count", odd.size()}, {"node", first}}});
    }

    void items() {
        if (m_cluster.nodes.empty())
            error("cluster.empty", "", "The cluster has no node with GPUs");
        for (const Node& n : m_cluster.nodes) {
            identity(n.id, "node");
            if (n.gpus < 1 || n.gpus > 1024)
                error("cluster.gpus", n.id,
                      {"Node {node} must have {limit} GPUs",
                       {{"node", n.id}, {"value", n.gpus}, {"limit", "1 to 1024"}}});
            if (!(n.speed > 0.0 && n.speed <= 10.0))
                error("cluster.speed", n.id,
                      {"The speed of {node} must be above 0 and at most 10",
                       {{"node", n.id}, {"value", n.speed}, {"limit", "0 to 10"}}});
            if (!(n.intraBandwidth.value >= 0.0) || !(n.intraLatency.value >= 0.0) ||
                !std::isfinite(n.intraBandwidth.value + n.intraLatency.value))
                error("cluster.intra", n.id,
                      {"Bandwidth and latency inside {node} must not be negative", {{"node", n.id}}});
            const DeviceKind* kind = findKind(m_cluster, n.kind);
            if (!kind)
                error("cluster.kind_unknown", n.id,
                      {"Node {node} has GPUs of kind \"{value}\", which neither this cluster nor the "
                       "catalogue knows",
                       {{"node", n.id}, {"value", n.kind}}});
            else if (!(n.memoryTaken.value >= 0.0 && n.memoryTaken.value < kind->memory.value))
                error("cluster.memory_taken", n.id,
                      {"The memory taken on {node} leaves nothing to plan with",
                       {{"node", n.id},
                        {"value", formatGibibytes(n.memoryTaken)},
                        {"limit", formatGibibytes(kind->memory)}}});
        }
        for (const Switch& s : m_cluster.switches)
            identity(s.id, "switch");
        append(m_found, unknownMedia(m_cluster));
    }

    void links() {
        std::map<std::string_view, int> seen;
        for (const Link& l : m_cluster.links) {
            if (++seen[l.id] == 2)
                error("cluster.link_duplicate", l.id,
                      {"The link name {value} is used twice", {{"value", l.id}}});
            for (const std::string& end : {l.a, l.b})
                if (!m_ids.contains(end))
                    error("cluster.link_end", l.id,
                          {"Link {link} leads to {value}, which does not exist",
                           {{"link", l.id}, {"value", end}}});
            if (l.a == l.b)
                error("cluster.link_self", l.id,
                      {"Link {link} leads from {end} to itself", {{"link", l.id}, {"end", l.a}}});
            if (!(l.bandwidth.value > 0.0) || !std::isfinite(l.bandwidth.value))
                error("cluster.bandwidth", l.id,
                      {"The bandwidth of link {link} must be above 0",
                       {{"link", l.id}, {"value", formatBitRate(l.bandwidth)}, {"limit", "above 0"}}});
            if (l.lanes < 1 || l.lanes > 1024)
                error("cluster.lanes", l.id,
                      {"Link {link} must have {limit} lanes",
                       {{"link", l.id}, {"value", l.lanes}, {"limit", "1 to 1024"}}});
            if (!(l.latency.value >= 0.0) || !std::isfinite(l.latency.value))
                error("cluster.latency", l.id,
                      {"The latency of link {link} must not be negative", {{"link", l.id}}});
            if (!(l.flowBandwidth.value >= 0.0) || !std::isfinite(l.flowBandwidth.value))
                error("cluster.flow", l.id,
                      {"The bandwidth of one flow on link {link} must not be negative", {{"link", l.id}}});
            if (!(l.efficiency > 0.0 && l.efficiency <= 1.0))
                error("cluster.efficiency", l.id,
                      {"The usable share of link {link} must be above 0 and at most 1",
                       {{"link", l.id}, {"value", l.efficiency}, {"limit", "0 to 1"}}});
        }
    }

    // NVLink domains: of nodes that exist, each in one, whose GPUs are of one kind and reach a switch.
    void domains() {
        std::map<std::string_view, std::string_view> domainOf;
        std::map<std::string_view, const Node*> nodeAt;
        for (const Node& n : m_cluster.nodes)
            nodeAt.emplace(n.id, &n);
        for (const NvlinkDomain& d : m_cluster.nvlinkDomains) {
            identity(d.id, "NVLink domain");
            if (d.nodes.empty())
                error("cluster.domain_empty", d.id,
                      {"NVLink domain {domain} has no nodes", {{"domain", d.id}}});
            if (!(d.bandwidth.value >= 0.0) || !(d.latency.value >= 0.0) ||
                !std::isfinite(d.bandwidth.value + d.latency.value))
                error("cluster.domain_rate", d.id,
                      {"Bandwidth and latency of NVLink domain {domain} must not be negative",
                       {{"domain", d.id}}});
            const DeviceKind* kind = nullptr;
            for (const std::string& id : d.nodes) {
                const auto known = nodeAt.find(id);
                if (known == nodeAt.end()) {
                    error("cluster.domain_node", d.id,
                          {"NVLink domain {domain} names {value}, which is no node",
                           {{"domain", d.id}, {"value", id}}});
                    continue;
                }
                if (const auto [at, fresh] = domainOf.emplace(id, d.id); !fresh)
                    error("cluster.domain_twice", id,
                          {"Node {node} is in the NVLink domains {one} and {other}",
                           {{"node", id}, {"one", at->second}, {"other", d.id}}});
                const DeviceKind* own = findKind(m_cluster, known->second->kind);
                if (!own)
                    continue; // said above
                if (kind && kind->name != own->name)
                    error("cluster.domain_kinds", d.id,
                          {"NVLink domain {domain} joins {one} and {other}; NVLink joins GPUs of one kind",
                           {{"domain", d.id}, {"one", kind->name}, {"other", own->name}}});
                kind = kind ? kind : own;
            }
            if (kind && d.nodes.size() > 1 && !reachesSwitch(*kind))
                error("cluster.domain_fabric", d.id,
                      {"NVLink domain {domain} joins nodes of {kind}, whose GPUs reach no switch",
                       {{"domain", d.id}, {"kind", kind->name}}});
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
        // An NVLink domain is a way, too: between its nodes, and for each of them nothing else is needed.
        for (const NvlinkDomain& d : m_cluster.nvlinkDomains)
            for (const std::string& one : d.nodes)
                for (const std::string& other : d.nodes)
                    if (one != other)
                        peers[nodeAt[one]].insert(nodeAt[other]);
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
            if (ways[i].empty() && peers[i].empty()) {
                error("cluster.unlinked", nodes[i].id,
                      {"Node {node} has no link: its {gpus} GPUs cannot be reached",
                       {{"node", nodes[i].id},
                        {"gpus", nodes[i].gpus},
                        {"value", "0 links"},
                        {"limit", "at least 1"}}});
                continue;
            }
            if (!ways[i].empty())
                narrow(nodes[i], ways[i]);
            if (const std::size_t j = firstApart(i); j != i)
                add(Severity::Warning, "cluster.island", nodes[i].id,
                    {"There is no way from {node} to {other}: they cannot work on neighbouring stages",
                     {{"node", nodes[i].id}, {"other", nodes[j].id}}});
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
            {"{gpus} GPUs of {node} share {shared} to the others, against {inside} inside the node",
             {{"gpus", n.gpus},
              {"node", n.id},
              {"shared",
               formatBitRate(BytesPerSecond(line)) + " (" + formatByteRate(BytesPerSecond(line)) + ")"},
              {"inside", formatByteRate(BytesPerSecond(inside))},
              {"value", formatByteRate(BytesPerSecond(share)) + " a GPU"},
              {"limit", formatByteRate(BytesPerSecond(inside / kNarrowUplink)) + " a GPU"}}});
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
