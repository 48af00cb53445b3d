// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/measurements/run_record.h"

#include <map>

namespace pw {

// How long operations of one kind took on a stage, from the steps that count.
struct StageOps {
    int pipeline = 0, stage = 0;
    RunOpKind kind = RunOpKind::Forward;
    std::int64_t count = 0;        // operations, of all ranks and counted steps
    std::map<int, Seconds> ofRank; // the median of each rank's
    Seconds slowest() const;       // of the ranks: what the stage's pass takes
    Seconds middle() const;        // median of the ranks
    int slowestRank() const;
};

// The recorded steps that count: all but the first step of the run, in which memory is claimed and kernels
// are chosen, unless no other is recorded.
std::vector<const RunStep*> countedSteps(const RunRecord& run);

// By pipeline, stage and kind. Ranks that have none of a kind are in none of its entries.
std::vector<StageOps> stageOps(const RunRecord& run);

} // namespace pw
