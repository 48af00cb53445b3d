// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/cluster_layout.h"

#include <algorithm>
#include <map>
#include <set>

namespace pw {

namespace {

constexpr int kRow = 16; // nodes in a row of the drawing
constexpr double kStepX = 144, kStepY = 160, kSwitchStep = 288, kSwitchY = -160;

} // namespace

void placeItems(Cluster& cluster) {
    for (std::size_t i = 0; i < cluster.nodes.size(); ++i)
        cluster.nodes[i].at = {kStepX * static_cast<double>(i % kRow),
                               kStepY * static_cast<double>(i / kRow)};
    std::set<std::string> switches;
    for (const Switch& item : cluster.switches)
        switches.insert(item.id);
    std::map<std::string, int> height; // of a switch over the nodes
    for (int round = 0; round < kRow; ++round)
        for (const Link& link : cluster.links)
            if (switches.contains(link.b))
                height[link.b] = std::max(height[link.b],
                                          switches.contains(link.a) ? std::min(height[link.a] + 1, kRow) : 0);
    std::map<int, int> inRow;
    for (Switch& item : cluster.switches)
        item.at = {kSwitchStep * inRow[height[item.id]]++ + kStepX / 2, kSwitchY * (height[item.id] + 1)};
}

} // namespace pw
