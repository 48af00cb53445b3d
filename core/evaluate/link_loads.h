// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <array>
#include <vector>

namespace pw {

// What the traffic on a link is for.
enum class LinkUse {
    Activations, // between stages, and their gradients on the way back
    Tensor,      // all-reduces of tensor-parallel groups that span nodes
    Context,     // keys and values of context-parallel groups
    Experts,     // tokens on their way to experts and back
    Weights,     // gathered before each pass, and gradients scattered behind it (ZeRO-3)
    Gradients,   // summed once an iteration, with the gathering of stepped weights and tied embeddings
};
inline constexpr std::size_t kLinkUses = 6;

// One direction of a link over an iteration: s that it is busy at its full usable rate, by use. Whether
// computation hides them is another matter: all of them count.
struct LinkLoad {
    std::array<double, kLinkUses> seconds{};
    double bytes = 0.0; // that cross it, of all uses
    double total() const;
};

// By index into Cluster::links: from its a to its b, and back.
using LinkLoads = std::vector<std::array<LinkLoad, 2>>;

// What a plan asks of every link of the drawing, on the ways that Topology gives it; what ways that are equal
// share is shared evenly. Not counted: what a tensor partition (core/partition) exchanges between nodes, and
// layers that predict further tokens. Of a plan that evaluate() takes.
LinkLoads linkLoads(const Problem& problem, const Plan& plan);

} // namespace pw
