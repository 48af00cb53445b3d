// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/comm/comm.h"
#include "core/cost/cost.h"
#include "core/evaluate/evaluation.h"
#include "core/partition/block_ways.h"

#include <functional>

namespace pw {

// What evaluation and the planners' inner loops share, so that a plan has one time whoever asks for it.

// Gradient sync and optimiser step of a stage, after its last backward.
struct StageTail {
    double inner = 0.0;     // sums inside each replica, before all others: of a tensor partition
    Traffic sync;           // data-parallel reduction, and gather under ZeRO-1
    double tied = 0.0;      // exchange of a tied embedding's gradient between first and last stage
    double optimizer = 0.0; // stepTime() on its slowest device
};

// From the optimiser's step to the next iteration.
double stepTime(const Problem& problem, const StageCost& cost);

// When each stage's gradients are summed. The stages' syncs run behind their last backwards and may meet:
// those that cross the same link or port share it. The exchange of tied embeddings, after that, and transfers
// of different boundaries stay contention-free.
std::vector<double> syncEnds(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails);

// End of the iteration: the pipeline with every stage's sync behind its last backward, then, once all
// gradients are there (their global norm decides the step), the slowest optimiser step.
double iterationEnd(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails);
// The same where the syncs are known to cross nothing in common.
double iterationEndAlone(const std::vector<double>& lastEnd, const std::vector<StageTail>& tails);

// Fills what a configuration's communication depends on beyond one node: tensor-, context- and
// expert-parallel groups that span nodes (the groups of all replicas at once share the NICs), and under
// ZeRO-3 the gathering of weights. `replicas`: the tensor-parallel groups, those of a replica behind each
// other.
void placeGroups(CostConfig& config, const Problem& problem,
                 const std::vector<std::vector<DeviceIndex>>& replicas, int zero);

// Ranks of a stage that exchange for every micro-batch; of each sort none where all lie inside their nodes.
struct SpanningGroups {
    std::vector<std::vector<DeviceIndex>> tensor, context, experts;
};
SpanningGroups spanningGroups(const Topology& topology, const CostConfig& config,
                              const std::vector<std::vector<DeviceIndex>>& replicas);
// Ranks that hold one layer's weights together where they are sharded.
std::vector<std::vector<DeviceIndex>> weightGroups(const Problem& problem,
                                                   const std::vector<std::vector<DeviceIndex>>& replicas);

// Reduction of a stage's gradients over its replicas, tp groups at the same time, and the gathering of
// stepped weights where the optimiser is sharded. What the software overlaps with the last backward pass is
// taken off; `overlapped` false: not taken off but left to the caller, for bounds (then the tenth that stays
// exposed in any case counts). `passes`: over which it can hide, in those of one micro-batch through the
// whole stage (hidingPasses()). `sums`: of an iteration, each behind a backward pass of its own. Nothing
// under ZeRO-3, which reduces and gathers layer by layer.
Traffic syncTraffic(const Problem& problem, const std::vector<std::vector<DeviceIndex>>& replicas, int zero,
                    const StageCost& cost, bool overlapped = true, double passes = 1.0, double sums = 1.0);

// Between the last backward pass of a stage's first finished chunk and that of its last one, a micro-batch
// goes back through all stages once for each chunk but one: over so many passes of one chunk sums of
// gradients can hide, and the gathering of stepped weights likewise in front. In units of a pass through the
// whole stage.
//
//     chunk 2   B . . .
//     chunk 1           B . . .          4 stages, 3 chunks: 9 passes of a chunk, 3 of a stage
//     chunk 0                   B
double hidingPasses(int stages, int chunks);

// What of a reduction of so many bytes a rank its caller waits for: in buckets, behind a backward pass of so
// many seconds as far as the software hides it.
using Collected = std::function<Traffic(Bytes)>; // what a collective of so many bytes a rank takes
Traffic exposedReduction(const Problem& problem, const Collected& reduction, int zero, double bytes,
                         double backward);
// Ranks over which an optimiser is sharded that so many share.
std::size_t shardSize(const Problem& problem, std::size_t replicas);

// The same on stages over whole nodes that are all alike, or inside one, for any size at no cost: made once,
// from the replicas on the first two of its `nodes`. Only the busiest load is told. Not for optimisers
// sharded over fewer ranks than there are replicas.
class SyncPattern {
public:
    SyncPattern() = default; // one replica: nothing
    SyncPattern(const Problem& problem, const std::vector<std::vector<DeviceIndex>>& replicas, int dp,
                int nodes, int zero);
    Traffic operator()(const Problem& problem, const StageCost& cost, bool overlapped = true) const;

private:
    CollectivePattern m_reduce, m_gather;
    int m_dp = 1, m_zero = 0;
};

// Exchange of the tied matrix' gradient between the ends of a pipeline.
double tiedBytes(const Problem& problem); // of it
double tiedTime(const Problem& problem, const std::vector<std::vector<DeviceIndex>>& first,
                const std::vector<std::vector<DeviceIndex>>& last);

// Fills in what the block costs that a stage's replicas on these devices divide by `ways` (none: nothing to
// fill). Priced for the first replica. checkPlan() has found the ways sound.
void placePartition(CostConfig& config, const Problem& problem, const CostTable& table,
                    const std::vector<DeviceIndex>& devices, const partition::BlockWays& ways);

// Bytes on one device of a stage that holds the activations of `held` micro-batches, in parts where chunks or
// halves of the backward pass hold them.
MemoryParts memoryParts(const Problem& problem, const StageCost& cost, double held);
// The same as one number, in the same order of summation.
double memoryTotal(const Problem& problem, const StageCost& cost, double held);
// Micro-batches whose activations such a device has room for, at most `limit`; may be 0.
int mostHeld(const Problem& problem, const StageCost& cost, Bytes capacity, int limit);

} // namespace pw
