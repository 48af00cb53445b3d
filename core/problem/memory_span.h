// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace pw {

// What a predicted peak of memory is worth: 80 % of measured peaks lie in
//
//   (predicted + 1 GiB) exp(centre -+ half) - 1 GiB
//
// since small peaks are wrong by what a context and its buffers take and large ones in proportion. By
// software stack, for allocators and habits are a stack's; core/accuracy measures them on published runs.
// This project's own construction.
struct MemorySpan {
    double centre = 0.0, half = 0.3;
    int rows = 0, sources = 0;
};

struct MemorySpans {
    MemorySpan strangers; // of a stack with too few runs
    std::map<std::string, MemorySpan> stacks;
    const MemorySpan& of(std::string_view stack) const;
};

inline constexpr double kSpanOwn = 1.0; // GiB that are added to both before they are divided

// GiB of a peak predicted as `gib`.
double lowOf(const MemorySpan& span, double gib);
double highOf(const MemorySpan& span, double gib);

// The probability that a peak stays within `usable`: normal in the logarithm, its middle where the prediction
// itself fits, its width the span's. The centre is left out because room changes a peak: caching allocators
// grow into what is free, and of 2785 runs that ran or ended for want of memory the bare prediction tells all
// but eight apart. So a plan that is predicted to fit has 0.5 or more.
double chanceToFit(const MemorySpan& span, Bytes peak, Bytes usable);
// The same of a ratio. Of several devices the one with the least is the least likely to have room.
double roomRatio(Bytes peak, Bytes usable); // kSpanOwn added to both; 1 = just as much
double chanceToFit(const MemorySpan& span, double ratio);
// A plan with at least this chance is not warned of.
inline constexpr double kLikelyToFit = 0.9;
// The usable memory that a prediction must stay within to fit into `usable` with `chance` (0.5 to below 1).
Bytes roomFor(const MemorySpan& span, Bytes usable, double chance);

// The spans that ship, resources/calibration/memory_spans.json. `validate --memory-spans FILE` writes the
// file anew after a change of the cost model, and a test holds it against today's predictions.
const MemorySpans& memorySpans();
std::string memorySpansJson(const MemorySpans& spans);
Result<MemorySpans> readMemorySpans(std::string_view text, const std::string& file);

} // namespace pw
