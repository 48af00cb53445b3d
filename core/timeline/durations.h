// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/timeline.h"

#include <cstdint>
#include <vector>

namespace pw {

// How long the bars of one kind take, counted by length, all together and in groups of rows. A bar counts
// with its whole length if any of it lies in the window: a length cut by the window's edge is nobody's.
struct DurationGroup {
    int group = 0; // as the caller named it
    KindStatistics bars;
    std::vector<std::uint32_t> bins; // as many as Durations has
};
struct Durations {
    std::int64_t from = 0, to = 0; // ns: the shortest length, and one above the longest
    int bins = 0;                  // of one width
    bool estimated = false;        // any of the bars
    DurationGroup all;
    std::vector<DurationGroup> groups; // those with bars, by number
    int binOf(std::int64_t length) const;
    std::int64_t binStart(int bin) const; // ns; of `bins`: `to`
};

// `groupOf`: a number for each track, negative = it takes no part. No bars, no bins.
Durations durationsOf(const Timeline& timeline, BarKind kind, const TimeWindow& window,
                      const std::vector<int>& groupOf, int bins);

// The bar behind `after` (by row, lane, index; track -1: from the first) of this kind whose length lies in
// the bin; the first one again behind the last. Track -1 if there is none.
struct DurationBar {
    int track = -1, lane = 0;
    std::ptrdiff_t index = -1;
};
DurationBar nextInBin(const Timeline& timeline, BarKind kind, const TimeWindow& window,
                      const std::vector<int>& groupOf, const Durations& durations, int bin,
                      const DurationBar& after);

} // namespace pw
