// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/problem/memory_span.h"

#include <stop_token>
#include <string>
#include <vector>

namespace pw {

// The chance that all devices of a plan have room for their peaks: that of the one that is least likely to.
// Of the memory that they have, whatever share of it the recipe plans with.
double chanceToFit(const Problem& problem, const Evaluation& evaluation);

// Spans rest on the rows of published runs that print memory (706 of 2912, from eight sources, each by its
// own definition of memory). Of a stack without kStackRows of them it is the span of strangers: of the
// sources' own widths the 80 % quantile (conformal.h). One that has them has its own middle, drawn to 0 as if
// as many rows more had had none, and the root mean square of its own width and a stranger's, for its rows
// are of one source.
inline constexpr int kStackRows = 20;

// A measured peak beside its prediction, both in GiB.
struct MemoryCase {
    std::string source, stack, rowId;
    double predicted = 0.0, measured = 0.0;
};
// Of every published run that prints one and can be predicted.
Result<std::vector<MemoryCase>> predictedPeaks(int threads, const std::stop_token& stop);
MemorySpans fittedSpans(const std::vector<MemoryCase>& cases);

// How the span holds for a source as if nobody had seen it.
struct MemoryCoverage {
    std::string source;
    int rows = 0;
    double inside = 0.0, half = 0.0; // share of rows; median half width of the logarithm
};
std::vector<MemoryCoverage> memoryCoverage(const std::vector<MemoryCase>& cases);

} // namespace pw
