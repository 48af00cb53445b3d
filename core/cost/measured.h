// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cost.h"

#include <optional>

namespace pw {

// The measured side of unit costs: which profile rows are believed, and how far they reach beyond themselves.

// The measured or interpolated time of a profiler's layer (0 embedding, 1..blocks, blocks+1 head) at the
// plan's sequence length. Where one row of a layer on a kind is faster than its own matrix products at the
// highest peak of the silicon, forward or backward, no row that its source has of that layer and kind is
// believed.
std::optional<TimedCost> measuredTime(const Problem& problem, const CostConfig& config, int layer);

// How much slower (or faster) than their roofline the measured blocks run, at the believed point nearest to
// `config` in tensor-parallel size, then sequence length, then micro-batch; nothing without measured blocks
// of this kind.
struct RooflineFit {
    double forward = 1.0, backward = 1.0;
};
std::optional<RooflineFit> nearestFit(const Problem& problem, const CostConfig& config);

UnitCost sumOfUnits(const UnitCost& a, const UnitCost& b);

} // namespace pw
