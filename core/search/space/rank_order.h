// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cost.h"

#include <string>
#include <vector>

namespace pw {

// GPUs that cost and hold the same.
struct DeviceType {
    CostConfig place; // kind, speed and fabric; the rest as it is by default
    Bytes capacity;
    std::string vendor;
};

// Allowed GPUs in the order in which a job numbers them, node after node, and what they are.
class RankOrder {
public:
    RankOrder(const Topology& topology, const std::vector<std::vector<DeviceIndex>>& nodes);

    int size() const { return static_cast<int>(m_devices.size()); }
    const std::vector<DeviceType>& types() const { return m_types; }
    // Indices into types(), each once, of ranks [first, first + count), ascending.
    std::vector<std::size_t> typesOf(int first, int count) const;
    std::size_t typeOf(int rank) const { return m_typeOfNode[nodeOf(rank)]; }
    bool mixesVendors(const std::vector<std::size_t>& types) const;
    // Whether ranks [first, first + count), cut into runs of `tp`, have no run that leaves its node.
    bool staysInNodes(int first, int count, int tp) const;
    std::vector<DeviceIndex> devices(int first, int count) const;

private:
    std::size_t nodeOf(int rank) const;

    std::vector<DeviceType> m_types;
    std::vector<DeviceIndex> m_devices;
    std::vector<std::size_t> m_typeOfNode;
    std::vector<int> m_end; // ranks up to and with a node
};

// The allowed GPUs of each node that has any, in the order of the file.
std::vector<std::vector<DeviceIndex>> allowedNodes(const Problem& problem);

} // namespace pw
