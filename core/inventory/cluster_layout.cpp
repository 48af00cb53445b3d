// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/cluster_layout.h"

#include "core/cluster/drawing_room.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace pw {

namespace {

constexpr int kRow = 16;                                                   // nodes in a row of the drawing
constexpr double kGrid = 16.0, kSwitchStep = kNodeStep, kSwitchY = -160.0; // px; a switch is narrower

// Over the middle of what they join, side by side where that is one place.
void placeRow(std::vector<std::pair<double, Switch*>> row, double y) {
    std::ranges::stable_sort(row, {}, &std::pair<double, Switch*>::first);
    double free = -1e9;
    for (auto& [middle, item] : row) {
        const double x = std::max(free, kGrid * std::round(middle / kGrid));
        item->at = {x, y};
        free = x + kSwitchStep;
    }
}

} // namespace

void placeItems(Cluster& cluster) {
    double y = 0.0;
    for (std::size_t first = 0; first < cluster.nodes.size(); first += kRow) {
        double height = 0.0;
        for (std::size_t i = first; i < std::min(first + kRow, cluster.nodes.size()); ++i) {
            cluster.nodes[i].at = {kNodeStep * static_cast<double>(i - first), y};
            height = std::max(height, nodeRoom(cluster.nodes[i].gpus));
        }
        y += height + kGrid;
    }
    std::set<std::string> switches;
    for (const Switch& item : cluster.switches)
        switches.insert(item.id);
    std::map<std::string, int> height; // of a switch over the nodes
    for (int round = 0; round < kRow; ++round)
        for (const Link& link : cluster.links)
            if (switches.contains(link.b))
                height[link.b] = std::max(height[link.b],
                                          switches.contains(link.a) ? std::min(height[link.a] + 1, kRow) : 0);
    std::map<std::string, double> places;
    for (const Node& node : cluster.nodes)
        places[node.id] = node.at.x;
    for (int level = 0; level <= kRow; ++level) {
        std::map<std::string_view, std::pair<double, int>> below; // of a switch, what it joins: sum and count
        for (const Link& link : cluster.links)
            if (const auto at = places.find(link.a);
                at != places.end() && switches.contains(link.b) && height[link.b] == level) {
                below[link.b].first += at->second;
                ++below[link.b].second;
            }
        std::vector<std::pair<double, Switch*>> row;
        for (Switch& item : cluster.switches)
            if (height[item.id] == level) {
                const auto& [sum, count] = below[item.id];
                row.emplace_back(count > 0 ? sum / count : 0.0, &item);
            }
        placeRow(row, kSwitchY * (level + 1));
        for (const auto& [middle, item] : row)
            places[item->id] = item->at.x;
    }
}

} // namespace pw
