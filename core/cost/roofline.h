// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/cost/cost.h"
#include "core/model/operators.h"

namespace pw {

// Times and bytes of one layer from its operators (core/model/operators.h) and what each takes on the device
// (core/cost/device_time.h). A pass is never faster than the host can launch it: framework calls cost the
// host tens of microseconds each, which is what small layers and small micro-batches wait for.
// Reconstruction.
struct LayerShape {
    LayerKind kind = LayerKind::Attention;
    int block = -1; // of attention and MLP: blocks differ in window and experts
};

UnitCost rooflineLayer(const Problem& problem, const CostConfig& config, const LayerShape& shape);

// What a group of ranks passes round in the forward pass of one layer: keys and values of all ranks of a
// context-parallel group; what one rank of an expert-parallel group sends to all experts. 0 without such a
// group.
struct GroupBytes {
    double context = 0.0, experts = 0.0;
};
GroupBytes groupBytes(const Problem& problem, const CostConfig& config);
// Bytes that groups pass round for one micro-batch and layer, in all of its passes: what all-reduces over a
// tensor-parallel group sum up, what all ranks of a context-parallel group hold together, and what one rank
// of an expert-parallel group sends to all experts.
struct PassedBytes {
    double tensor = 0.0, context = 0.0, experts = 0.0;
};
PassedBytes passedBytes(const Problem& problem, const CostConfig& config, const LayerShape& shape);

// Whether scores stay on chip: as the software states, else 16-bit numbers on a kind that has bf16
// (FlashAttention needs Ampere or later).
bool fusedAttention(const Problem& problem, const DeviceKind& kind);

// Whether attention and hidden state have dropout: as the software states, else where the model's family
// trains with it.
bool hasDropout(const Problem& problem);

// One sequence of the recipe on one rank that does all of it, with what the trainer's software fuses on this
// kind of device.
RankShape wholeShape(const Problem& problem, const DeviceKind& kind);

// Bytes of one step of the optimiser for each parameter: it reads gradient and states and writes states and
// weight. It moves them at ComputeConstants::updateShare of the attainable memory bandwidth.
double updateBytes(const Problem& problem);

} // namespace pw
