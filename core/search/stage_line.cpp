// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/stage_line.h"

namespace pw {

StageLine stageLine(const ChainSpace& space, const StageOption& option, bool embedding, bool head) {
    const auto least = [&](int count) {
        return option.costs->leastStage(count, embedding, head, option.dp, option.zero);
    };
    const StageCost one = least(1);
    const StageCost two = least(2);
    StageLine line;
    line.timeBlock = two.total() - one.total();
    line.timeBase = one.total() - line.timeBlock;
    const auto devices = space.devices(option, 0);
    const auto tail = [&](const StageCost& cost) {
        return syncTraffic(space.problem(), devices, option.zero, cost, false).alone().value +
               cost.innerSync + cost.optimizer;
    };
    // Concave in the bytes, as the best of algorithms that are each affine: the chord over all blocks lies
    // below it.
    const int blocks = space.blocks();
    line.tailBlock = blocks > 1 ? (tail(least(blocks)) - tail(one)) / (blocks - 1) : 0.0;
    line.tailBase = tail(one) - line.tailBlock;
    line.fixedBlock = two.fixedMemory() - one.fixedMemory();
    line.fixedBase = one.fixedMemory() - line.fixedBlock;
    line.keptBlock = two.kept - one.kept;
    line.keptBase = one.kept - line.keptBlock;
    line.room = space.capacity(option) - space.problem().recipe().reserve.value;
    return line;
}

} // namespace pw
