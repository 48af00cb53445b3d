// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"

namespace pw {

// One kind of stage, linear in its blocks: no run of so many blocks takes less time or memory. Exact where
// all blocks are alike, but for the tail. Leading dense blocks of a model with experts (leadingDense()),
// which weigh little, are counted apart: a line is of the blocks behind them, beside a number of leading
// ones.
struct StageLine {
    double timeBase = 0.0, timeBlock = 0.0;       // s, forward + backward
    double tailBase = 0.0, tailBlock = 0.0;       // s, gradient sync and optimiser step; kNever: has no end
    double fixedBase = 0.0, fixedBlock = 0.0;     // bytes whatever is in flight
    double keptBase = 0.0, keptBlock = 0.0;       // bytes per micro-batch in flight
    double room = 0.0;                            // bytes beside the reserve
    double forwardBase = 0.0, forwardBlock = 0.0; // s, of the forward pass: no run of blocks takes more
    // Of a stage that may recompute some of its blocks: what each one of these takes more, and keeps less per
    // micro-batch in flight. Zero: the option has one mode for all blocks.
    double slowerBlock = 0.0, lighterBlock = 0.0;
    // What each leading block adds, recomputed where that keeps less.
    double timeLead = 0.0, tailLead = 0.0, fixedLead = 0.0, keptLead = 0.0;

    // Of stages that hold so many leading blocks beside.
    StageLine withLead(int lead) const;
    double time(double blocks) const { return timeBase + blocks * timeBlock; }
    double forward(double blocks) const { return forwardBase + blocks * forwardBlock; }
    double tail(double blocks) const { return tailBase + blocks * tailBlock; }
    // Blocks that have to be recomputed, of so many, to fit; at most all of them.
    double recomputed(double blocks, double inFlight) const;
    // Blocks that fit beside so many micro-batches in flight, without recomputing any and with as many as may
    // be; may be negative.
    double fitting(double inFlight) const;
    double mostByMemory(double inFlight) const;
    // Micro-batches in flight that so many blocks leave memory for, none of them recomputed; may be negative.
    double held(double blocks) const {
        return (room - fixedBase - blocks * fixedBlock) / (keptBase + blocks * keptBlock);
    }
    // Blocks that fit and take no longer than `time(k) * perTime + tail(k) * perTail <= limit`, of which as
    // few are recomputed as memory allows; may be negative, and is where the tail does not end.
    double most(double limit, double perTime, double perTail, double inFlight) const;
};

// `option`: index into the options of the Space. The other one takes the option's mode for all blocks.
StageLine stageLine(const ChainSpace& space, int option, bool embedding, bool head);
StageLine wholeStageLine(const ChainSpace& space, int option, bool embedding, bool head);
// A first stage that holds leading blocks alone: at 0 blocks, what it takes at least.
StageLine loneStageLine(const ChainSpace& space, int option);

} // namespace pw
