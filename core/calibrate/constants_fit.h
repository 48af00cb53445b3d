// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/calibrate/score.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace pw {

// The measured runs of one publication.
struct RunSource {
    std::string name;
    std::vector<RunRow> rows;
    std::vector<LayerTime> layers; // that predictions of these rows rest on
};

struct ConstantsFitOptions {
    bool leaveOutSources = true, leaveOutFrameworks = true;
    // Of a source at most so many runs are fitted to, spread evenly over its table; 0 = all. Every source
    // weighs the same, so that few tell nearly as much in less time. Errors are of all runs.
    int mostRuns = 0;
    int threads = 0; // 0 = as many as the machine has; fits run side by side, and the result is the same
    // Told what has been done, from any thread, one call at a time.
    std::function<void(const std::string&)> progress = {};
};

// Constants that were fitted to some of the runs, rounded to four digits.
struct ConstantsFit {
    ConstantSet constants = ConstantSet::builtin();
    int runs = 0;                    // that were fitted to
    double startLoss = 0.0;          // where the fit began
    double loss = 0.0;               // see fitConstants; 0.01 is a typical error of 4 % in every source
    int evaluations = 0;             // of all runs
    bool settled = false;            // else it ran out of steps
    std::vector<std::string> untold; // constants that no run depended on: left at their start
};

// Errors of time of one source's runs of quality A and B, or of those of one framework.
struct LeftOutErrors {
    std::string leftOut; // the source or the framework
    std::string source;  // whose runs these are
    ErrorFigures allIn;  // with the constants from all runs
    ErrorFigures unseen; // with constants from a fit that has not seen what was left out
    // Index into ConstantsReport::fits; kAll where none of these runs is fitted to, so that no fit sees them.
    static constexpr int kAll = -1;
    int fit = kAll;
};

struct ConstantsReport {
    ConstantsFit all;                  // to all runs, from the constants' start
    ConstantsFit fromBuiltin;          // the same from the built-in values: another valley would show
    std::vector<ConstantsFit> fits;    // with something left out
    std::vector<ErrorFigures> builtin; // of every source, with the built-in constants
    std::vector<ErrorFigures> allIn;   // of every source, with those of `all`
    std::vector<LeftOutErrors> sources, frameworks;
};

const ConstantsFit& fitOf(const ConstantsReport& report, int fit); // LeftOutErrors::fit

// The framework that a run counts to: the first word of its column, in lower case ("megatron" for Megatron-LM
// and its forks), "unstated" if there is none.
std::string frameworkOf(const RunRow& row);

// Fits those constants that say they were fitted to runs, all of them at once, and again with every source
// and every framework left out. Every fit begins at the constants' `start`, which knows no run, so that
// nothing of what was left out is in its result but the form of the model itself.
//
// The loss is the sum over sources of the mean of sqrt(e^2 + 0.03^2) - 0.03, e the logarithm of predicted
// over measured time: errors well beyond 3 % count as they are and not by their square. A source of fewer
// than ten runs weighs a tenth for each. Runs of quality A and B count that have a time; those with
// zero-bubble schedules do not, since scheduling them takes longer than all others together, nor those that
// rest on measured layer times, nor pairs that contradict each other (see scoreRuns). Errors are of all of
// them. Bad input if no run is left to fit to.
Result<ConstantsReport> fitConstants(const std::vector<RunSource>& sources,
                                     const ConstantsFitOptions& options, std::stop_token stop);

} // namespace pw
