// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/durations.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

// Calls visit(track, lane, index) for the bars of the kind that the window touches, in the order of rows.
template <class Visit>
void eachBar(const Timeline& timeline, BarKind kind, const TimeWindow& window,
             const std::vector<int>& groupOf, const Visit& visit) {
    for (std::size_t t = 0; t < timeline.tracks.size() && t < groupOf.size(); ++t) {
        if (groupOf[t] < 0)
            continue;
        for (int role = 0; role < kLaneRoles; ++role) {
            const Lane& lane = timeline.tracks[t].lanes[static_cast<std::size_t>(role)];
            for (std::size_t i = lane.firstEndingAfter(window.begin);
                 i < lane.size() && lane.start(i) < window.end; ++i)
                if (lane.kind(i) == kind)
                    visit(t, role, i);
        }
    }
}

std::int64_t lengthOf(const Timeline& timeline, std::size_t track, int role, std::size_t i) {
    const Lane& lane = timeline.tracks[track].lanes[static_cast<std::size_t>(role)];
    return lane.end(i) - lane.start(i);
}

} // namespace

int Durations::binOf(std::int64_t length) const {
    const double share =
        static_cast<double>(length - from) / static_cast<double>(std::max<std::int64_t>(to - from, 1));
    return std::clamp(static_cast<int>(share * bins), 0, std::max(bins - 1, 0));
}

std::int64_t Durations::binStart(int bin) const {
    return from + (bins > 0 ? (to - from) * bin / bins : 0);
}

Durations durationsOf(const Timeline& timeline, BarKind kind, const TimeWindow& window,
                      const std::vector<int>& groupOf, int bins) {
    Durations result;
    std::map<int, DurationGroup> groups;
    eachBar(timeline, kind, window, groupOf, [&](std::size_t track, int role, std::size_t i) {
        const std::int64_t length = lengthOf(timeline, track, role, i);
        result.all.bars.add(length, length);
        groups[groupOf[track]].bars.add(length, length);
        result.estimated =
            result.estimated || timeline.tracks[track].lanes[static_cast<std::size_t>(role)].estimated(i);
    });
    if (result.all.bars.count == 0)
        return result;
    result.bins = bins;
    result.from = result.all.bars.min;
    result.to = result.all.bars.max + 1;
    result.all.bins.resize(static_cast<std::size_t>(bins));
    for (auto& [number, group] : groups) {
        group.group = number;
        group.bins.resize(static_cast<std::size_t>(bins));
    }
    eachBar(timeline, kind, window, groupOf, [&](std::size_t track, int role, std::size_t i) {
        const auto bin = static_cast<std::size_t>(result.binOf(lengthOf(timeline, track, role, i)));
        ++result.all.bins[bin];
        ++groups[groupOf[track]].bins[bin];
    });
    for (auto& [number, group] : groups)
        result.groups.push_back(std::move(group));
    return result;
}

DurationBar nextInBin(const Timeline& timeline, BarKind kind, const TimeWindow& window,
                      const std::vector<int>& groupOf, const Durations& durations, int bin,
                      const DurationBar& after) {
    DurationBar first, next;
    const auto place = [](const DurationBar& bar) { return std::tie(bar.track, bar.lane, bar.index); };
    eachBar(timeline, kind, window, groupOf, [&](std::size_t track, int role, std::size_t i) {
        if (durations.binOf(lengthOf(timeline, track, role, i)) != bin)
            return;
        const DurationBar bar{static_cast<int>(track), role, static_cast<std::ptrdiff_t>(i)};
        if (first.track < 0)
            first = bar;
        if (next.track < 0 && place(after) < place(bar))
            next = bar;
    });
    return next.track >= 0 ? next : first;
}

} // namespace pw
