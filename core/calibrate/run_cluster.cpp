// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_cluster.h"

#include "core/calibrate/unsupported.h"
#include "core/cluster/network_kind.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

// Bandwidth between two GPUs of a node where the kind's own does not hold.
BytesPerSecond fabricOf(const DeviceKind& kind, const NetworkText& network) {
    if (network.intraRate.value > 0.0)
        return network.intraRate;
    return network.pcie && !network.nvlink ? kind.pcie : BytesPerSecond(0.0);
}

// Nodes of one domain where `nodes` of them follow each other and `most` fit into one.
int nodesOfDomain(int nodes, int most) {
    for (int each = std::min(nodes, most); 2 * each > most; --each)
        if (nodes % each == 0)
            return each;
    return std::min(nodes, most);
}

// Runs of nodes of one kind become NVLink domains.
void joinByNvlink(Cluster& cluster, int stated, std::vector<std::string>& assumptions) {
    for (std::size_t from = 0; from < cluster.nodes.size();) {
        const Node& first = cluster.nodes[from];
        std::size_t end = from;
        while (end < cluster.nodes.size() && cluster.nodes[end].kind == first.kind &&
               cluster.nodes[end].gpus == first.gpus)
            ++end;
        const DeviceKind& kind = *findKind(cluster, first.kind);
        const int gpus = stated > 0 ? stated : kind.nvlinkDomain;
        const int most = gpus / first.gpus;
        if (most > 1 && end - from > 1 && reachesSwitch(kind)) {
            const int each = nodesOfDomain(static_cast<int>(end - from), most);
            for (std::size_t n = from; n < end; n += static_cast<std::size_t>(each)) {
                NvlinkDomain domain;
                domain.id = fmt::format("d{}", cluster.nvlinkDomains.size() + 1);
                domain.latency = first.intraLatency;
                for (std::size_t k = n; k < std::min(end, n + static_cast<std::size_t>(each)); ++k)
                    domain.nodes.push_back(cluster.nodes[k].id);
                cluster.nvlinkDomains.push_back(std::move(domain));
            }
            if (stated == 0)
                assumptions.push_back(fmt::format("NVLink domain not stated, {} GPUs taken", gpus));
        }
        from = end;
    }
}

} // namespace

Result<Cluster> runCluster(const GpuText& gpus, const NetworkText& network, int gpuCount, int gpusPerNode,
                           int nvlinkDomain, const CommConstants& constants,
                           std::vector<std::string>& assumptions) {
    Cluster cluster;
    int drawn = 0;
    for (const GpuPart& part : gpus.parts) {
        const bool builtin = [&] {
            const DeviceKind* known = Catalogue::builtin().find(part.kind.name);
            return known && *known == part.kind;
        }();
        const bool listed = std::any_of(cluster.kinds.begin(), cluster.kinds.end(),
                                        [&](const DeviceKind& k) { return k.name == part.kind.name; });
        if (!builtin && !listed)
            cluster.kinds.push_back(part.kind);
        const int each = std::max(1, part.perNode > 0 ? part.perNode : gpusPerNode);
        int left = part.count > 0 ? part.count : gpuCount;
        drawn += left;
        if (drawn > gpuCount)
            break;
        while (left > 0) {
            Node node;
            node.id = fmt::format("n{}", cluster.nodes.size() + 1);
            node.kind = part.kind.name;
            node.gpus = std::min(left, each);
            node.intraBandwidth = fabricOf(part.kind, network);
            left -= node.gpus;
            cluster.nodes.push_back(std::move(node));
        }
    }
    if (drawn != gpuCount)
        return unsupported("gpu",
                           {"names {drawn} GPUs, n_gpus is {gpus}", {{"drawn", drawn}, {"gpus", gpuCount}}});
    if (cluster.nodes.size() < 2)
        return cluster;
    joinByNvlink(cluster, nvlinkDomain > 0 ? nvlinkDomain : network.nvlinkDomain, assumptions);
    cluster.switches.push_back({"s1", {}, {}});
    std::vector<std::string> said;
    for (const Node& node : cluster.nodes) {
        const DeviceKind& kind = *findKind(cluster, node.kind);
        const NodePorts ports = nodePorts(network, kind, gpusPerNode, constants);
        Link link;
        link.id = node.id + "-s1";
        link.a = node.id;
        link.b = "s1";
        link.bandwidth = ports.rate;
        link.lanes = ports.count;
        link.latency = ports.latency;
        link.efficiency = usableShare(constants, ports.medium);
        // Without remote memory access the host copies every packet, as fast as it can.
        const NetworkKind* medium = networkKind(ports.medium);
        if (!medium || medium->share == &CommConstants::ethernetShare)
            link.flowBandwidth = constants.hostCopyRate;
        cluster.links.push_back(std::move(link));
        cluster.switches[0].medium = ports.medium;
        for (const std::string& text : ports.assumptions)
            if (std::find(said.begin(), said.end(), text) == said.end())
                said.push_back(text);
    }
    assumptions.insert(assumptions.end(), said.begin(), said.end());
    return cluster;
}

} // namespace pw
