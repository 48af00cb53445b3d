// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <vector>

namespace pw {

// The seam between model physics and device physics: what one fine layer makes one rank do for one
// micro-batch. The model knows which products and passes over memory there are; what a device takes for them
// is core/cost's.

// How many passes over memory the elementwise operators of a layer need.
enum class Fusion { None, Hand, Compiler }; // one kernel each; bias+GELU and the like by hand; by a compiler

// One rank's share of a layer.
struct RankShape {
    double sequences = 1.0; // of the micro-batch
    double seq = 0.0;       // tokens of a sequence, all of them
    int tp = 1, cp = 1, ep = 1;
    int expertTp = 0;              // of ep > 1: ranks that cut an expert between them; 0 = tp, else 1
    double expertLoad = 1.0;       // tokens of the busiest of ep ranks over their mean
    bool sequenceParallel = false; // norms and residuals are spread over the tensor-parallel ranks
    bool fusedAttention = true;    // scores never reach memory
    bool fusedLoss = false;        // cross-entropy works on the logits in place
    bool dropout = false;          // masks are drawn and kept
    Fusion fusion = Fusion::Hand;
    double elementBytes = 2.0;
};

enum class OperatorKind { Product, Attention, Memory };

struct Operator {
    OperatorKind kind = OperatorKind::Memory;
    const char* name = "";
    // Product: `groups` matrix products y[m,n] = x[m,k] w[k,n]. With weights its backward pass has two of the
    // same size, input and weight gradient; without (scores) two that both are input gradients.
    double groups = 1.0, m = 0.0, n = 0.0, k = 0.0;
    bool weights = false;
    bool quantised =
        false; // runs in fp8 where the precision is fp8: the products of the blocks, not the head
    // Ranks that each narrow their part of the rows of x, and of the gradient of y, before all gather them:
    // those of sequence parallelism.
    double inputSpread = 1.0, gradientSpread = 1.0;
    // Attention: a fused kernel's FLOP that are needed (half the square under the causal mask), forward pass.
    double flops = 0.0;
    double headDim = 0.0,
           reach = 0.0; // and of one head: its size, and the tokens of a sequence that a call sees
    // Memory: bytes read and written.
    double forwardBytes = 0.0, backwardBytes = 0.0;
    bool core = false; // between the projections: what selective recompute repeats
};

struct LayerOperators {
    std::vector<Operator> list;
    double boundary = 0.0;  // bytes of the activation at the layer's edge, whole (not spread)
    int collectives = 0;    // tensor-parallel all-reduces, forward and backward together,
    double collected = 0.0; // each of so many bytes: the boundary, or what experts are dealt, or nothing
    double kept = 0.0;      // bytes that the backward pass needs
    double keptCore = 0.0;  // of them, the attention core's: freed by selective recompute
    double keptInput = 0.0; // of them, the input of the block: all that full recompute keeps
    double transient = 0.0; // bytes alive during the layer's own pass
    double exchanged = 0.0; // bytes that a rank sends to others for context parallelism, forward pass
    double routed = 0.0;    // bytes that a rank sends to experts elsewhere, one way, forward pass
    int hostOperators = 0;  // framework calls of the forward pass on the host
    double flops() const;   // of the forward pass
};

// Activation bytes follow arXiv 2205.05198 operator by operator, so that grouped heads, gated MLPs, experts
// and latents come out right. `block` counts for attention and MLP only.
LayerOperators layerOperators(const Model& model, LayerKind kind, int block, const RankShape& shape);

} // namespace pw
