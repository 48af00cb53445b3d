// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/problem/problem.h"

#include <optional>
#include <vector>

namespace pw::whatif {

// Devices that go to a stage, and those of it that the stage of origin gets for them; none: a plain move.
struct DeviceMove {
    std::vector<DeviceIndex> there, back;
    int from = -1; // the stage of origin; -1: the devices were unused, those that come back are
    Plan plan;
};

// What comes nearest to a move that moveDevices() refuses: the fewest further devices of the same origin that
// make whole replicas on both sides, those of the same replica, then of the same node first; where no number
// does, a swap for as many of the stage's own, or of all devices of both stages. Above 16 devices only whole
// tensor-parallel groups are tried. None if no plan comes of that either, or if the devices come from several
// stages. Memory is not asked: what is offered may not fit, as any edit may.
std::optional<DeviceMove> nearestMove(const Problem& problem, const Plan& plan,
                                      const std::vector<DeviceIndex>& devices, int stage);

// The move that was asked for and no other device, which moveDevices() refuses since a micro-batch has fewer
// sequences than it would make replicas: at the smallest larger micro-batch, up to 1,024 sequences, where it
// does not. None if none is enough, or something else stands against it.
std::optional<Plan> moveAtLargerMicrobatch(const Problem& problem, const Plan& plan,
                                           const std::vector<DeviceIndex>& devices, int stage);

} // namespace pw::whatif
