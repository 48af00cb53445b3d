// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/cluster/cluster.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What a text says about the way between nodes and inside them: "8x200Gb/s HDR IB per node", "400Gb/s RDMA
// per GPU", "8x NVIDIA ConnectX-7 IB NDR 400Gb/s", "50Gb/s inter, 50Gb/s PCIe intra", "single node NVLink".
// Networks that no training runs over (management, storage) are passed over. Rates of 0 are not stated.
struct NetworkText {
    enum class Per { Unstated, Node, Gpu };

    std::string medium;  // "InfiniBand", "RoCE", "RDMA", "Ethernet", "EFA", "Slingshot"; "" = not stated
    BytesPerSecond rate; // of one port, or of all where `count` is 0
    int count = 0;       // ports; 0 = not stated
    Per per = Per::Unstated;
    BytesPerSecond intraRate; // between GPUs of a node
    bool nvlink = false, pcie = false;
    int nvlinkDomain = 0; // GPUs, of "NVL72"; 0 = not stated
};

NetworkText parseNetwork(std::string_view text);

// The ports by which a node of a run is linked to the others.
struct NodePorts {
    std::string medium;
    BytesPerSecond rate; // of one port
    int count = 1;
    Seconds latency; // of the node's link, usual for the medium
    std::vector<std::string> assumptions;
};

// What the text states, completed by what is usual for the kind (DeviceKind::typicalNetwork).
NodePorts nodePorts(const NetworkText& text, const DeviceKind& kind, int gpusPerNode,
                    const CommConstants& constants);

} // namespace pw
