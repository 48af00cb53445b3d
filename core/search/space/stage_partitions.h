// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/block_ways.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace pw {

// The tensor partitions of a Space: for so many GPUs of a class and so many sequences, the few ways that
// partition::steadyWays() finds worth trying. Found once and shared by the spaces of a search; for several
// threads. How many micro-batches share one sum of weight gradients only decides which ways are fast, so
// three cases of it are told apart; what a stage of them costs is exact.
class StagePartitions {
public:
    using Ways = std::shared_ptr<const partition::BlockWays>;
    explicit StagePartitions(const Problem& problem) : m_problem(problem) {}

    // Whether a replica of so many GPUs may be partitioned: 4 and 8, inside a node as all tensor parallelism
    // of a Space. Two have no primitive, and 16 of a node take a tenth of a second for every micro-batch
    // size.
    static bool possible(int tp) { return tp == 4 || tp == 8; }
    const std::vector<Ways>& of(const std::vector<DeviceIndex>& devices, std::int64_t sequences,
                                std::int64_t microbatches, bool sequenceParallel);

private:
    struct Key {
        std::vector<DeviceIndex> devices;
        std::int64_t sequences = 1, microbatches = 1;
        bool sequenceParallel = false;
        auto operator<=>(const Key&) const = default;
    };
    const Problem& m_problem;
    std::mutex m_mutex;
    std::map<Key, std::vector<Ways>> m_known;
};

} // namespace pw
