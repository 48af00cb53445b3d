// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/measurements/run_passes.h"
#include "core/overlay/run_overlay.h"

namespace pw {

// What of a run was slower than predicted and what that says, what costs a step most first:
//
//   kernel     a stage's passes, or its optimizer steps, on all of its ranks
//   imbalance  passes or optimizer steps of one rank beside those of its stage's others
//   link       transfers behind a stage, or its sums of gradients, also where none is predicted behind the
//   last
//              pass
//   host       a rank stands still although its device is free and the pass's input is there
//
// Optimizer steps, transfers and sums are those of measured runs alone. A cause is named from 5 % of its own
// time and 0.5 % of the step on.
std::vector<RunFinding> findSlower(const Problem& problem, const Plan& plan, const Evaluation& evaluation,
                                   const RunRecord& run, const std::vector<StageOps>& ops,
                                   const RunOverlay& overlay);

} // namespace pw
