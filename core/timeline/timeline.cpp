// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pw {

namespace {

constexpr std::size_t kBlock = 64; // bars between two rows of m_kindBlocks
constexpr std::uint8_t kEstimated = 0x80;
constexpr std::int64_t kNarrowestWindow = 100; // ns

} // namespace

const char* label(BarKind kind) {
    switch (kind) {
    case BarKind::Forward:
        return "Forward";
    case BarKind::Backward:
        return "Backward";
    case BarKind::WeightGrad:
        return "Weight gradient";
    case BarKind::Recompute:
        return "Recompute";
    case BarKind::Transfer:
        return "Transfer";
    case BarKind::AllReduce:
        return "All-reduce";
    case BarKind::Optimizer:
        return "Optimizer";
    }
    return "";
}

void Lane::add(std::int64_t start, std::int64_t end, BarKind kind, std::int32_t microbatch, bool estimated,
               int chunk) {
    assert(end > start && (m_end.empty() || start >= m_end.back()));
    m_start.push_back(start);
    m_end.push_back(end);
    m_kind.push_back(
        static_cast<std::uint8_t>(static_cast<std::uint8_t>(kind) | (estimated ? kEstimated : 0)));
    m_microbatch.push_back(microbatch);
    m_chunk.push_back(static_cast<std::uint8_t>(chunk));
}

void Lane::seal() {
    m_busy.assign(size() + 1, 0);
    m_kindBlocks.clear();
    std::array<std::int64_t, kBarKinds> byKind{};
    for (std::size_t i = 0; i < size(); ++i) {
        if (i % kBlock == 0)
            m_kindBlocks.push_back(byKind);
        const std::int64_t length = m_end[i] - m_start[i];
        m_busy[i + 1] = m_busy[i] + length;
        byKind[static_cast<std::size_t>(kind(i))] += length;
    }
    m_kindBlocks.push_back(byKind);
}

std::size_t Lane::firstEndingAfter(std::int64_t t) const {
    return static_cast<std::size_t>(std::upper_bound(m_end.begin(), m_end.end(), t) - m_end.begin());
}

std::size_t Lane::firstStartingFrom(std::int64_t t, std::size_t from) const {
    std::size_t low = from, step = 1;
    while (low + step < size() && m_start[low + step] < t) {
        low += step;
        step *= 2;
    }
    const auto begin = m_start.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end = m_start.begin() + static_cast<std::ptrdiff_t>(std::min(low + step + 1, size()));
    return static_cast<std::size_t>(std::lower_bound(begin, end, t) - m_start.begin());
}

BarKind Lane::dominant(std::size_t first, std::size_t last) const {
    std::array<std::int64_t, kBarKinds> byKind{};
    const auto addBars = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            byKind[static_cast<std::size_t>(kind(i))] += busy(i, i + 1);
    };
    const std::size_t firstBlock = (first + kBlock - 1) / kBlock, lastBlock = last / kBlock;
    if (firstBlock >= lastBlock) {
        addBars(first, last);
    } else {
        addBars(first, firstBlock * kBlock);
        for (std::size_t k = 0; k < byKind.size(); ++k)
            byKind[k] += m_kindBlocks[lastBlock][k] - m_kindBlocks[firstBlock][k];
        addBars(lastBlock * kBlock, last);
    }
    return static_cast<BarKind>(std::max_element(byKind.begin(), byKind.end()) - byKind.begin());
}

std::size_t Timeline::barCount() const {
    std::size_t count = 0;
    for (const Track& track : tracks)
        for (const Lane& lane : track.lanes)
            count += lane.size();
    return count;
}

std::ptrdiff_t hitTest(const Lane& lane, std::int64_t t, std::int64_t slack) {
    const std::size_t next = lane.firstEndingAfter(t);
    std::ptrdiff_t best = -1;
    std::int64_t distance = slack;
    if (next > 0) { // a bar covers [start, end), so its last nanosecond is end - 1
        const std::int64_t behind = t - (lane.end(next - 1) - 1);
        if (behind <= distance) {
            best = static_cast<std::ptrdiff_t>(next) - 1;
            distance = behind - 1; // the later bar must be nearer to win
        }
    }
    if (next < lane.size()) {
        const std::int64_t ahead = lane.start(next) - t;
        if (ahead <= 0 || ahead <= distance)
            best = static_cast<std::ptrdiff_t>(next);
    }
    return best;
}

RangeStatistics rangeStatistics(const Lane& lane, std::int64_t t0, std::int64_t t1) {
    RangeStatistics out;
    for (std::size_t i = lane.firstEndingAfter(t0); i < lane.size() && lane.start(i) < t1; ++i) {
        const std::int64_t length = std::min(lane.end(i), t1) - std::max(lane.start(i), t0);
        out.byKind[static_cast<std::size_t>(lane.kind(i))].add(lane.end(i) - lane.start(i), length);
        out.busy += length;
    }
    out.idle = std::max<std::int64_t>(t1 - t0, 0) - out.busy;
    return out;
}

std::int64_t snapToEdge(const std::vector<const Lane*>& lanes, std::int64_t t, std::int64_t slack) {
    std::int64_t best = t, distance = slack + 1;
    const auto consider = [&](std::int64_t edge) {
        const std::int64_t away = std::abs(edge - t);
        if (away < distance || (away == distance && edge < best)) {
            best = edge;
            distance = away;
        }
    };
    for (const Lane* lane : lanes) {
        const std::size_t next = lane->firstEndingAfter(t);
        if (next > 0)
            consider(lane->end(next - 1));
        if (next < lane->size()) {
            consider(lane->start(next));
            consider(lane->end(next));
        }
    }
    return distance <= slack ? best : t;
}

double TimeWindow::toPixel(std::int64_t t, int width) const {
    return static_cast<double>(t - begin) * width / static_cast<double>(span());
}

std::int64_t TimeWindow::toTime(double x, int width) const {
    return begin + std::llround(x * static_cast<double>(span()) / width);
}

TimeWindow TimeWindow::zoomed(double factor, std::int64_t fixed, std::int64_t limit) const {
    const std::int64_t most = std::max<std::int64_t>(limit, 1);
    const double wanted =
        std::clamp(static_cast<double>(span()) * factor,
                   static_cast<double>(std::min(kNarrowestWindow, most)), static_cast<double>(most));
    const std::int64_t newSpan = std::llround(wanted);
    const double share = static_cast<double>(fixed - begin) / static_cast<double>(span());
    const std::int64_t left = fixed - std::llround(share * static_cast<double>(newSpan));
    const std::int64_t newBegin = std::clamp<std::int64_t>(left, 0, most - newSpan);
    return {newBegin, newBegin + newSpan};
}

TimeWindow TimeWindow::panned(std::int64_t by, std::int64_t limit) const {
    const std::int64_t room = std::max<std::int64_t>(limit - span(), 0);
    const std::int64_t most = std::max<std::int64_t>(limit, 0);
    const std::int64_t newBegin = std::clamp<std::int64_t>(begin + std::clamp(by, -most, most), 0, room);
    return {newBegin, newBegin + span()};
}

} // namespace pw
