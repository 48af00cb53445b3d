// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/path.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>

namespace pw {

// Dense number of a GPU in one Topology: nodes in file order, GPUs in slot order.
using DeviceIndex = std::int32_t;

struct Device {
    std::string id; // "n1.g3"
    int node = 0;   // index into Cluster::nodes
    int slot = 0;   // place in the node
    int domain = 0; // index into Topology::domains()
    int kind = 0;   // index into Topology::kinds()
    Bytes memory;   // the kind's less what is taken
    Bytes capacity; // of it, what a plan is planned to hold at most: all, or less to be surer that it fits
    double speed = 1.0;
};

// What NVLink, or a node's own fabric, joins: the nodes of an NVLink domain, or one node of none. Groups
// inside one never touch the network, wherever its nodes begin and end.
struct Domain {
    std::vector<int> nodes; // in file order
    int gpus = 0;
    BytesPerSecond bandwidth; // between two GPUs as it is stated; 0 = the kind's own
    Seconds latency;
    bool spansNodes() const { return nodes.size() > 1; }
    bool operator==(const Domain&) const = default;
};

// Alike domains, or what of them is alike: each member is the nodes of one class in one domain. Without
// NVLink domains a member is a node, and the classes are those of the nodes. What planners count devices by.
struct DomainClass {
    std::string name; // "A100-40 x8", "GB200 x72"
    int kind = 0;
    std::vector<std::vector<int>> members; // nodes in file order
    bool shared = false;                   // nodes of another class are in the same domains
};

// Nodes that may be swapped without changing anything: same kind, GPU count, speed, free memory, and the same
// way into the network. Search states count devices per class; 16,384 GPUs are four numbers.
struct NodeClass {
    std::string name; // "A100-40 x8"
    int kind = 0;
    int gpusPerNode = 0;
    std::vector<int> nodes; // in file order
    int gpus() const { return gpusPerNode * static_cast<int>(nodes.size()); }
};

// What follows from a drawing. Immutable; made once for a Problem and shared by threads.
class Topology {
public:
    // The cluster must have passed checkCluster without errors. `closed`: as PathFinder has it.
    static std::shared_ptr<const Topology> make(const Cluster& cluster, std::vector<bool> closed = {});
    // The same with another capacity of every device, which follows from its memory.
    std::shared_ptr<const Topology> withCapacities(const std::function<Bytes(Bytes)>& capacityOf) const;

    const Cluster& cluster() const { return m_cluster; }
    const std::vector<bool>& closed() const { return m_closed; } // links out of use; empty: none
    const std::vector<DeviceKind>& kinds() const { return m_kinds; }
    const std::vector<Device>& devices() const { return m_devices; }
    const DeviceKind& kindOf(DeviceIndex d) const;
    DeviceIndex find(std::string_view deviceId) const; // -1 if there is none
    DeviceIndex firstOfNode(int node) const;
    const std::vector<NodeClass>& classes() const { return m_classes; }
    int classOfNode(int node) const { return m_classOfNode[static_cast<std::size_t>(node)]; }
    const std::vector<Domain>& domains() const { return m_domains; }
    const Domain& domainOfNode(int node) const {
        return m_domains[static_cast<std::size_t>(m_domainOfNode[static_cast<std::size_t>(node)])];
    }
    bool joined(DeviceIndex a, DeviceIndex b) const { // by NVLink or by their node's fabric
        return m_devices[static_cast<std::size_t>(a)].domain == m_devices[static_cast<std::size_t>(b)].domain;
    }
    const std::vector<DomainClass>& domainClasses() const { return m_domainClasses; }
    Path path(int fromNode, int toNode) const;       // fromNode != toNode
    const std::vector<int>& cables(int node) const { // its links that are in use
        return m_cables[static_cast<std::size_t>(node)];
    }
    BytesPerSecond intraBandwidth(int node) const; // between two GPUs of the node, one direction
    // The narrowest path from the node to any other that it reaches, 0 if it reaches none.
    BytesPerSecond uplink(int node) const;

private:
    void listDomains();
    void listDevices();
    void listClasses();
    void listDomainClasses();
    void findPaths();
    static std::size_t pathPlace(std::size_t from, std::size_t to);

    Cluster m_cluster;
    std::vector<bool> m_closed;
    std::vector<DeviceKind> m_kinds;
    std::vector<Device> m_devices;
    std::vector<DeviceIndex> m_first;
    std::unordered_map<std::string, int> m_nodeById;
    std::vector<Domain> m_domains;
    std::vector<int> m_domainOfNode;
    std::vector<NodeClass> m_classes;
    std::vector<int> m_classOfNode;
    std::vector<DomainClass> m_domainClasses;
    // Nodes of a class have the same cables to the same places, so that one way between two classes (or two
    // nodes of one) stands for all but for its ends: thousands of nodes need no table of pairs.
    std::vector<std::vector<int>> m_cables; // by node: its links, in the order in which its class has them
    std::vector<Path> m_paths;              // by pair of classes, between the first two nodes that differ
};

} // namespace pw
