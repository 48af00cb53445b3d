// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <vector>

namespace pw::whatif {

// What the edits of this folder share.

Error refusal(Wording wording);

// The plan, or what checkPlan() has against it, worded for the stage that it concerns.
Result<Plan> checked(const Problem& problem, Plan plan);

// The pipeline that is edited, or why there is none such stage.
Status hasStage(const Plan& plan, int stage);

// The stage's devices, in the order in which its replicas take them.
std::vector<DeviceIndex> devicesOf(const Stage& stage);
bool holds(const std::vector<DeviceIndex>& list, DeviceIndex d);

// The stage on these devices: replicas of tp * cp neighbours, whose shares of a micro-batch are as equal as
// whole sequences allow, or by speed where their devices differ. Says why that cannot be: tp does not divide
// model or devices, a tensor-parallel group would leave its node or mix kinds, a replica would get no
// sequence. Divided operators (Stage::partition) are dropped: they belong to the devices that they were
// chosen for.
Result<Stage> arranged(const Problem& problem, const Pipeline& pipeline, Stage stage,
                       std::vector<DeviceIndex> devices, int tp);
// The same with the tensor-parallel size nearest to the stage's that works.
Result<Stage> arrangedNearest(const Problem& problem, const Pipeline& pipeline, const Stage& stage,
                              const std::vector<DeviceIndex>& devices);

// Fine layers of blocks that each stage holds, over all its chunks; embedding and head do not count.
std::vector<int> innerLayers(const Problem& problem, const Pipeline& pipeline);
// Gives every stage so many, in pipeline order, divided over its chunks by whole blocks; the embedding joins
// the first of them and the head the last. Refused if a chunk is left empty.
Status layOut(const Problem& problem, Pipeline& pipeline, const std::vector<int>& inner);

} // namespace pw::whatif
