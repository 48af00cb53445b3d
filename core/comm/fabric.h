// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/cluster/topology.h"

namespace pw {

// What joins the GPUs of one node or one NVLink domain, as far as communication times depend on it.
struct NodeFabric {
    Fabric form = Fabric::Pcie;
    int gpus = 1;             // that it joins
    BytesPerSecond bandwidth; // line rate of a GPU's links to its neighbours, one direction
    BytesPerSecond pcie;      // line rate to the host
    BytesPerSecond copy;      // attainable rate of memory to memory copies inside a GPU
    Seconds latency;          // of a link in the node

    // Attainable rate at which each of `ranks` GPUs passes data round a ring, all at once.
    //
    // A switch gives the full rate to any group. A mesh has one link for each neighbour, so that a ring set
    // over k of its G GPUs uses k - 1 of each GPU's G - 1 links. The cube mesh (two quads with 1, 1 and 2
    // cables between their members and a cable or two across; published wiring of the DGX-1) holds as many
    // rings as cables allow: 1, 2, 4, 2, 2, 4, 6 for the first 2 to 8 GPUs, each on one of six cables. A
    // bridge serves two ranks; more, and those without a bridge, go through the host.
    BytesPerSecond ringRate(const CommConstants& constants, int ranks) const;

    // Attainable rate between two GPUs of the node, by slot.
    BytesPerSecond pairRate(const CommConstants& constants, int slotA, int slotB) const;
};

// `stated` is a node's own bandwidth between GPUs, 0 = the kind's. One that is no more than the kind's PCIe
// says that this node has nothing better, and replaces PCIe's.
NodeFabric nodeFabric(const DeviceKind& kind, BytesPerSecond stated, Seconds latency, int gpus);
NodeFabric nodeFabric(const Topology& topology, int node); // of its whole domain

} // namespace pw
