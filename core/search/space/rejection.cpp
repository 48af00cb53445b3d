// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/rejection.h"

#include <algorithm>
#include <array>

namespace pw {

std::span<const RejectionRow> rejectionTable() {
    static constexpr std::array table = {
        RejectionRow{Rejection::OutOfMemory, "out of memory"},
        RejectionRow{Rejection::SlowerThanTheBest, "slower than the best"},
        RejectionRow{Rejection::OverTimeOrMemory, "over time or memory"},
        RejectionRow{Rejection::BatchNotDivisible, "batch not divisible"},
        RejectionRow{Rejection::ScheduleNotAllowed, "schedule not allowed"},
        RejectionRow{Rejection::NoWayBetweenStages, "no way between stages"},
        RejectionRow{Rejection::TiedEndsApart, "ends of a tied model apart"},
        RejectionRow{Rejection::TensorParallelAcrossNodes, "tensor parallelism across nodes"},
        RejectionRow{Rejection::ReplicasOfTwoVendors, "replicas of two vendors"},
        RejectionRow{Rejection::NoBlockForAStage, "cannot hold a block a stage"},
        RejectionRow{Rejection::NotAllBlocks, "cannot hold all blocks"},
        RejectionRow{Rejection::StagesDiffer, "stages that differ"},
    };
    return table;
}

const char* words(Rejection reason) {
    const std::span<const RejectionRow> table = rejectionTable();
    return std::find_if(table.begin(), table.end(),
                        [reason](const RejectionRow& row) { return row.reason == reason; })
        ->words;
}

std::optional<Rejection> rejectionFromWords(std::string_view words) {
    for (const RejectionRow& row : rejectionTable())
        if (row.words == words)
            return row.reason;
    return std::nullopt;
}

} // namespace pw
