// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"

#include <vector>

namespace pw {

// Bytes/s that two nodes must reach each other with to be of one sub-cluster. The artifact's configurations
// state 25 and 12.5 GB/s inside a sub-cluster and 0.625 GB/s between them; 100 Gbit/s as attained lies above.
constexpr double kFastNetwork = 1e10;

// Nodes of one class that share a fast network (published: a homogeneous sub-cluster), or of a class that
// shares none so many that stand behind each other. Those of one class have their places in it from the end
// of the pipeline on.
struct SubCluster {
    int cls = 0;
    int first = 0;          // devices of the class in front of it
    int devices = 0;        // of the class
    std::vector<int> sizes; // of submeshes, devices, ascending
    bool operator==(const SubCluster&) const = default;
};

// Submeshes are the Space's, and where these are many its powers of two within a node, powers of two of whole
// nodes and the whole sub-cluster; of more than 32 GPUs without those so small that twice the most stages
// could not use all. Of several nodes only where these share a fast network, unless `anywhere`. Where there
// are few, every node of a class without a fast network is a sub-cluster.
std::vector<SubCluster> harpSubClusters(const ChainSpace& space, bool anywhere = false);

// All orders of up to four sub-clusters; of more, by speed and by memory, either way round. Those of one
// class are alike: the last in the pipeline is the first that is filled.
std::vector<std::vector<int>> harpOrders(const std::vector<SubCluster>& clusters,
                                         const std::vector<ChainClass>& classes);

} // namespace pw
