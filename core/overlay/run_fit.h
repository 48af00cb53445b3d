// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/calibrate/score.h"
#include "core/exchange/imports/measurements/run_record.h"

namespace pw {

// Factors from one run of the runner. The plan is priced by estimates alone, since a calibration corrects
// those and leaves measured layers as they are; a kind's arithmetic and memory get the factor by which the
// middle one of its stages was predicted too slow, a medium's links that of the middle transfer over it. What
// the operations of a run do not tell apart (arithmetic from memory) is one factor. Of runs that are not
// measured only how kinds differ from each other is fitted: the factors of all stages balance.
struct RunFit {
    Calibration calibration; // marked as emulated unless the run is measured
    int stages = 0;          // whose passes it rests on
    ErrorFigures before;     // of the stages' forward and backward time, by estimates
    ErrorFigures after;
    // Each stage by a fit that has not seen it, where its kind has another; nothing: no kind has two stages.
    std::optional<ErrorFigures> crossValidated;
    Seconds measured, iterationBefore,
        iterationAfter; // of a step; predicted by estimates, and by them calibrated
};

// Bad input where the run holds no plan, is not of it, or has no recorded step.
Result<RunFit> fitRun(const RunRecord& run);

} // namespace pw
