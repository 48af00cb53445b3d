// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/calibrate/score.h"
#include "core/exchange/imports/measurements/run_record.h"

#include <optional>

namespace pw {

// Factors from one run of the runner. The plan is priced by estimates alone, since a calibration corrects
// those and leaves measured layers as they are; a kind's arithmetic and memory get the factor by which the
// middle one of its stages was predicted too slow, a medium's links that of the middle transfer over it. What
// the operations of a run do not tell apart (arithmetic from memory) is one factor. Of runs that are not
// measured only how kinds differ from each other is fitted: the factors of all stages balance.
//
// No factor is of the optimizer's step, of a step's beginning or of the host between passes. Where estimates
// of passes that are too slow stood in for those, a fit of the passes brings the whole step further off: that
// is told by isFurtherOff(), and whoever takes the factors decides.
struct RunFit {
    Calibration calibration; // marked as emulated unless the run is measured
    int stages = 0;          // whose passes it rests on
    ErrorFigures before;     // of the stages' forward and backward time, by estimates
    ErrorFigures after;
    // Each stage by a fit that has not seen it, where its kind has another; nothing: no kind has two stages.
    std::optional<ErrorFigures> crossValidated;
    Seconds measured, iterationBefore,
        iterationAfter; // of a step; predicted by estimates, and by them calibrated
    // What costs the step most of that which is slower than predicted with the factors; nothing: no one
    // cause.
    std::optional<Wording> remains;

    // Of the step, 0.1: predicted 10 % too long.
    double errorBefore() const { return iterationBefore / measured - 1.0; }
    double errorAfter() const { return iterationAfter / measured - 1.0; }
    bool isFurtherOff() const; // by more than 0.05 % of the step, which figures of a view show
};

// Bad input where the run holds no plan, is not of it, or has no recorded step.
Result<RunFit> fitRun(const RunRecord& run);

} // namespace pw
