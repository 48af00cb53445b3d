// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cost/cost.h"
#include "core/partition/block_ways.h"

namespace pw::partition {

// The seam between the partition space and a stage of a plan: ways chosen for its blocks, and what a block
// then costs one micro-batch.

// Of a block divided over `devices`, a stage's replica, for `sequences` sequences at once, in the steady
// state of a stack of such blocks: published intraC and interC, with what core/partition says of both. Sums
// of weight gradients over devices of the replica that hold the same weights come once an iteration (`sync`),
// behind the last micro-batch. No pass is faster than the host launches it; a grid's further steps are a
// product and two sends each (reconstruction).
//
// Embedding and head stay tensor-parallel, and stages hand each other whole rows, or with sequence
// parallelism slices of them. Bringing those to where the blocks' residuals lie, and back, costs `ends` once
// a stage. Replicas of a stage are priced as if each were alone on the links. Refuses what
// PartitionSpace::make() refuses, and ways that faultsOf() finds fault with.
Result<DividedBlock> dividedBlock(const Problem& problem, const std::vector<DeviceIndex>& devices,
                                  std::int64_t sequences, const BlockWays& ways, bool sequenceParallel);

// Ways for the blocks of a stage that are worth trying, without repetition: the fastest; the fastest whose
// residuals lie where the stage's ends want them; and of both the fastest at a price of memory, for stages
// that have no room. `microbatches` share one sum of weight gradients. Empty if devices or model cannot be
// partitioned. One thread, a few milliseconds for 8 devices.
std::vector<BlockWays> steadyWays(const Problem& problem, const std::vector<DeviceIndex>& devices,
                                  std::int64_t sequences, std::int64_t microbatches, bool sequenceParallel);

} // namespace pw::partition
