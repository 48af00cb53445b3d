// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/calibrate/score.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace pw {

struct FitOptions {
    int folds = 5;          // of the cross-validation
    std::uint64_t seed = 1; // which runs share a fold
    int threads = 0;        // 0 = as many as the machine has
};

struct FitReport {
    Calibration calibration;     // from all runs
    int runs = 0, left = 0;      // used; and left out, without a time or not predicted
    int folds = 0;               // that there were runs for; 0 = too few to validate
    ErrorFigures before;         // of iteration time, with the catalogue's figures
    ErrorFigures after;          // of the same runs, with the fit from all of them
    ErrorFigures crossValidated; // every run predicted by a fit that has not seen its fold
};

// Fits the factors of every device kind and medium that the runs use, by Gauss-Newton steps on the logarithms
// of factors and of predicted over measured time. Large residuals count less, and every factor is drawn to 1
// by a prior of 15 %: what the runs do not tell stays as it is. Runs of one model, GPU count and batch share
// a fold where there are enough of those, since they tell about each other. Bad input if no run has a time
// that can be predicted.
Result<FitReport> fitCalibration(const std::vector<RunRow>& rows, const FitOptions& options,
                                 std::stop_token stop);

} // namespace pw
