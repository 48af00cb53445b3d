// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/stage_line.h"

#include <algorithm>

namespace pw {

StageLine StageLine::withLead(int lead) const {
    StageLine line = *this;
    line.timeBase += lead * timeLead;
    line.tailBase += lead * tailLead;
    line.fixedBase += lead * fixedLead;
    line.keptBase += lead * keptLead;
    line.forwardBase += lead * forwardBlock;
    return line;
}

double StageLine::recomputed(double blocks, double inFlight) const {
    const double missing =
        fixedBase + inFlight * keptBase + blocks * (fixedBlock + inFlight * keptBlock) - room;
    return missing <= 0.0 || lighterBlock <= 0.0 ? 0.0
                                                 : std::min(blocks, missing / (inFlight * lighterBlock));
}

double StageLine::fitting(double inFlight) const {
    return (room - fixedBase - inFlight * keptBase) / (fixedBlock + inFlight * keptBlock);
}

double StageLine::mostByMemory(double inFlight) const {
    return (room - fixedBase - inFlight * keptBase) / (fixedBlock + inFlight * (keptBlock - lighterBlock));
}

double StageLine::most(double limit, double perTime, double perTail, double inFlight) const {
    if (tailBase == kNever)
        return -kNever;
    const double left = limit - perTime * timeBase - perTail * tailBase;
    const double block = perTime * timeBlock + perTail * tailBlock;
    const double quick = fitting(inFlight);
    const double byTime = left / block;
    if (byTime <= quick || lighterBlock <= 0.0)
        return std::min(byTime, quick);
    // Behind the last block that fits as it is, each further one has some recomputed.
    const double each = (fixedBlock + inFlight * keptBlock) / (inFlight * lighterBlock);
    const double beyond = (left - quick * block) / (block + perTime * slowerBlock * each);
    return std::min(quick + beyond, mostByMemory(inFlight));
}

namespace {

StageLine lineOf(const ChainSpace& space, int optionIndex, const ConfigCosts& costs, bool embedding,
                 bool head) {
    const StageOption& option = space.options()[static_cast<std::size_t>(optionIndex)];
    const auto leastOf = [&](int lead, int count, bool first, bool last) {
        return costs.leastRun(lead, count, first, last, option.copies(), option.zero);
    };
    const auto least = [&](int count) { return leastOf(0, count, embedding, head); };
    const StageCost one = least(1);
    const StageCost two = least(2);
    StageLine line;
    line.timeBlock = two.total() - one.total();
    line.timeBase = one.total() - line.timeBlock;
    // Where a few blocks are so quick that the least run of few takes hardly any time by their mean: as if
    // all were as quick as the quickest.
    const double quickest = costs.quickestBlock();
    const double ends = line.timeBase + line.timeBlock - leastOf(0, 1, false, false).total();
    if (line.time(1) < 0.5 * (ends + quickest)) {
        line.timeBase = ends;
        line.timeBlock = quickest;
    }
    const auto tail = [&](const StageCost& cost) {
        return space.leastSync(option, cost) + cost.innerSync + cost.optimizer;
    };
    // Concave in the bytes, as the best of algorithms that are each affine: the chord over all blocks lies
    // below it.
    const int blocks = space.blocks(), lead = space.leadBlocks(), behind = blocks - lead;
    const double tailOne = tail(one);
    const bool reached = tailOne < kNever; // else its replicas do not reach each other
    line.tailBlock = reached && behind > 1 ? (tail(least(behind)) - tailOne) / (behind - 1) : 0.0;
    line.tailBase = tailOne - line.tailBlock;
    line.fixedBlock = two.fixedMemory() - one.fixedMemory();
    line.fixedBase = one.fixedMemory() - line.fixedBlock;
    line.keptBlock = two.kept - one.kept;
    line.keptBase = one.kept - line.keptBlock;
    if (lead > 0) {
        const StageCost more = leastOf(1, 1, embedding, head);
        line.timeLead = more.total() - one.total();
        line.fixedLead = more.fixedMemory() - one.fixedMemory();
        line.keptLead = more.kept - one.kept;
        // What the last of them adds to all blocks: concave again.
        if (reached)
            line.tailLead = (tail(leastOf(lead, behind, embedding, head)) - tail(least(behind))) / lead;
    }
    line.room = space.capacity(option) - space.problem().recipe().reserve.value;
    const auto forward = [&](int layer) {
        return costs.stage(layer, layer, option.copies(), option.zero, true).forward;
    };
    line.forwardBlock = costs.longestForward();
    line.forwardBase =
        (embedding ? forward(0) : 0.0) + (head ? forward(2 * blocks + 1) : 0.0) + costs.endsForward();
    return line;
}

} // namespace

StageLine wholeStageLine(const ChainSpace& space, int optionIndex, bool embedding, bool head) {
    return lineOf(space, optionIndex, *space.options()[static_cast<std::size_t>(optionIndex)].costs,
                  embedding, head);
}

StageLine loneStageLine(const ChainSpace& space, int optionIndex) {
    const StageOption& option = space.options()[static_cast<std::size_t>(optionIndex)];
    StageLine line = stageLine(space, optionIndex, true, false);
    const auto one = [&](const ConfigCosts& costs) {
        return costs.leastRun(1, 0, true, false, option.copies(), option.zero);
    };
    const StageCost whole = one(*option.costs);
    const StageCost quick = option.plain ? one(*option.plain) : whole;
    line.timeBase = std::min(quick.total(), whole.total());
    line.fixedBase = std::min(quick.fixedMemory(), whole.fixedMemory());
    line.keptBase = std::min(quick.kept, whole.kept);
    line.tailBase = space.leastSync(option, whole) + whole.innerSync + whole.optimizer;
    return line;
}

StageLine stageLine(const ChainSpace& space, int optionIndex, bool embedding, bool head) {
    const StageOption& option = space.options()[static_cast<std::size_t>(optionIndex)];
    const StageLine whole = wholeStageLine(space, optionIndex, embedding, head);
    if (!option.plain)
        return whole;
    // Either part has its own cheapest blocks: what those fall short of the mean is in the bases of lines
    // without ends.
    const StageLine middle = lineOf(space, optionIndex, *option.costs, false, false);
    StageLine line = lineOf(space, optionIndex, *option.plain, embedding, head);
    line.slowerBlock = std::max(0.0, whole.timeBlock - line.timeBlock);
    line.lighterBlock = std::max(0.0, line.keptBlock - whole.keptBlock);
    line.timeBase = std::min(line.timeBase + std::min(0.0, middle.timeBase), whole.timeBase);
    line.keptBase = std::min(line.keptBase + std::min(0.0, middle.keptBase), whole.keptBase);
    line.fixedBase = std::min(line.fixedBase + std::min(0.0, middle.fixedBase), whole.fixedBase);
    line.tailBase = std::min(line.tailBase, whole.tailBase);
    line.keptLead = std::min(line.keptLead, whole.keptLead);
    line.fixedLead = std::min(line.fixedLead, whole.fixedLead);
    return line;
}

} // namespace pw
