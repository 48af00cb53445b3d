// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pw::partition {

// The segmented dynamic programme over a stack of equal blocks (published), on bare costs.
//
// Operators of a block form a chain 0..n with a few long edges; the last node is the next block's first. What
// an edge costs depends on the ways of both ends, but only through how the tensor lies there: ways that leave
// their output alike form an out class, those that want an input alike an in class of that edge. Segments
// between cuts are extended node by node with the start's class kept open,
//
//     C[x][in j]  = min over out classes y of node j-1:  C[x][y] + e(y, in j)
//     C[x][way j] = cost(way j) + C[x][in j]  (+ e(x, in' j) where the segment's start also feeds j)
//
// joined at cuts the same way, and blocks doubled: log2(blocks) joins, and one more for each further bit of
// the count (reconstruction). O(classes^3), optimal. Joins go through the smallest entries of a row first and
// stop as soon as no other can win, which leaves the result exact and does a fraction of the work.

struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<double> data;
    Matrix() = default;
    Matrix(std::size_t r, std::size_t c, double value) : rows(r), columns(c), data(r * c, value) {}
    double* row(std::size_t r) { return data.data() + r * columns; }
    const double* row(std::size_t r) const { return data.data() + r * columns; }
};

struct StackNode {
    std::vector<double> cost;     // s, by way; at least one
    std::vector<std::size_t> out; // class of the output's layout, by way
    std::size_t outClasses = 1;
};
struct StackEdge {
    std::size_t from = 0, to = 0;
    std::vector<std::size_t> in; // class of the wanted layout, by way of `to`
    Matrix cost;                 // s, not negative: [out class of `from`][in class]
};
struct StackCosts {
    std::vector<StackNode> nodes;  // first and last have the same ways and classes
    std::vector<StackEdge> edges;  // from each node to the next, and the long ones
    std::vector<std::size_t> cuts; // first to last node; see BlockGraph
};

struct StackChoice {
    double cost = 0.0;                            // s, of the first node and all blocks
    std::size_t first = 0;                        // way of the first node
    std::vector<std::vector<std::size_t>> blocks; // ways of nodes 1..n, by block
};

// `blocks` at least 1. `threads` changes how long it takes and nothing else.
StackChoice bestStack(const StackCosts& costs, int blocks, int threads);

// The cheapest block that ends as it begins, so that any number of them follow one another with the same
// ways: the steady state of a deep stack. Its cost is one block's, the first node's left out; `first` is also
// the way of the last node. `ends`: ways that the block may begin and end with; empty = any.
StackChoice bestCycle(const StackCosts& costs, std::span<const std::size_t> ends, int threads);

// What a choice costs, edge by edge.
double costOf(const StackCosts& costs, const StackChoice& choice);

} // namespace pw::partition
