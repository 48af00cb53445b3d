// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace pw {

// Why a candidate of a search, or a part of one, became no plan. Counted under the words of its row, which
// are the key in plan documents and the heading of its entry in the manual.
enum class Rejection {
    OutOfMemory,
    SlowerThanTheBest,
    OverTimeOrMemory,
    BatchNotDivisible,
    ScheduleNotAllowed,
    NoWayBetweenStages,
    TiedEndsApart,
    TensorParallelAcrossNodes,
    ReplicasOfTwoVendors,
    NoBlockForAStage,
    NotAllBlocks,
    StagesDiffer
};

struct RejectionRow {
    Rejection reason;
    const char* words; // "out of memory"
};
std::span<const RejectionRow> rejectionTable(); // a row each
const char* words(Rejection reason);

} // namespace pw
