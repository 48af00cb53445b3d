// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/stage_notes.h"
#include "core/calibrate/training_text.h"
#include "core/plan/plan.h"

#include <vector>

namespace pw {

// The sizes of a run, all known.
struct RunSizes {
    std::int64_t gbs = 0, mbs = 0, microbatches = 0;
    int gpus = 0, tp = 1, pp = 1, vpp = 1, dp = 1, cp = 1, ep = 1;
};

// Blocks of each of `parts` runs of consecutive layers: equal where that is possible; with one less for the
// first and the last where embedding and head count as a layer each and make it even; else as even as can be,
// the larger ones first.
std::vector<int> splitBlocks(int blocks, int parts);

// Blocks of each stage where they are cut by parameters of matrices: a block goes to the stage at work, and
// the next one begins once the parameters so far pass its share of all; the head comes behind the last block.
// Published: nanotron's source, models/base.py. A head of many blocks' worth leaves several stages at the end
// without a block, the first with the head, the next with the loss, others with nothing. Plans keep head and
// loss together, on the last stage, and give each of the others a block of the last stages that have two.
// Empty where there are too few blocks for that.
std::vector<int> splitByCost(const Model& model, int stages);

// How the stages of a plan are configured.
struct StageShape {
    bool sequenceParallel = false;
    int zero = 0;
    RecomputeText recompute;
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    bool zigzag = false; // odd chunks run the other way along the devices
    bool byCost = false; // stages of one chunk are cut by splitByCost() where that works
};

// The plan of one pipeline of sizes.pp stages with sizes.vpp chunks each, on the problem's devices in order,
// or as `notes` place it.
Result<Plan> runPlan(const Problem& problem, const RunSizes& sizes, const StageShape& shape,
                     const StageNotes& notes);

} // namespace pw
