// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/calibrate/score.h"
#include "core/exchange/imports/measurements/run_record.h"

#include <optional>

namespace pw {

// The run's own step, predicted with factors of it.
struct FittedStep {
    Seconds iteration;
    // What costs the step most of that which is slower than predicted so; nothing: no one cause.
    std::optional<Wording> remains;
};

// Factors from one run of the runner. The plan is priced by estimates alone, since a calibration corrects
// those and leaves measured layers as they are. What is fitted, each to its own operations:
//
//   kinds     arithmetic and memory, by which the middle stage of a kind's passes was predicted too slow; the
//             operations of a run do not tell the one from the other
//   links     of a medium, by the middle transfer over it
//   update    the optimizer's step, by the middle stage's, priced as the run made it (fused or kernel by
//             kernel) with the kinds' factors in force: else an optimizer that passes over memory four times
//             as often would read as a memory four times as slow. Drawn to 1 by a prior, as factors of
//             software are. Left at 1 where no step of the optimizer is recorded
//
// Of runs that are not measured only how kinds differ from each other is fitted: the factors of all stages
// balance.
//
// The step that predictions are held against is the median of those that were not recorded, but for the run's
// first: a recorded step's first pass takes some tens of ms longer, which the medians of passes leave out and
// a sum of them would take for slow kernels. Where all steps are recorded, it is theirs.
//
// No factor is of a step's beginning or of the host between passes. Where estimates of passes that are too
// slow stood in for those, a fit of the passes brings the whole step further off: that is told by
// isFurtherOff(), and whoever takes the factors decides.
struct RunFit {
    Calibration calibration; // marked as emulated unless the run is measured
    int stages = 0;          // whose passes it rests on
    ErrorFigures before;     // of the stages' forward and backward time, by estimates
    ErrorFigures after;
    // Each stage by a fit that has not seen it, where its kind has another; nothing: no kind has two stages.
    std::optional<ErrorFigures> crossValidated;
    // The same of the optimizer's steps; nothing: none is recorded, or the run is not measured.
    std::optional<ErrorFigures> updateBefore, updateAfter, updateCrossValidated;
    Seconds measured, iterationBefore; // of a step; predicted by estimates
    bool ofRecordedSteps = false;      // `measured` is: no other step but the first is there
    FittedStep fitted;                 // with all factors
    FittedStep inProject;              // with those that a project holds: all but constants

    // Of the step, 0.1: predicted 10 % too long.
    double errorBefore() const { return iterationBefore / measured - 1.0; }
    double errorOf(const FittedStep& step) const { return step.iteration / measured - 1.0; }
    bool isFurtherOff(const FittedStep& step) const; // by more than 0.05 %, which figures of a view show
};

// Bad input where the run holds no plan, is not of it, or has no recorded step.
Result<RunFit> fitRun(const RunRecord& run);

} // namespace pw
