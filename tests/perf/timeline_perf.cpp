// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/perf/budget.h"
#include "tests/timeline/random_lane.h"

using namespace pw;

namespace {

// A million bars may take half of a frame of 16 ms; the other half is for painting.
constexpr std::int64_t kFrameMicroseconds100k = 2000, kFrameMicroseconds1M = 8000;

std::vector<Lane> lanesOf(std::size_t count, std::size_t bars) {
    Random random(1);
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < count; ++i)
        lanes.push_back(test::randomLane(random, bars / count));
    return lanes;
}

// A frame at 1600 px: arguments are lanes, bars in all, the window's share of the trace in percent, budget in
// us.
void foldFrame(benchmark::State& state) {
    const std::vector<Lane> lanes =
        lanesOf(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
    std::vector<FoldedItem> items;
    std::size_t drawn = 0;
    for (auto _ : state) {
        drawn = 0;
        for (const Lane& lane : lanes) {
            const std::int64_t end = lane.end(lane.size() - 1), span = end * state.range(2) / 100;
            fold(lane, (end - span) / 2, (end + span) / 2, 1600, 1.0, items);
            drawn += items.size();
        }
        benchmark::DoNotOptimize(drawn);
    }
    state.counters["items"] = static_cast<double>(drawn);
    perf::budget(state, static_cast<double>(state.range(3)) / 1e3);
}

void hitTestInAMillion(benchmark::State& state) {
    const std::vector<Lane> lanes = lanesOf(1, 1000000);
    const auto end = static_cast<std::uint64_t>(lanes[0].end(lanes[0].size() - 1));
    Random random(2);
    for (auto _ : state)
        benchmark::DoNotOptimize(hitTest(lanes[0], static_cast<std::int64_t>(random.below(end)), 1000));
    perf::budget(state, 0.020);
}

} // namespace

BENCHMARK(foldFrame)
    ->Args({16, 100000, 100, kFrameMicroseconds100k})
    ->Args({64, 1000000, 100, kFrameMicroseconds1M})
    ->Args({16, 100000, 10, kFrameMicroseconds100k})
    ->Args({64, 1000000, 10, kFrameMicroseconds1M})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(hitTestInAMillion)->Unit(benchmark::kMillisecond);
