// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/comparison.h"

#include <algorithm>

namespace pw::partition {

const TensorParallel* Comparison::best(bool sequenceParallel) const {
    const TensorParallel* fastest = nullptr;
    for (const TensorParallel& other : others) {
        if (other.sequenceParallel != sequenceParallel)
            continue;
        if (!fastest || std::pair(!other.fits, other.figures.seconds) <
                            std::pair(!fastest->fits, fastest->figures.seconds))
            fastest = &other;
    }
    return fastest;
}

double Comparison::ratio(bool sequenceParallel) const {
    const TensorParallel* other = best(sequenceParallel);
    return other && other->fits == fits ? other->figures.seconds / partition.figures.seconds : 0.0;
}

const TensorParallel* Comparison::chosen() const {
    const TensorParallel* fastest = nullptr;
    for (const bool sequenceParallel : {false, true}) {
        const TensorParallel* other = best(sequenceParallel);
        const std::pair own = fastest ? std::pair(!fastest->fits, fastest->figures.seconds)
                                      : std::pair(!fits, partition.figures.seconds);
        if (other && std::pair(!other->fits, other->figures.seconds) < own)
            fastest = other;
    }
    return fastest;
}

Result<Comparison> compareStrategies(const Problem& problem, std::vector<DeviceIndex> devices,
                                     const SpaceOptions& options, int blocks, int threads) {
    const auto made = PartitionSpace::make(problem, std::move(devices), options, threads);
    if (!made)
        return made.error();
    const PartitionSpace& space = **made;
    const auto count = static_cast<int>(space.group().devices.size());
    const Device& device =
        problem.topology().devices()[static_cast<std::size_t>(space.group().devices.front())];

    Comparison comparison;
    comparison.room = device.capacity.value - problem.recipe().reserve.value;
    comparison.ways = space.wayCount();
    comparison.partition = space.bestWithin(blocks, comparison.room);
    comparison.fits = comparison.partition.figures.memory() <= comparison.room;
    for (int tp = 1; tp <= count; tp *= 2)
        for (const bool sequenceParallel : {false, true}) {
            if (sequenceParallel && tp == 1)
                continue;
            const Result<Partition> other = space.tensorParallel(tp, sequenceParallel, blocks);
            if (other)
                comparison.others.push_back({tp, count / tp, sequenceParallel, other->figures,
                                             other->figures.memory() <= comparison.room});
        }
    return comparison;
}

} // namespace pw::partition
