// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/block_ways.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw::partition {
namespace {

// Empty if the node may be divided so.
std::string faultOf(const BlockNode& node, int bits, const Sequence& way) {
    if (bitsOf(way) != bits)
        return fmt::format("{} divides {} devices; the stage has {} a replica", text(way), 1 << bitsOf(way),
                           1 << bits);
    if (gridsOf(way) > (node.linear ? 1 : 0))
        return node.linear ? fmt::format("{} has more than one spatial-temporal primitive", text(way))
                           : fmt::format("{} has the spatial-temporal primitive, which is for products with "
                                         "weights",
                                         text(way));
    for (const Step& step : way) {
        if (step.kind == Step::Kind::Copy && !node.copies)
            return fmt::format("{} copies; only norms and residuals may be done twice", text(way));
        if (step.kind == Step::Kind::Split && std::ranges::find(node.axes, step.axis) == node.axes.end())
            return fmt::format("{}: no axis of this operator is {}", text(way), text(Sequence{step}));
    }
    for (const Axis axis : node.axes)
        if (const std::int64_t most = node.most[static_cast<std::size_t>(axis)];
            slicesAlong(way, axis) > most)
            return fmt::format("{} cuts {} into {} parts; expected at most {}", text(way),
                               text(Sequence{split(axis)}), slicesAlong(way, axis), most);
    return {};
}

} // namespace

std::string text(const BlockWays& ways) {
    std::string list;
    for (const OperatorSequence& own : ways)
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", own.name, text(own.way));
    return list;
}

std::vector<std::string> operatorNames(const BlockGraph& graph) {
    std::vector<std::string> names;
    for (std::size_t n = 1; n < graph.nodes.size(); ++n) {
        const std::string& name = graph.nodes[n].name;
        const bool again = std::ranges::find(names, name) != names.end();
        names.push_back(again ? name + "_2" : name);
    }
    return names;
}

std::vector<WayFault> faultsOf(const BlockGraph& graph, int bits, const BlockWays& ways) {
    const std::vector<std::string> names = operatorNames(graph);
    std::vector<WayFault> faults;
    for (const std::string& name : names)
        if (std::ranges::find(ways, name, &OperatorSequence::name) == ways.end())
            faults.push_back({name, "is missing; every operator of a block needs its sequence"});
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const auto at = std::ranges::find(names, ways[i].name);
        if (at == names.end())
            faults.push_back({ways[i].name, "is no operator of this model's blocks"});
        else if (const std::string fault = faultOf(
                     graph.nodes[static_cast<std::size_t>(at - names.begin()) + 1], bits, ways[i].way);
                 !fault.empty())
            faults.push_back({ways[i].name, fault});
        else if (i >= names.size() || names[i] != ways[i].name)
            faults.push_back({ways[i].name, "stands in another order than the block's operators"});
    }
    return faults;
}

} // namespace pw::partition
