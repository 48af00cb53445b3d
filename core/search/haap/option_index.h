// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/chain.h"

#include <vector>

namespace pw {

// The options of one micro-batch size by what the moves of a search change: the devices of a stage, their
// split into tensor and data parallelism, recompute.
class OptionIndex {
public:
    // Options that differ in recompute, and in how blocks are divided where the Space has partitions.
    struct Split {
        int tp = 1;
        std::vector<int> options; // into ChainSpace::options(), fastest first
    };
    struct Size {
        int devices = 0;
        std::vector<Split> splits; // tp ascending
    };

    explicit OptionIndex(const ChainSpace& space);

    const std::vector<Size>& sizes(int cls) const { return m_sizes[static_cast<std::size_t>(cls)]; }
    const Size* size(int cls, int devices) const;                   // null: no option has so many
    const Split* split(int cls, int devices, int tp) const;         // likewise
    int option(int cls, int devices, int tp, Recompute mode) const; // -1: none

private:
    const ChainSpace& m_space;
    std::vector<std::vector<Size>> m_sizes; // by class, devices ascending
};

// Gives every stage its place in the class it stands on, which is filled node by node from the last stage.
// False if a stage cannot stand there or a class would be entered twice.
bool settle(const ChainSpace& space, Chain& chain);

} // namespace pw
