// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/calibration.h"
#include "core/calibrate/score.h"

#include <compare>
#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace pw {

struct FitOptions {
    int folds = 5;          // of the cross-validation; each run is one where there are kFewRuns at most
    std::uint64_t seed = 1; // which runs share a fold
    int threads = 0;        // 0 = as many as the machine has
};

inline constexpr int kFewRuns = 12;

// What a factor is of: a part of every device of a kind, the links of a medium, or a part of the software.
struct FactorName {
    std::string part;         // "compute", "links", "host"
    std::string kind;         // "A100-SXM4-80GB", or the medium: "InfiniBand"; empty: of the software
    std::string text() const; // "compute of A100-SXM4-80GB", "links of InfiniBand", "host"
    auto operator<=>(const FactorName&) const = default;
};

// What the runs say of one factor: the share of its variance under the prior that they take away, 0 to 1.
struct ToldFactor {
    FactorName name;
    double factor = 1.0;
    double told = 0.0;
    bool kept = false; // else too little was told, and it stays at 1
};

struct FitReport {
    Calibration calibration;     // from all runs
    int runs = 0, left = 0;      // used; and left out, without a time or not predicted
    int folds = 0;               // that there were runs for; 0 = too few to validate
    ErrorFigures before;         // of iteration time, with the catalogue's figures
    ErrorFigures after;          // of the same runs, with the fit from all of them
    ErrorFigures crossValidated; // every run predicted by a fit that has not seen its fold
    std::vector<ToldFactor> factors;
    // Measured less predicted peaks in GiB, as the calibration has their shrunken median: of so many runs,
    // with the median size of what is off before and, each run left out, after.
    int peaks = 0;
    double peakBefore = 0.0, peakAfter = 0.0;
};

// Fits the factors of every device kind and medium that the runs use and of the software (softwareGroups(),
// those that whole steps tell of), by Gauss-Newton steps on the logarithms of factors and of predicted over
// measured time. Large residuals count less, and every factor is drawn to 1 by a prior near how far it lies
// apart from one source of published runs to the next, fitted one source at a time (drawnCalibrations()). A
// factor of whose variance under the prior the runs leave more than kLeastTold stays at 1, and the others are
// fitted again. Runs of one model, GPU count and batch share a fold where there are enough of those, since
// they tell about each other. Bad input if no run has a time that can be predicted.
inline constexpr double kLeastTold = 0.1;
Result<FitReport> fitCalibration(const std::vector<RunRow>& rows, const FitOptions& options,
                                 std::stop_token stop);

// What calibrating to a few own runs is worth: of a source, `runs` random ones are drawn, calibrated to, and
// the rest is predicted, `draws` times. Medians of |predicted / measured - 1| over the rest, and of these
// over the draws. Bad input if the source has not two rows more than are drawn that can be predicted.
struct DrawnErrors {
    int rows = 0, draws = 0;
    double before = 0.0, after = 0.0;
    double worst = 0.0; // of the draws, after
    std::vector<std::pair<FactorName, std::vector<double>>>
        factors; // logarithms, draw by draw, of what was told
};
Result<DrawnErrors> drawnCalibrations(const std::vector<RunRow>& rows, const std::vector<LayerTime>& layers,
                                      int runs, int draws, const FitOptions& options,
                                      const std::stop_token& stop);

} // namespace pw
