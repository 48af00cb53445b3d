// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/validate.h"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace pw {

// Errors of predictions against measurements, predicted / measured - 1. Quantiles interpolate linearly
// between the two nearest values.
struct ErrorFigures {
    int count = 0;
    double median = 0.0; // of the absolute errors
    double p90 = 0.0;    // of the absolute errors
    double bias = 0.0;   // median of the signed errors
};
ErrorFigures errorFigures(std::vector<double> signedErrors);
double quantile(std::vector<double> values, double share); // 0.5 is the median; values must not be empty

// How well predictions order the runs of one group: Kendall's tau-b over its pairs, and what choosing the
// run that is predicted fastest costs against the fastest one, as a share of its time.
struct Ranking {
    int groups = 0, pairs = 0;
    double medianTau = 0.0; // over the groups
    double pooledTau = 0.0; // tau-b over the pairs of all groups together
    double medianRegret = 0.0, worstRegret = 0.0;
};
struct MeasuredPair {
    double measured = 0.0, predicted = 0.0;
};
std::optional<double> kendallTau(const std::vector<MeasuredPair>& runs); // empty where all are ties
double regret(const std::vector<MeasuredPair>& runs);                    // of a group that is not empty
Ranking ranking(const std::vector<std::vector<MeasuredPair>>& groups);

// Runs of one group differ in their plans and software: equal model, layers, hidden size, GPU text, GPUs,
// batch and sequence length.
using RunGroup = std::tuple<std::string, std::int64_t, std::int64_t, std::string, std::int64_t, std::int64_t,
                            std::int64_t>;
RunGroup runGroup(const RunRow& row);
// Rows that share time and memory to the last digit with one of another GPU count.
std::vector<bool> doubtfulRows(const std::vector<RunRow>& rows);

// Fits or does not fit, predicted (first) against what happened. A run that printed a time fits.
struct FitsTable {
    int fitsWorked = 0, fitsFailed = 0, tooLargeWorked = 0, tooLargeFailed = 0;
};

// Which rows count in a score: predicted ones of quality A and B, without doubtfulRows(), of which one at
// least cannot be right.
std::vector<bool> scoredRows(const std::vector<RunRow>& rows, const std::vector<RunPrediction>& predictions);
// predicted / measured - 1; empty where one of the two is missing.
std::optional<double> timeError(const RunRow& row, const RunPrediction& prediction);
std::optional<double> memoryError(const RunRow& row, const RunPrediction& prediction);

// The score of the rows of one source; scoredRows() says which of them it rests on.
struct SourceScore {
    std::string source;
    int rows = 0, scorable = 0, predicted = 0, unsupported = 0, errors = 0, doubtful = 0;
    ErrorFigures time, memory;
    FitsTable fits;
    Ranking ranking; // groups of equal model, GPUs, batch and sequence length with at least three runs
};
SourceScore scoreRuns(std::string source, const std::vector<RunRow>& rows,
                      const std::vector<RunPrediction>& predictions);

} // namespace pw
