// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/run_cluster.h"

#include "core/calibrate/unsupported.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

// Of a line's rate, what TCP carries in Ethernet frames of 1500 bytes: 1448 of 1538 with headers and gaps.
constexpr double kTcpPayload = 0.94;

// Bandwidth between two GPUs of a node where the kind's own does not hold.
BytesPerSecond fabricOf(const DeviceKind& kind, const NetworkText& network) {
    if (network.intraRate.value > 0.0)
        return network.intraRate;
    return network.pcie && !network.nvlink ? kind.pcie : BytesPerSecond(0.0);
}

} // namespace

Result<Cluster> runCluster(const GpuText& gpus, const NetworkText& network, int gpuCount, int gpusPerNode,
                           const CommConstants& constants, std::vector<std::string>& assumptions) {
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
        // Without remote memory access the host copies every packet, as fast as it can.
        const bool copied = ports.medium == "Ethernet" || (ports.medium.empty() && ports.rate.value < 12.5e9);
        link.efficiency =
            copied ? std::min(kTcpPayload, constants.hostCopyRate / ports.rate) : constants.rdmaShare;
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
