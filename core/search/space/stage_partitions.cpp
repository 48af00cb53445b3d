// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/stage_partitions.h"

#include "core/partition/divided_block.h"

namespace pw {

const std::vector<StagePartitions::Ways>& StagePartitions::of(const std::vector<DeviceIndex>& devices,
                                                              std::int64_t sequences,
                                                              std::int64_t microbatches,
                                                              bool sequenceParallel) {
    const std::int64_t sharing = microbatches < 3 ? 1 : microbatches < 10 ? 4 : 32;
    const std::scoped_lock lock(m_mutex);
    const auto [entry, fresh] = m_known.try_emplace({devices, sequences, sharing, sequenceParallel});
    if (fresh)
        for (partition::BlockWays& ways :
             partition::steadyWays(m_problem, devices, sequences, sharing, sequenceParallel))
            entry->second.push_back(std::make_shared<const partition::BlockWays>(std::move(ways)));
    return entry->second;
}

} // namespace pw
