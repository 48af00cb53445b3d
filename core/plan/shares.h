// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cost.h"
#include "core/plan/plan.h"

namespace pw {

// Who of a stage's replicas gets how many sequences of a micro-batch.

// `total` sequences over replicas by speed (sequences per second), largest remainder first, at least one
// each: the data balancer of Metis (published: repository SamsungLabs/Metis). Empty if there are fewer than
// replicas.
std::vector<std::int64_t> sharesBySpeed(std::int64_t total, const std::vector<double>& speeds);

// The same for a stage whose replicas are drawn but for their shares: speed is that of a block at the mean
// number of sequences, on each replica's own kind of device.
std::vector<std::int64_t> sequencesBySpeed(const Problem& problem, const CostTable& table, const Stage& stage,
                                           std::int64_t microbatchSize);

// Whether the replicas stand on devices of different kind or speed.
bool mixesDevices(const Problem& problem, const Stage& stage);

} // namespace pw
