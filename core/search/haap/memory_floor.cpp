// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/memory_floor.h"

#include <algorithm>
#include <limits>

namespace pw {

int leastInFlight(const Space& space, int microbatches, int fromEnd) {
    int least = microbatches;
    for (const ScheduleChoice& choice : space.schedules)
        if (!usesLaunchCounts(choice.kind))
            least = std::min(least, 1);
        // 1F1B is the least of those that alternate; the last stage may be the only one.
        else if (choice.kind != ScheduleKind::GPipe && (!choice.loneStage || fromEnd == 0))
            least = std::min(least, fromEnd + 1);
    return least;
}

MemoryFloor::MemoryFloor(const ChainSpace& space, const OptionIndex& index)
    : m_space(space), m_index(index) {}

double MemoryFloor::bytes(const OptionIndex::Split& split, int blocks, int fromEnd, bool embedding,
                          bool head) const {
    const int held = leastInFlight(m_space.problem().space(), m_space.microbatches(), fromEnd);
    double least = std::numeric_limits<double>::infinity();
    for (const int o : split.options) {
        const StageOption& option = m_space.options()[static_cast<std::size_t>(o)];
        const StageCost cost =
            option.costs->leastStage(blocks, embedding, head, option.copies(), option.zero);
        least = std::min(least, memoryTotal(m_space.problem(), cost, held));
    }
    return least;
}

int MemoryFloor::mostBlocks(int cls, int devices, int tp, int fromEnd, bool embedding, bool head) const {
    std::uint64_t key = static_cast<std::uint64_t>(cls);
    key = key * (1U << 20U) + static_cast<std::uint64_t>(devices);
    key = key * 64 + static_cast<std::uint64_t>(tp);
    key = key * 1024 + static_cast<std::uint64_t>(fromEnd);
    key = key * 4 + (embedding ? 1U : 0U) + (head ? 2U : 0U);
    if (const auto known = m_most.find(key); known != m_most.end())
        return known->second;
    int low = 0, high = m_space.blocks() + 1; // fits, does not
    if (const OptionIndex::Split* split = m_index.split(cls, devices, tp)) {
        // The sums of the floor are in another order than those of a stage.
        const double room =
            m_space.capacity(m_space.options()[static_cast<std::size_t>(split->options.front())]) *
            (1.0 + 1e-12);
        while (high - low > 1) {
            const int middle = (low + high) / 2;
            (bytes(*split, middle, fromEnd, embedding, head) <= room ? low : high) = middle;
        }
    }
    m_most.emplace(key, low);
    return low;
}

MemoryFloor::Verdict MemoryFloor::judge(const std::vector<Shape>& stages) const {
    int held = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const int most = mostBlocks(stages[i].cls, stages[i].devices, stages[i].tp, static_cast<int>(i),
                                    i + 1 == stages.size(), i == 0);
        if (most == 0)
            return Verdict::NoRoomForABlock;
        held += most;
    }
    return held < m_space.blocks() ? Verdict::TooFewBlocks : Verdict::MayFit;
}

} // namespace pw
