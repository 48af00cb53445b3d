// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/network_text.h"
#include "core/project/project.h"

namespace pw {

// The ports by which a node of the kind is usually linked to a switch: as the catalogue has it
// (DeviceKind::typicalNetwork), but no more than one a GPU. What it does not say is 100 Gbit/s over Ethernet.
NodePorts usualPorts(const Cluster& cluster, const std::string& kind, int gpusPerNode);

// A whole cluster by its sizes: equal nodes, of one kind or of two, linked by the usual ports of their kind
// to one switch; or to one of each kind, which are joined by as many cables as a node has, the fewer and
// slower ones of both; or in racks with a leaf switch each and spine switches that every leaf reaches, all
// together at what lies below a full rack divided by `oversubscription` (whole cables, at least one a spine);
// or on rails, where the n-th port of every node leads to the n-th switch, and a kind with fewer ports is on
// the first of them. Of one kind, a switch for each kind is one switch. A switch that joins kinds of
// different networks is one of Ethernet.
struct ClusterSize {
    enum class Network { OneSwitch, SwitchOfEachKind, LeafAndSpine, Rails };

    std::string kind;
    int nodes = 4;
    std::string otherKind = {};
    int otherNodes = 0; // of the other kind; 0: of one kind
    int gpusPerNode = 8;
    Network network = Network::OneSwitch;
    int nodesPerRack = 4;     // of LeafAndSpine; a rack holds one kind
    int otherGpusPerNode = 0; // of the other kind's nodes; 0: as many as of the first
    int spines = 2;           // of LeafAndSpine, as is the next
    int oversubscription = 2; // to one

    int gpusOfOthers() const { return otherGpusPerNode > 0 ? otherGpusPerNode : gpusPerNode; } // a node
    int gpus() const { return nodes * gpusPerNode + otherNodes * gpusOfOthers(); }
};

// The drawing with that cluster in rows from `at` on. A single node has no network. Kinds are the project's,
// the user's and those that ship. Refused as addNodes().
Result<Project> addCluster(const Project& project, const ClusterSize& size, Point at);

} // namespace pw
