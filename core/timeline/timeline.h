// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/schedule_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pw {

enum class BarKind : std::uint8_t {
    Forward,
    Backward,
    WeightGrad,
    Recompute,
    Transfer,
    AllReduce,
    Optimizer
};
inline constexpr int kBarKinds = 7;
const char* label(BarKind kind); // "Forward", ...

// Bars of one lane as arrays, sorted by start and not overlapping: binary search finds any of them. Times are
// integer nanoseconds, so that what is folded, hit and summed agrees to the last bit. seal() builds the
// prefix sums.
class Lane {
public:
    // end > start, and start not before the end of the last bar.
    void add(std::int64_t start, std::int64_t end, BarKind kind, std::int32_t microbatch, bool estimated,
             int chunk = 0);
    void seal();
    std::size_t size() const { return m_start.size(); }
    std::int64_t start(std::size_t i) const { return m_start[i]; }
    std::int64_t end(std::size_t i) const { return m_end[i]; }
    BarKind kind(std::size_t i) const { return static_cast<BarKind>(m_kind[i] & 0x7F); }
    bool estimated(std::size_t i) const { return (m_kind[i] & 0x80) != 0; }
    std::int32_t microbatch(std::size_t i) const { return m_microbatch[i]; }
    int chunk(std::size_t i) const { return m_chunk[i]; } // of its stage; of a transfer, the sender's
    // First bar that ends after t; size() if none.
    std::size_t firstEndingAfter(std::int64_t t) const;
    // First bar at or behind `from` that starts at t or later; size() if none. O(log of the distance from
    // `from`), so that a walk along the lane costs by its steps and not by the length of the lane.
    std::size_t firstStartingFrom(std::int64_t t, std::size_t from) const;
    // Busy nanoseconds of bars [first, last), whole bars.
    std::int64_t busy(std::size_t first, std::size_t last) const { return m_busy[last] - m_busy[first]; }
    BarKind dominant(std::size_t first, std::size_t last) const; // the kind with most time in [first, last)

private:
    std::vector<std::int64_t> m_start, m_end, m_busy;
    std::vector<std::uint8_t> m_kind, m_chunk;
    std::vector<std::int32_t> m_microbatch;
    std::vector<std::array<std::int64_t, kBarKinds>> m_kindBlocks; // time per kind before every 64th bar
};

// ForwardSend is the link to the next stage, BackwardSend the one to the stage before. They carry activations
// and gradients, in this order, except for the chunks of a V that run back through the stages.
enum class LaneRole : std::uint8_t { Compute, ForwardSend, BackwardSend, Sync };
inline constexpr int kLaneRoles = 4;

// One stage: its label ("n1.g0-3"), share of the iteration that it computes, and four lanes.
struct Track {
    int pipeline = 0, stage = 0;
    int multiplicity = 1;   // identical pipelines drawn once
    ChunkLayout layout;     // of the pipeline
    bool staggered = false; // the stage steps without waiting for the others' gradients
    std::string label;
    std::string
        deviceNames; // of all of them, "n1.g0 n1.g1 ": a row is found by them where its label is short
    double busyShare = 0.0;
    std::array<Lane, kLaneRoles> lanes;
    const Lane& lane(LaneRole r) const { return lanes[static_cast<std::size_t>(r)]; }
    Lane& lane(LaneRole r) { return lanes[static_cast<std::size_t>(r)]; }
};

struct Timeline {
    std::vector<Track> tracks;
    std::int64_t end = 0; // ns, the iteration
    std::size_t barCount() const;
};

// A run of bars that is drawn as one item. Every visible bar belongs to exactly one item, counts add up, and
// busy is the sum of their durations clipped to the window: a bubble narrower than a pixel lightens the tone
// and never vanishes.
struct FoldedItem {
    std::int64_t start = 0, end = 0; // ns, clipped to the window
    std::size_t first = 0;
    std::uint32_t count = 1;
    BarKind kind = BarKind::Forward; // the dominant one
    std::int64_t busy = 0;
    double coverage() const {
        return end > start ? static_cast<double>(busy) / static_cast<double>(end - start) : 1.0;
    }
};

// Bars of [t0, t1) on `pixels` columns, into `out`, whose former content is dropped. A bar of at least
// minPixels is an item of its own. A run of narrower ones folds into an item of at least that width, unless a
// wide bar or the window's end stands in the way: idle time behind the run up to that width belongs to it and
// lightens its tone. Items are in order and do not overlap. Costs by the number of items, not of bars.
void fold(const Lane& lane, std::int64_t t0, std::int64_t t1, int pixels, double minPixels,
          std::vector<FoldedItem>& out);

// Index of the bar under t, or the nearest within `slack` ns; -1 if none. O(log n).
std::ptrdiff_t hitTest(const Lane& lane, std::int64_t t, std::int64_t slack);

// Sums over the part of each bar inside [t0, t1); min is 0 where count is 0.
struct KindStatistics {
    std::size_t count = 0;
    std::int64_t sum = 0;                     // of what lies inside the window
    std::int64_t whole = 0, min = 0, max = 0; // of the bars as long as they are: an edge makes none shorter
    void add(std::int64_t length, std::int64_t inside) {
        min = count == 0 ? length : std::min(min, length);
        max = std::max(max, length);
        whole += length;
        sum += inside;
        ++count;
    }
    double mean() const { return count == 0 ? 0.0 : static_cast<double>(whole) / static_cast<double>(count); }
};
struct RangeStatistics {
    std::array<KindStatistics, kBarKinds> byKind;
    std::int64_t busy = 0, idle = 0;
};
RangeStatistics rangeStatistics(const Lane& lane, std::int64_t t0, std::int64_t t1);

// The bar edge nearest to t within `slack`, or t itself: area selections snap to it.
std::int64_t snapToEdge(const std::vector<const Lane*>& lanes, std::int64_t t, std::int64_t slack);

// Window on the time axis, with the arithmetic of zoom and pan in integer nanoseconds.
struct TimeWindow {
    std::int64_t begin = 0, end = 1; // end > begin
    std::int64_t span() const { return end - begin; }
    double toPixel(std::int64_t t, int width) const; // 0 at begin, `width` at end
    std::int64_t toTime(double x, int width) const;  // nearest nanosecond, also outside; width > 0
    // Zooms by `factor` (< 1 narrows) keeping `fixed` under its pixel, inside [0, limit], not under 100 ns.
    TimeWindow zoomed(double factor, std::int64_t fixed, std::int64_t limit) const;
    // Moves by so many nanoseconds, as far as [0, limit] allows; the span is kept.
    TimeWindow panned(std::int64_t by, std::int64_t limit) const;
    bool operator==(const TimeWindow&) const = default;
};

} // namespace pw
