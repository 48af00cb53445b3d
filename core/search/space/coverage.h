// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"

namespace pw {

// Whether a plan is one that bounds over the Space speak of: a chain of stages, each of which is an option of
// `space`, under a launch-count schedule that holds no fewer micro-batches than 1F1B. Mixed kinds in a stage,
// unequal shares, cuts inside blocks, interleaved and zero-bubble schedules are not; such a plan may be
// faster than the bound, and its gap is stated against the capacity bound. Where a class is entered twice, or
// stages share nodes in another order than that in which the programme fills them, only prices speak of it.
enum class ChainOrder { Filled, Any };
bool coveredByBound(const ChainSpace& space, const Plan& plan, ChainOrder order = ChainOrder::Filled);
// Whether a plan is that in the space of its own micro-batch size, which is made anew.
bool isChain(const Problem& problem, const Plan& plan, ChainOrder order = ChainOrder::Filled);
// Likewise or, where the order counts, a uniform grid.
bool coveredByBound(const Problem& problem, const Plan& plan, ChainOrder order = ChainOrder::Filled);

// Whether devices, division and recompute of a stage are those of an option; its layers aside.
bool isOption(const ChainSpace& space, const Stage& stage);
// The class whose GPUs these are, in the order in which an option takes them: a run inside one node, or whole
// nodes one after the other. -1 if there is none.
int classOf(const std::vector<ChainClass>& classes, const std::vector<DeviceIndex>& devices);

} // namespace pw
