// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>

namespace pw {

// Why a candidate of a search, or a part of one, became no plan. The words of its row are its key in plan
// documents and the heading of its entry in the manual.
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
std::optional<Rejection> rejectionFromWords(std::string_view words); // nothing: none of the table

using Rejections = std::map<Rejection, std::int64_t>; // candidates, by why they fell out

} // namespace pw
