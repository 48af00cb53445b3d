// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/comm/fabric.h"
#include "core/comm/traffic.h"

#include <span>
#include <string>
#include <vector>

namespace pw {

// Communication times over the drawn graph, contention-free between different operations: what one transfer
// or one collective takes while nothing else runs. Inside one operation the flows do share: every link, in
// each direction, carries the sum of what crosses it, and every GPU's port what that GPU sends or receives.
//
// Reconstruction, calibrated: time = launch + latencies + max over links and ports of bytes / attainable
// rate, for the best of the algorithms that a communication library has. Over n ranks on N nodes, V bytes:
//
//   ring        every rank passes p (n-1)/n V (p = 2 for all-reduce, 1 for reduce-scatter and all-gather),
//               in p (n-1) steps of a link's latency, and copies its own V/n once through its memory
//   low latency the same ring for small messages: no steps to wait for, a fraction of the rate
//   tree        all-reduce over nodes: 2 log2 N hops, at 0.92 of the ring's rate times 0.8, and 2 V of volume
//               (published: NCCL's tuning model, which has 0.5 to 0.9 by size; one figure keeps times
//               concave)
//   in switch   all-reduce in a node whose switch reduces: (1 + 1/n) V past every GPU, out and in
//
// Rings pass through a node once, so that over nodes the larger of the in-node and of the network part
// counts. NICs are the lanes of a node's link. A group with k of a node's G GPUs uses the NICs next to them,
// k/G of all and one at least: whole nodes use the sum, one GPU of each node one rail; groups that use the
// same link at once share its whole bundle. Where a link states what one flow gets, k GPUs get k of them at
// most.
//
// "Inside a node" and "over nodes" speak of what NVLink joins: the nodes of an NVLink domain count as one,
// whose GPUs leave it by the NICs of their own nodes.

// One data-parallel copy of a stage, as a sender or receiver: its devices in tensor-parallel order and the
// share of the micro-batch that it holds.
struct RankGroup {
    std::span<const DeviceIndex> devices;
    double share = 1.0;
};

struct TransferCost {
    Seconds time;
    bool crossesNodes = false;
    // Id of the slowest link crossed, or the kind of the intra-node link; "" if nothing moves.
    std::string link;
};

// Hands one micro-batch's activation of `bytes` (all sequences) from one stage to the next, point to point.
// Sequences keep their order, so sender and receiver copies meet where their shares overlap. Tensor-parallel
// ranks each move their slice; if the receivers need the whole tensor on every rank (`gatherAtReceiver`: no
// sequence parallelism) they gather it inside the node afterwards.
TransferCost boundaryTransfer(const Topology& topology, const CommConstants& constants,
                              std::span<const RankGroup> from, std::span<const RankGroup> to, Bytes bytes,
                              bool gatherAtReceiver);
// What of it moves from the one to the other.
Traffic boundaryTraffic(const Topology& topology, const CommConstants& constants,
                        std::span<const RankGroup> from, std::span<const RankGroup> to, Bytes bytes);

// AllToAll sends V/n from every rank to every other one; Broadcast sends V from the first to all.
enum class Collective { AllReduce, ReduceScatter, AllGather, AllToAll, Broadcast };

// Groups that run the same collective at the same time, each over its own devices, each on `bytes` per rank:
// the whole tensor, sharded or not. Ranks of a node pass data inside it first, whatever their order. A group
// of one takes nothing; no way between two of them takes forever.
Traffic collectiveTraffic(const Topology& topology, const CommConstants& constants,
                          const std::vector<std::vector<DeviceIndex>>& groups, Collective collective,
                          Bytes bytes);
Seconds collectiveTime(const Topology& topology, const CommConstants& constants,
                       const std::vector<std::vector<DeviceIndex>>& groups, Collective collective,
                       Bytes bytes);

// The same time for any size at no cost. For groups over nodes of one switch that are all alike the first two
// may stand for the rest: rings pass through each of them in the same way.
class CollectivePattern {
public:
    CollectivePattern() = default; // groups of one: takes nothing
    // `groups`: what of them lives on the nodes that stand for all; in truth each has `ranks`
    // members on `nodes` nodes. Not for AllToAll. The constants must outlive it.
    CollectivePattern(const Topology& topology, const CommConstants& constants,
                      const std::vector<std::vector<DeviceIndex>>& groups, Collective collective, int ranks,
                      int nodes);
    // The busiest of the loads, and those on cables between switches, which other groups may cross too.
    Traffic operator()(Bytes bytes) const;

private:
    const CommConstants* m_constants = nullptr;
    Collective m_collective = Collective::AllReduce;
    int m_ranks = 1, m_nodes = 1, m_perNode = 1;
    double m_link = 0.0, m_hop = 0.0, m_copy = 0.0; // s, s, bytes/s
    bool m_reducing = false, m_blocked = false;
    Traffic::Load m_busiest;              // for a byte that passes every rank
    std::vector<Traffic::Load> m_between; // likewise, but for the busiest
};

// The same for one group inside a node, to the last bit: the tensor-parallel case.
Seconds collectiveTimeInNode(const CommConstants& constants, const NodeFabric& fabric, int ranks,
                             Collective collective, Bytes bytes);

} // namespace pw
