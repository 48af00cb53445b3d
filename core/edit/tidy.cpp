// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/edit/arrange.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>

// Rows by switch:
//
//            [spine]  [spine]             further levels of switches, each over what it joins
//      [leaf] [leaf]        [leaf]        switches that nodes are linked to
//     n1 n2 n3 n4         n9  n10         their nodes: a block for each switch, or for switches that share
//     n5 n6 n7 n8         n11 n12         nodes; a domain of NVLink begins a row
//
// Blocks stand beside each other as far as kRow goes (under spines further), then below. Nodes without a link
// are the last block.

namespace pw {

namespace {

constexpr double kStep = 16.0;           // px, of the drawing's grid
constexpr double kGap = 2.0 * kStep;     // between boxes
constexpr double kLevel = 4.0 * kStep;   // between levels, and between blocks
constexpr double kSpines = 2.0 * kLevel; // between switches of switches: room for what leads past them
constexpr double kRow = 16.0 * 288.0;    // 16 nodes
constexpr std::size_t kAlone = static_cast<std::size_t>(-1);

double up(double v) {
    return std::ceil(v / kStep) * kStep;
}

// The drawing as indices into its boxes.
struct Graph {
    std::vector<int> level;          // 0: node; 1: switch of nodes; and so on
    std::vector<std::size_t> domain; // kAlone: in none
    std::vector<std::vector<std::size_t>> neighbours;
    std::vector<std::size_t> block; // the lowest index of what stands together
};

Graph graphOf(const Cluster& cluster, const std::vector<ItemBox>& boxes) {
    std::map<std::string_view, std::size_t> index;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        index.emplace(boxes[i].id, i);
    Graph graph{std::vector<int>(boxes.size(), 0), std::vector<std::size_t>(boxes.size(), kAlone),
                std::vector<std::vector<std::size_t>>(boxes.size()), std::vector<std::size_t>(boxes.size())};
    for (const Switch& item : cluster.switches)
        if (const auto at = index.find(item.id); at != index.end())
            graph.level[at->second] = -1;
    for (const Link& link : cluster.links) {
        const auto a = index.find(link.a), b = index.find(link.b);
        if (a == index.end() || b == index.end())
            continue;
        graph.neighbours[a->second].push_back(b->second);
        graph.neighbours[b->second].push_back(a->second);
    }
    // Level by level from the nodes up; switches that lead to none are as those of nodes.
    std::vector<std::size_t> reached;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        if (graph.level[i] == 0)
            reached.push_back(i);
    for (std::size_t next = 0; next < reached.size(); ++next)
        for (const std::size_t other : graph.neighbours[reached[next]])
            if (graph.level[other] < 0) {
                graph.level[other] = graph.level[reached[next]] + 1;
                reached.push_back(other);
            }
    std::ranges::replace(graph.level, -1, 1);

    std::iota(graph.block.begin(), graph.block.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
        while (graph.block[i] != i)
            i = graph.block[i] = graph.block[graph.block[i]];
        return i;
    };
    const auto unite = [&](std::size_t a, std::size_t b) {
        const std::size_t ra = root(a), rb = root(b);
        graph.block[std::max(ra, rb)] = std::min(ra, rb);
    };
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (const std::size_t other : graph.neighbours[i])
            if (graph.level[i] == 0 && graph.level[other] <= 1)
                unite(i, other);
    for (std::size_t d = 0; d < cluster.nvlinkDomains.size(); ++d) {
        std::size_t first = kAlone;
        for (const std::string& id : cluster.nvlinkDomains[d].nodes)
            if (const auto at = index.find(id); at != index.end()) {
                graph.domain[at->second] = d;
                unite(at->second, first == kAlone ? at->second : first);
                first = at->second;
            }
    }
    for (std::size_t i = 0; i < boxes.size(); ++i)
        graph.block[i] = root(i);
    return graph;
}

struct Block {
    std::vector<std::size_t> switches, nodes;
    double width = 0.0, height = 0.0;
};

std::vector<Block> blocksOf(const Graph& graph) {
    std::map<std::size_t, Block> blocks;
    Block loose;
    for (std::size_t i = 0; i < graph.level.size(); ++i) {
        if (graph.level[i] > 1)
            continue;
        const bool alone = graph.neighbours[i].empty() && graph.domain[i] == kAlone;
        Block& block = alone ? loose : blocks[graph.block[i]];
        (graph.level[i] == 0 ? block.nodes : block.switches).push_back(i);
    }
    std::vector<Block> all;
    all.reserve(blocks.size() + 1);
    for (auto& [first, block] : blocks)
        all.push_back(std::move(block));
    if (!loose.nodes.empty() || !loose.switches.empty())
        all.push_back(std::move(loose));
    return all;
}

std::size_t columnsFor(std::size_t count) {
    const auto square = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    return count <= 6 ? std::max<std::size_t>(1, count) : std::max<std::size_t>(4, square);
}

// Puts a block's boxes relative to its corner and measures it.
void layBlock(const Graph& graph, std::vector<ItemBox>& boxes, Block& block) {
    std::ranges::stable_sort(block.nodes, {}, [&](std::size_t i) { return graph.domain[i]; });
    std::map<std::size_t, std::size_t> sizes; // of each domain
    double wide = 0.0, high = 0.0;
    for (const std::size_t i : block.nodes) {
        ++sizes[graph.domain[i]];
        wide = std::max(wide, up(boxes[i].width) + kGap);
        high = std::max(high, up(boxes[i].height) + kGap);
    }
    std::size_t columns = 1;
    for (const auto& [domain, size] : sizes)
        columns = std::max(columns, columnsFor(size));
    block.width = block.nodes.empty() ? 0.0 : wide * static_cast<double>(columns) - kGap;

    double switchWide = 0.0, switchHigh = 0.0;
    for (const std::size_t i : block.switches) {
        switchWide = std::max(switchWide, up(boxes[i].width) + kGap);
        switchHigh = std::max(switchHigh, up(boxes[i].height) + kGap);
    }
    const std::size_t perRow =
        block.nodes.empty() || switchWide == 0.0
            ? columnsFor(block.switches.size())
            : std::max<std::size_t>(1, static_cast<std::size_t>((block.width + kGap) / switchWide));
    for (std::size_t k = 0; k < block.switches.size(); ++k) {
        const std::size_t line = k / perRow;
        const std::size_t inRow = std::min(perRow, block.switches.size() - line * perRow);
        const double row = switchWide * static_cast<double>(inRow) - kGap;
        block.width = std::max(block.width, row);
        ItemBox& box = boxes[block.switches[k]];
        box.x = up((block.width - row) / 2.0) + switchWide * static_cast<double>(k % perRow);
        box.y = switchHigh * static_cast<double>(line);
        block.height = box.y + switchHigh;
    }
    if (!block.switches.empty() && !block.nodes.empty())
        block.height += kLevel - kGap;

    std::size_t column = 0;
    double y = block.height;
    for (std::size_t k = 0; k < block.nodes.size(); ++k) {
        const std::size_t i = block.nodes[k];
        if (k > 0 && (column == columns || graph.domain[i] != graph.domain[block.nodes[k - 1]])) {
            column = 0;
            y += high;
        }
        boxes[i].x = wide * static_cast<double>(column++);
        boxes[i].y = y;
        block.height = y + high;
    }
}

// The blocks in rows from y on; those under further switches in one row as long as that is not too long, for
// what leads up from a second one passes through the first.
void layBlocks(std::vector<ItemBox>& boxes, const std::vector<Block>& blocks, double y, bool underSwitches) {
    constexpr double kOneRow = 2.5 * kRow;
    double area = 0.0, all = 0.0;
    for (const Block& block : blocks) {
        area += (block.width + kLevel) * (block.height + kLevel);
        all += block.width + kLevel;
    }
    double row = std::max(kRow, std::sqrt(3.0 * area));
    if (underSwitches && all <= kOneRow)
        row = std::max(row, all);
    double x = 0.0, below = y;
    for (const Block& block : blocks) {
        if (x > 0.0 && x + block.width > row) {
            x = 0.0;
            y = below;
        }
        for (const auto* part : {&block.switches, &block.nodes})
            for (const std::size_t i : *part) {
                boxes[i].x += x;
                boxes[i].y += y;
            }
        x += block.width + kLevel;
        below = std::max(below, y + block.height + kLevel);
    }
}

// A level of switches as a row at y, kSpines apart, each as near as it can be to the middle of what it joins
// below.
void layLevel(const Graph& graph, std::vector<ItemBox>& boxes, int level, double y) {
    std::vector<std::pair<double, std::size_t>> row; // wanted x
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (graph.level[i] != level)
            continue;
        double sum = 0.0, count = 0.0;
        for (const std::size_t other : graph.neighbours[i])
            if (graph.level[other] == level - 1) {
                sum += boxes[other].x + boxes[other].width / 2.0;
                ++count;
            }
        row.emplace_back(sum / std::max(1.0, count) - boxes[i].width / 2.0, i);
    }
    std::ranges::stable_sort(row, {}, &std::pair<double, std::size_t>::first);
    double next = 0.0, off = 0.0;
    for (const auto& [wanted, i] : row) {
        boxes[i].x = i == row.front().second ? up(wanted) : std::max(up(wanted), next);
        boxes[i].y = y;
        next = boxes[i].x + up(boxes[i].width) + kSpines;
        off += (boxes[i].x - wanted) / static_cast<double>(row.size());
    }
    for (const auto& [wanted, i] : row) // those that gave way did so to the right
        boxes[i].x -= up(off - kStep / 2.0);
}

} // namespace

