// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/haap/option_index.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace pw {

// The least that a stage takes of its devices, whichever recompute mode, schedule and run of blocks it ends
// up with:
//
//     M_low(k) = min over modes [ reserve + states + transient + buffers + n * kept ]   of the cheapest k
//     blocks n = micro-batches in flight that every schedule of the Space keeps there at least
//
// Sharding is settled by the split. A candidate whose stages cannot hold a block each, or not all blocks
// together, is therefore infeasible by the full memory model too, and nothing feasible is discarded.
class MemoryFloor {
public:
    MemoryFloor(const ChainSpace& space, const OptionIndex& index);

    // Bytes on a device; `fromEnd`: stages behind. Blocks from 1.
    double bytes(const OptionIndex::Split& split, int blocks, int fromEnd, bool embedding, bool head) const;
    // Most blocks whose bytes the devices have; 0: not one.
    int mostBlocks(int cls, int devices, int tp, int fromEnd, bool embedding, bool head) const;

    // A stage of a candidate, its layers and recompute aside.
    struct Shape {
        int cls = 0, devices = 0, tp = 1;
    };
    enum class Verdict { MayFit, NoRoomForABlock, TooFewBlocks };
    Verdict judge(const std::vector<Shape>& stages) const; // last stage first

private:
    const ChainSpace& m_space;
    const OptionIndex& m_index;
    mutable std::unordered_map<std::uint64_t, int> m_most;
};

// Micro-batches in flight on a stage that no schedule of the Space goes below.
int leastInFlight(const Space& space, int microbatches, int fromEnd);

} // namespace pw
