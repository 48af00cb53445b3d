// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cost.h"

namespace pw {

// What becomes of a unit's roofline before stages are summed of it.

// Passes so many times as long, and what belongs to them.
void scaleTimes(UnitCost& unit, double forward, double backward);

// Puts a measured time in place of the roofline's; what the roofline alone knows (the share of the weight
// gradient, of recompute) keeps its proportion.
void takeMeasured(UnitCost& unit, const TimedCost& time, double speed, bool full);

// Under ZeRO-3 the weights of a unit are gathered before either pass and its gradients scattered after the
// backward one, for every micro-batch. Where the next unit's gather runs beside the computation, which slows
// it a little, only what is longer than it counts.
void shardWeights(UnitCost& unit, const Problem& problem, const CostConfig& config);

// A divided block in place of its tensor-parallel twin, whose roofline is `whole` and whose time as it is
// believed is `timed`: what a measurement says of the one is taken to hold for the other. Norms and biases
// are held whole.
UnitCost dividedUnit(const Problem& problem, const CostConfig& config, const UnitCost& whole,
                     const UnitCost& timed);

// The head with `depth` layers that predict further tokens behind it: each a junction, a block like the last
// one, and the head once more, whose weights are there already.
UnitCost withFurtherTokens(const UnitCost& head, const UnitCost& junction, const UnitCost& block,
                           std::int64_t depth);

} // namespace pw
