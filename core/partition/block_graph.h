// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/operators.h"
#include "core/partition/transfers.h"
#include "core/problem/problem.h"

namespace pw::partition {

// A tensor of one operator, whole: what a device holds of it are its bytes over the slices along its axes.
struct Tensor {
    double bytes = 0.0;
    std::vector<Axis> axes;
};

// In `phase`, every device that works on the same part of `tensor` but on another part of the axes in `over`
// has a partial sum of it.
struct Reduction {
    Phase phase = Phase::Forward;
    std::vector<Axis> over;
    Tensor tensor;
};

// One operator of a block, for the whole batch.
struct BlockNode {
    std::string name; // "qkv"
    // What is computed: matrix products, attention kernels, passes over memory; and along which axes each of
    // its sizes (or its work as a whole, for passes and kernels) is divided.
    struct Work {
        Operator op;
        std::vector<Axis> groups, m, n, k;
    };
    std::vector<Work> work;
    bool linear = false; // the first piece of work is a product with weights, which a grid can do
    bool copies = false; // may be done twice instead of divided: norms and residuals
    std::vector<Axis> axes;
    std::array<std::int64_t, kAxes> most{}; // slices that an axis can be cut into, powers of two
    std::vector<Reduction> reductions;
    std::vector<Tensor> kept; // for the backward pass
    double weights = 0.0;     // parameters, divided along Inner and Columns
};

// What one operator hands to another: every axis of a tensor under the names that both sides have for it.
struct EdgeTensor {
    double bytes = 0.0;
    std::vector<Axis> from, to;
};
struct BlockEdge {
    std::size_t from = 0, to = 0; // nodes
    std::vector<EdgeTensor> tensors;
};

// The operators of one block as a chain with a few long edges, and its cuts: a long edge leads from the start
// of a segment into it, or from the first node to a cut, so that segments can be solved alone and joined.
// Published for plain attention: nodes 0 add, 1 norm, 2 QKV, 3 QK^T, 4 softmax, 5 scores x V, 6 projection, 7
// add, 8 norm, 9 MLP-in, 10 non-linearity, 11 MLP-out, 12 add; long edges 0 -> 7, 2 -> 5, 7 -> 12; cuts 0, 2,
// 7, 12. This project also cuts at 5, where the edge from 2 ends; where attention is one kernel, 3 to 5 are
// one node and only the residuals are cuts. The last node is the next block's first.
struct BlockGraph {
    std::vector<BlockNode> nodes;
    std::vector<BlockEdge> edges;
    std::vector<std::size_t> cuts;
    double elementBytes = 2.0;  // of an activation
    double gradientBytes = 4.0; // of a parameter's gradient
};

// The blocks of the problem's model, on `sequences` sequences at once. Refuses models whose blocks are not
// plain and alike: experts, latent attention, windows that differ or that are shorter than the sequence.
Result<BlockGraph> blockGraph(const Problem& problem, const DeviceKind& kind, std::int64_t sequences);

// All ways to divide a node over 2^bits devices: published ones (with at most `grids` grids), and for nodes
// that may be copied also splits of the batch with copies. Sequences that cut an axis finer than it goes are
// left out.
std::vector<Sequence> waysOf(const BlockNode& node, int bits, int grids);

// A tensor's bytes on one device.
double bytesOn(const Tensor& tensor, const Sequence& sequence);

// The all-reduces that a sequence needs: phase, bits, bytes of the tensor on each device.
struct AllReduce {
    Phase phase = Phase::Forward;
    Indicator indicator = 0;
    double bytes = 0.0;
};
std::vector<AllReduce> allReducesOf(const BlockNode& node, const Sequence& sequence);

} // namespace pw::partition
