// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pw {

struct SearchOutcome;

// How a question about a problem searches a variant of it: the planner, its budget and whatever every plan
// has to keep to are the caller's.
using Searcher = std::function<Result<SearchOutcome>(const std::shared_ptr<const Problem>&)>;

// Nodes that may be swapped without changing anything, also in what of them is allowed: a class of the
// topology, parted where devices are forbidden. Which of them take part is one number.
struct NodeGroup {
    // "A100-40 x8"; where several groups are of that kind and size, with its nodes: "A100-40 x8 of n9 to
    // n16".
    std::string name;
    int kind = 0; // index into Topology::kinds()
    int gpus = 0; // allowed ones of a node, above 0
    std::vector<int> nodes;
    int count() const { return static_cast<int>(nodes.size()); }
};
std::vector<NodeGroup> nodeGroups(const Problem& problem);
// Kinds of which a device may be used, each once, as the groups have them. They are the problem's own.
std::vector<const DeviceKind*> allowedKinds(const Problem& problem);

using NodeCounts = std::vector<int>; // nodes that take part, a number a group
int gpusOf(const std::vector<NodeGroup>& groups, const NodeCounts& counts);
NodeCounts allNodes(const std::vector<NodeGroup>& groups);
// Nodes with a device that the plan uses.
NodeCounts usedNodes(const Problem& problem, const std::vector<NodeGroup>& groups, const Plan& plan);
// "2 of 2 H100 x8, 0 of 4 V100-32 x4"
std::string countsText(const std::vector<NodeGroup>& groups, const NodeCounts& counts);

// The problem without the last nodes of each group.
Result<std::shared_ptr<const Problem>>
withCounts(const Problem& problem, const std::vector<NodeGroup>& groups, const NodeCounts& counts);
// The problem with more nodes, copies of the first of the group and of its links, outside of NVLink
// domains. An error where that is no cluster: nothing joins the copy to the others.
Result<std::shared_ptr<const Problem>> withExtraNodes(const Problem& problem, const NodeGroup& group,
                                                      int nodes = 1);

// What one more node of a group would bring, or several.
struct ExtraNode {
    int group = 0;
    int nodes = 1;
    Seconds iteration; // of the fastest plan found; 0: none
    Seconds bound;     // no plan of the space takes less; 0: none proven
};
// Of a search of one of these; nothing where there can be no more. `now` as below.
Result<std::optional<ExtraNode>> extraOf(const Problem& problem, const std::vector<NodeGroup>& groups,
                                         std::size_t group, int nodes, Seconds now, const Searcher& searcher);
// One search a group of which there can be one more; the fastest first, groups without a plan last. `now`:
// the fastest plan found without one, which remains possible; 0: none. Ends early where `stop` is set.
Result<std::vector<ExtraNode>> extraNodes(const Problem& problem, const std::vector<NodeGroup>& groups,
                                          Seconds now, const Searcher& searcher, const std::stop_token& stop);

} // namespace pw
