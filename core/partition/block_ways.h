// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/block_graph.h"

namespace pw::partition {

// How one block is divided over a group of devices: a way for each of its operators, in the order of the
// block graph. The graph's first node is left out: it is the residual that ends the block before, and lies as
// the last one does, so that blocks divided like this follow one another. Empty: not divided in this manner.
struct OperatorSequence {
    std::string name; // as operatorNames() has it
    Sequence way;
    bool operator==(const OperatorSequence&) const = default;
};
using BlockWays = std::vector<OperatorSequence>;

// "norm M.M, qkv K.P2x2, ..., add_2 M.M"
std::string text(const BlockWays& ways);

// Of the graph's nodes behind the first one: where two share a name the second one is "norm_2".
std::vector<std::string> operatorNames(const BlockGraph& graph);

// What is wrong with `ways` for 2^bits devices: operators that are missing or not the graph's, sequences that
// do not use the bits up, split an axis that the operator has not or finer than it goes, copy what is not to
// be copied, or hold a grid where none may be (or two). Nothing: waysOf() may hold them, or splits mixed with
// copies, which it leaves out.
struct WayFault {
    std::string name; // of the operator
    Wording wording;
};
std::vector<WayFault> faultsOf(const BlockGraph& graph, int bits, const BlockWays& ways);

} // namespace pw::partition
