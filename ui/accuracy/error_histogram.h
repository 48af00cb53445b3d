// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_study.h"

#include <array>

namespace pw {

// Signed errors in bins of 2 % from -40 to +40 %; what lies beyond counts in the outermost bin, so that the
// shares add up to 1.
struct ErrorHistogram {
    static constexpr int kBins = 40;
    static constexpr double kFrom = -0.4, kWidth = 0.02;
    static double left(int bin) { return kFrom + bin * kWidth; }

    std::array<double, kBins> chosen{}; // share of the source's counted runs
    std::array<double, kBins> all{};    // mean over the sources of their shares: every source weighs the same
    int runs = 0, sources = 0;          // that the two rest on
    double within10 = 0.0, within25 = 0.0; // share of the chosen source's runs
};

// Of the runs that the scores rest on.
ErrorHistogram errorHistogram(const std::vector<StudySource>& sources, int chosen, RunQuantity quantity);

} // namespace pw
