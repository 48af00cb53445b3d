// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What a predicted peak of memory is worth: 80 % of measured peaks lie in
//
//   (predicted + 1 GiB) exp(centre -+ half) - 1 GiB
//
// since small peaks are wrong by what a context and its buffers take and large ones in proportion. By
// software stack, for allocators and habits are a stack's; measured on the rows of published runs that print
// memory (706 of 2912, from eight sources, each by its own definition of memory). Of a stack without
// kStackRows of them it is the span of strangers: of the sources' own widths the 80 % quantile (conformal.h).
// One that has them has its own middle, drawn to 0 as if as many rows more had had none, and the root mean
// square of its own width and a stranger's, for its rows are of one source. This project's own construction.
struct MemorySpan {
    double centre = 0.0, half = 0.3;
    int rows = 0, sources = 0;
};
inline constexpr int kStackRows = 20;

struct MemorySpans {
    MemorySpan strangers;
    std::map<std::string, MemorySpan> stacks;
    const MemorySpan& of(std::string_view stack) const;
};

// GiB of a peak predicted as `gib`.
double lowOf(const MemorySpan& span, double gib);
double highOf(const MemorySpan& span, double gib);

// The probability that a peak stays within `usable`: normal in the logarithm, its middle where the prediction
// itself fits, its width the span's. The centre is left out because room changes a peak: caching allocators
// grow into what is free, and of 2785 runs that ran or ended for want of memory the bare prediction tells all
// but eight apart. So a plan that is predicted to fit has 0.5 or more.
double chanceToFit(const MemorySpan& span, Bytes peak, Bytes usable);
// The same of all devices of a plan: that of the one that is least likely to do.
double chanceToFit(const Problem& problem, const Evaluation& evaluation);
// The usable memory that a prediction must stay within to fit into `usable` with `chance` (0.5 to below 1).
Bytes roomFor(const MemorySpan& span, Bytes usable, double chance);

// The spans that ship, resources/calibration/memory_spans.json. `validate --memory-spans FILE` writes the
// file anew after a change of the cost model, and a test holds it against today's predictions.
const MemorySpans& memorySpans();
std::string memorySpansJson(const MemorySpans& spans);
Result<MemorySpans> readMemorySpans(std::string_view text, const std::string& file);

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
