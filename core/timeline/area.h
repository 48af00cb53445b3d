// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/build.h"

#include <optional>
#include <string_view>

namespace pw {

// What a rectangle of a timeline holds: rows [first, last] between two instants. Sums are over the part of
// each bar inside, lengths of bars over the whole bar. Sends have sums of their own and keep no row busy.
struct AreaStatistics {
    std::array<KindStatistics, kBarKinds> byKind;
    std::int64_t busy = 0, idle = 0; // of the rows' computation and synchronisation
    std::size_t bars = 0;            // all of byKind
    double bubble() const {          // share of the area in which nothing is computed
        return busy + idle > 0 ? static_cast<double>(idle) / static_cast<double>(busy + idle) : 0.0;
    }
};
AreaStatistics areaStatistics(const Timeline& timeline, int firstTrack, int lastTrack,
                              const TimeWindow& window);

// What is looked for among the bars; an empty field matches all.
struct BarQuery {
    std::optional<BarKind> kind;
    std::optional<std::int32_t> microbatch;
    std::optional<int> stage;
    std::string device; // part of the row's label or of a device, "n1.g0"
    bool operator==(const BarQuery&) const = default;
};
// Reads "B 12", "f3 stage 2", "transfer n1", "w", "all-reduce", "12": letters and names of kinds, a number
// for the micro-batch, "stage N", and anything else as part of a row's label. Nothing if the text is blank.
std::optional<BarQuery> barQueryFromText(std::string_view text);
// The bars that match, by start.
std::vector<BarRef> findBars(const Timeline& timeline, const BarQuery& query);

} // namespace pw
