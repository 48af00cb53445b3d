// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include "core/cluster/topology.h"

#include <span>
#include <string>
#include <vector>

namespace pw {

// Communication times over the drawn graph, contention-free between different groups: what one transfer or
// one collective takes while nothing else runs. Inside one operation the flows do share: every link, in each
// direction, carries the sum of what crosses it, and every GPU's port what that GPU sends or receives.
// Reconstruction (design reference 2.1): time = latency + max over links and ports of bytes / bandwidth.

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

// Hands one micro-batch's activation of `bytes` (all sequences) from one stage to the next. Sequences keep
// their order, so sender and receiver copies meet where their shares overlap. Tensor-parallel ranks each move
// their slice; if the receivers need the whole tensor on every rank (`gatherAtReceiver`: no sequence
// parallelism) they gather it inside the node afterwards.
TransferCost boundaryTransfer(const Topology& topology, std::span<const RankGroup> from,
                              std::span<const RankGroup> to, Bytes bytes, bool gatherAtReceiver);

enum class Collective { AllReduce, ReduceScatter, AllGather };

// Rings that run at the same time, each over its own devices in order, each on `bytes` per rank. All-reduce
// moves 2(d-1)/d of them past every rank, the other two (d-1)/d. A ring of one rank takes nothing.
Seconds ringTime(const Topology& topology, const std::vector<std::vector<DeviceIndex>>& rings,
                 Collective collective, Bytes bytes);

// The same for one ring inside a node: the tensor-parallel case.
Seconds ringTimeInNode(BytesPerSecond bandwidth, Seconds latency, int ranks, Collective collective,
                       Bytes bytes);

} // namespace pw
