// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/block_ways.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw::partition {
namespace {

// Nothing if the node may be divided so.
std::optional<Wording> faultOf(const BlockNode& node, int bits, const Sequence& way) {
    if (bitsOf(way) != bits)
        return Wording("{way} divides {devices} devices; the stage has {held} a replica",
                       {{"way", text(way)}, {"devices", 1 << bitsOf(way)}, {"held", 1 << bits}});
    if (gridsOf(way) > (node.linear ? 1 : 0))
        return Wording(node.linear ? "{way} has more than one spatial-temporal primitive"
                                   : "{way} has the spatial-temporal primitive, which is for products with "
                                     "weights",
                       {{"way", text(way)}});
    for (const Step& step : way) {
        if (step.kind == Step::Kind::Copy && !node.copies)
            return Wording("{way} copies; only norms and residuals may be done twice", {{"way", text(way)}});
        if (step.kind == Step::Kind::Split && std::ranges::find(node.axes, step.axis) == node.axes.end())
            return Wording("{way}: no axis of this operator is {axis}",
                           {{"way", text(way)}, {"axis", text(Sequence{step})}});
    }
    for (const Axis axis : node.axes)
        if (const std::int64_t most = node.most[static_cast<std::size_t>(axis)];
            slicesAlong(way, axis) > most)
            return Wording("{way} cuts {axis} into {parts} parts; expected at most {limit}",
                           {{"way", text(way)},
                            {"axis", text(Sequence{split(axis)})},
                            {"parts", slicesAlong(way, axis)},
                            {"limit", most}});
    return std::nullopt;
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
        else if (const auto fault = faultOf(graph.nodes[static_cast<std::size_t>(at - names.begin()) + 1],
                                            bits, ways[i].way))
            faults.push_back({ways[i].name, *fault});
        else if (i >= names.size() || names[i] != ways[i].name)
            faults.push_back({ways[i].name, "stands in another order than the block's operators"});
    }
    return faults;
}

} // namespace pw::partition
