// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/chain.h"

namespace pw {

// One kind of stage, linear in its blocks: no run of so many blocks takes less time or memory. Exact where
// all blocks are alike, but for the tail.
struct StageLine {
    double timeBase = 0.0, timeBlock = 0.0;   // s, forward + backward
    double tailBase = 0.0, tailBlock = 0.0;   // s, gradient sync and optimiser step
    double fixedBase = 0.0, fixedBlock = 0.0; // bytes whatever is in flight
    double keptBase = 0.0, keptBlock = 0.0;   // bytes per micro-batch in flight
    double room = 0.0;                        // bytes beside the reserve

    double time(double blocks) const { return timeBase + blocks * timeBlock; }
    double tail(double blocks) const { return tailBase + blocks * tailBlock; }
    // Blocks that fit beside so many micro-batches in flight; may be negative.
    double byMemory(double inFlight) const {
        return (room - fixedBase - inFlight * keptBase) / (fixedBlock + inFlight * keptBlock);
    }
};

StageLine stageLine(const ChainSpace& space, const StageOption& option, bool embedding, bool head);

} // namespace pw
