// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/comm/fabric.h"

#include <algorithm>
#include <array>

namespace pw {
namespace {

// Directed rings over the first n GPUs of the cube mesh, each on one of a GPU's six cables.
constexpr std::array<double, 9> kCubeRings = {0, 0, 1, 2, 4, 2, 2, 4, 6};
constexpr double kCubeCables = 6.0;
// Of the memory bandwidth, by a collective's own copies: a few units do them beside the computation.
constexpr double kCopyShare = 0.8;

} // namespace

BytesPerSecond NodeFabric::ringRate(const CommConstants& c, int ranks) const {
    const double all = std::max(gpus, ranks);
    switch (form) {
    case Fabric::Switched:
    case Fabric::Reducing:
        return bandwidth * c.switchedShare;
    case Fabric::Mesh:
        return bandwidth * (c.meshShare * (ranks - 1) / std::max(1.0, all - 1.0));
    case Fabric::CubeMesh:
        if (all <= 4.0) // half of it: the quad's cables spread evenly enough
            return bandwidth * (c.directShare * (ranks - 1) / std::max(1.0, all - 1.0));
        return bandwidth *
               (c.directShare * kCubeRings[static_cast<std::size_t>(std::min(ranks, 8))] / kCubeCables);
    case Fabric::Bridge:
        if (ranks == 2)
            return bandwidth * c.directShare;
        break;
    case Fabric::Pcie:
        break;
    }
    return pcie * c.pcieShare;
}

BytesPerSecond NodeFabric::pairRate(const CommConstants& c, int slotA, int slotB) const {
    if (form == Fabric::Bridge && slotA / 2 != slotB / 2)
        return pcie * c.pcieShare;
    return ringRate(c, 2);
}

NodeFabric nodeFabric(const DeviceKind& kind, BytesPerSecond stated, Seconds latency, int gpus) {
    NodeFabric fabric;
    const bool slow = stated.value > 0.0 && stated <= kind.pcie;
    fabric.form = kind.intraBandwidth.value > 0.0 && !slow ? kind.fabric : Fabric::Pcie;
    fabric.gpus = gpus;
    fabric.pcie = fabric.form == Fabric::Pcie && stated.value > 0.0 ? stated : kind.pcie;
    fabric.bandwidth = stated.value > 0.0 ? stated : kind.intraBandwidth;
    fabric.copy = kind.memoryBandwidth * (kind.memoryEfficiency > 0.0 ? kind.memoryEfficiency : kCopyShare);
    fabric.latency = latency;
    return fabric;
}

NodeFabric nodeFabric(const Topology& topology, int node) {
    const Domain& domain = topology.domainOfNode(node);
    return nodeFabric(topology.kindOf(topology.firstOfNode(node)), domain.bandwidth, domain.latency,
                      domain.gpus);
}

} // namespace pw
