// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/cost/cost.h"

namespace pw {

// Times and bytes of one layer's operators from the datasheet: every matrix product takes the larger of its
// FLOP over the attainable peak and its traffic over the attainable bandwidth, every element-wise operator
// its traffic, each plus one kernel launch. Reconstruction (design reference 2.1). Scores and their softmax
// pass through memory unless a fused kernel exists: 16-bit numbers on a kind that has bf16 (FlashAttention
// needs Ampere or later).
struct LayerShape {
    LayerKind kind = LayerKind::Attention;
    int block = -1; // of attention and MLP: blocks differ in window and experts
};

UnitCost rooflineLayer(const Problem& problem, const CostConfig& config, const LayerShape& shape);

bool fusedAttention(const DeviceKind& kind, Precision precision);

} // namespace pw
