// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/partition.h"

namespace pw::partition {

// A partition of a stack of blocks beside the other strategies for the operators of a stage: tensor
// parallelism of every size, with data parallelism over the rest of the devices, with and without sequence
// parallelism. All from the same prices, on the same devices, for the same batch.
struct TensorParallel {
    int tp = 1, dp = 1;
    bool sequenceParallel = false;
    StackFigures figures;
    bool fits = false;
};

struct Comparison {
    Partition partition; // the fastest that fits; if none does, the fastest
    bool fits = false;
    std::vector<TensorParallel> others; // those that model and batch can be divided by
    double room = 0.0;                  // bytes that a device has for it: capacity less the recipe's reserve
    std::size_t ways = 0;               // that were priced

    // The fastest of `others` that fits, or of all if none does; with sequence parallelism or without. Null
    // if there is none.
    const TensorParallel* best(bool sequenceParallel) const;
    // Throughput of the partition over the fastest tensor parallelism of that sort, as predicted. Compares
    // like with like: 0 if only one of them fits, or there is none.
    double ratio(bool sequenceParallel) const;
    // The fastest strategy that fits: null for the partition itself.
    const TensorParallel* chosen() const;
};

Result<Comparison> compareStrategies(const Problem& problem, std::vector<DeviceIndex> devices,
                                     const SpaceOptions& options, int blocks, int threads = 0);

} // namespace pw::partition