Result<Project> tidyItems(const Project& project, const std::vector<ItemBox>& boxes) {
    std::vector<ItemBox> laid, locked;
    for (const ItemBox& box : boxes)
        (project.annotations.locked.contains(box.id) ? locked : laid).push_back(box);
    if (laid.empty())
        return project;
    double left = laid.front().x, top = laid.front().y;
    for (const ItemBox& box : laid) {
        left = std::min(left, box.x);
        top = std::min(top, box.y);
    }
    const Graph graph = graphOf(project.cluster, laid);
    std::vector<Block> blocks = blocksOf(graph);
    for (Block& block : blocks)
        layBlock(graph, laid, block);
    const int levels = std::ranges::max(graph.level);
    double tallest = 0.0;
    for (std::size_t i = 0; i < laid.size(); ++i)
        if (graph.level[i] > 1)
            tallest = std::max(tallest, up(laid[i].height) + kLevel);
    layBlocks(laid, blocks, tallest * std::max(0, levels - 1), levels > 1);
    for (int level = 2; level <= levels; ++level)
        layLevel(graph, laid, level, tallest * (levels - level));

    // To the corner where the drawing stood, or below what is locked if that is in the way.
    double first = laid.front().x, right = first, bottom = 0.0;
    for (const ItemBox& box : laid) {
        first = std::min(first, box.x);
        right = std::max(right, box.x + box.width);
        bottom = std::max(bottom, box.y + box.height);
    }
    left = up(left);
    top = up(top);
    double below = top;
    for (const ItemBox& box : locked)
        if (box.x < left + right - first && box.x + box.width > left && box.y < top + bottom &&
            box.y + box.height > top)
            below = std::max(below, up(box.y + box.height) + kLevel);
    std::map<std::string_view, Point> places;
    for (const ItemBox& box : laid)
        places[box.id] = {box.x - first + left, box.y + below};
    Project edited = project;
    const auto put = [&places](auto& items) {
        for (auto& item : items)
            if (const auto place = places.find(item.id); place != places.end())
                item.at = place->second;
    };
    put(edited.cluster.nodes);
    put(edited.cluster.switches);
    return edited;
}

} // namespace pw
