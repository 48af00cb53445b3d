// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/json.h"

#include <string>

namespace pw {

// Left open, or settled one way or the other.
enum class Choice { Auto, On, Off };
const char* name(Choice c); // "auto", "on", "off"

// How many kernels an elementary operator costs: one each; hand-fused groups (bias and GELU, dropout and
// residual, scale-mask-softmax, norm, optimiser step), as Megatron-LM has them; or what a compiler fuses
// (torch.compile, XLA).
enum class Launch { Eager, Fused, Compiled };
const char* name(Launch launch); // "eager", "fused", "compiled"

// What the host has to call: every kernel, a captured graph a layer, or one graph of the whole iteration.
enum class Graphs { None, Layer, Iteration };
const char* name(Graphs graphs); // "none", "layer", "iteration"

// How the operands of fp8 products are narrowed: a scale a tensor, known from the steps before (delayed) or
// found anew (tensorwise); a scale a row; a scale a block of 128; a scale a block of 32 in hardware (MXFP8);
// four bits with a scale a block of 16 (NVFP4).
enum class Scaling { Tensor, Delayed, Row, Block, Mxfp8, Nvfp4 };
const char* name(Scaling scaling); // "tensor", "delayed", "row", "block", "mxfp8", "nvfp4"

// What the trainer's software does, as capabilities that any framework may have or lack. Predictions depend
// on these alone, never on a framework's name. `Auto` is what the cost model takes for usual.
struct Software {
    Launch kernels = Launch::Fused;
    Choice fusedAttention = Choice::Auto;   // scores stay on chip; auto: 16-bit numbers on a kind with bf16
    Choice overlapGradients = Choice::Auto; // gradients are reduced behind the backward pass; auto: under
                                            // ZeRO-2 and 3 only
    double bucketBytes = 0;                 // of gradients that are reduced at a time; 0 = all in one
    Choice overlapGather = Choice::Auto;    // ZeRO-3 gathers the next layer's weights meanwhile; auto: on
    Choice gradFp32 = Choice::Auto;         // gradients accumulate and are reduced in fp32; auto: on
    Choice perTensor = Choice::Auto; // ZeRO gathers every tensor by itself instead of a layer's or bucket's
                                     // tensors together; auto: off
    Choice ownerBroadcasts = Choice::Auto; // ZeRO-1 deals whole tensors out: gradients are summed for all
                                           // ranks, every owner broadcasts what it stepped; auto: off
    Choice overlapTensor = Choice::Auto; // products are cut up so that tensor-parallel communication overlaps
                                         // with them; auto: off
    Choice overlapTensorBackward = Choice::Auto; // the backward pass's runs behind weight gradients; auto: on
    Choice overlapTransfers = Choice::Auto; // stages compute while their activations and gradients are on the
                                            // way; off: a stage waits until what it sends is there; auto: on
    Choice fusedLoss = Choice::Auto; // cross-entropy in one kernel that works on the 16-bit logits in place;
                                     // auto: off
    Scaling scaling = Scaling::Tensor; // of fp8 operands
    std::string
        products; // library of matrix products, a name of resources/kernels; "" = rates fitted to runs
    std::string attention; // fused attention kernels, likewise; "" = the kind's own share of its peak
    Graphs graphs = Graphs::None;
    Choice overlapParameters = Choice::Auto; // ZeRO-1 gathers stepped weights behind the first forward
                                             // passes; auto: off
    Choice fusedAccumulation = Choice::Auto; // products of weight gradients add to the sum themselves; off: a
                                             // pass a tensor and micro-batch does; auto: on
    Choice fusedUpdate = Choice::Auto; // the optimiser's step reads and writes every state once; off: each of
                                       // its operations, and of the gradient's norm, is a pass; auto: on
    Choice repeatCore = Choice::Auto;  // selective recompute repeats attention's core alone; auto: of fused
                                       // attention every second product too
    Choice weightsFp8 =
        Choice::Auto;          // weights are narrowed once a step and gathered so; auto: for every pass
    double betweenSteps = 0.0; // s after the optimiser's step in which the host reads, logs and loads data,
                               // and no device computes
    double stageStall =
        0.0;            // s that the host of a tensor-parallel rank is held up for each rank of its group,
                        // in both passes of a block, where the stage before or behind is on another node
    int shardRanks = 0; // ZeRO shards over so many neighbouring data-parallel ranks; 0 = all of them
    Choice dropout = Choice::Auto; // masks are kept; auto: on for gpt2, gpt_neo and opt families
    bool operator==(const Software&) const = default;
};

inline bool isOn(Choice choice, bool automatic) {
    return choice == Choice::Auto ? automatic : choice == Choice::On;
}

inline bool overlapsTransfers(const Software& software) {
    return isOn(software.overlapTransfers, true);
}

// What is out of range; `where` is the field's JSON pointer below the recipe ("software/bucket").
Diagnostics softwareProblems(const Software& software);
// File form: {launch, fused_attention, overlap_gradients, bucket, overlap_gather, gradients_fp32,
// per_tensor, owner_broadcasts, overlap_tensor, overlap_tensor_backward, overlap_transfers,
// overlap_parameters, fused_loss, scaling, fused_accumulation, fused_update, repeat_core, weights_fp8,
// products, attention, graphs, between_steps, stage_stall, shard_ranks, dropout}, all optional: what is not
// named stays as `base` has it. Mistakes are recorded in the reader. `rowwise_scales` of older files is read
// too.
Software softwareFromJson(const JsonReader& reader, Software base = {});
Json toJson(const Software& software);

} // namespace pw
