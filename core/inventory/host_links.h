// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "core/inventory/inventory.h"

#include <optional>
#include <vector>

namespace pw {

// What a host is connected with, inside and out, by what the files say of it.

// Between the GPUs of a node. What a file measures or states wins over the kind's own; no NVLink in a
// matrix that has everything leaves PCIe. Returns what is worth saying of it.
std::vector<Remark> linkInside(const InventoryHost& host, const DeviceKind& kind, Node& node);

// Its way into the network, which all of its NICs are together; empty where the rate of one is not known.
struct HostUplink {
    std::optional<BytesPerSecond> bandwidth; // of a lane
    int lanes = 1;
    std::optional<Seconds> latency;
};
HostUplink uplinkOf(const InventoryHost& host);

} // namespace pw
