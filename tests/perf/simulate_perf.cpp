// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/schedule/builders.h"
#include "tests/perf/budget.h"

using namespace pw;

namespace {

constexpr double kOperationsPerSecond = 10e6; // forwards and backwards, one core

StageTimes pipelineOf(std::size_t stages) {
    Random random(1);
    StageTimes times;
    for (std::size_t i = 0; i < stages; ++i) {
        times.forward.push_back(random.uniform(0.2, 0.4));
        times.backward.push_back(random.uniform(0.5, 0.8));
        if (i + 1 < stages)
            times.send.push_back(random.uniform(0.0, 0.3));
    }
    return times;
}

// As a search runs it: figures only, into a workspace that is kept.
void simulateFigures(benchmark::State& state) {
    const StageTimes times = pipelineOf(static_cast<std::size_t>(state.range(0)));
    const int microbatches = static_cast<int>(state.range(1));
    const std::vector<int> launch =
        launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, times, microbatches);
    SimulationWorkspace workspace;
    Simulation run;
    for (auto _ : state) {
        if (!simulate(times, microbatches, launch, {true, false}, workspace, run))
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(run.makespan);
    }
    const auto operations = static_cast<double>(2 * state.range(0) * state.range(1));
    state.counters["ops"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
    perf::budget(state, 1e3 * operations / kOperationsPerSecond);
}

// As a timeline is made.
void simulateWithOps(benchmark::State& state) {
    const StageTimes times = pipelineOf(static_cast<std::size_t>(state.range(0)));
    const int microbatches = static_cast<int>(state.range(1));
    const std::vector<int> launch =
        launchCounts(ScheduleKind::H1F1B, LaunchRule::Artifact, times, microbatches);
    for (auto _ : state) {
        auto run = simulate(times, microbatches, launch);
        benchmark::DoNotOptimize(run);
    }
    const auto operations = static_cast<double>(2 * state.range(0) * state.range(1));
    state.counters["ops"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
    perf::budget(state, 1e3 * operations / kOperationsPerSecond);
}

// An op list of every kind that launch counts do not describe, as a search of such plans would run it.
void simulateLists(benchmark::State& state, ScheduleKind kind, bool keepOps) {
    const StageTimes times = pipelineOf(static_cast<std::size_t>(state.range(0)));
    const int microbatches = static_cast<int>(state.range(1));
    const ChunkedPipeline pipeline = chunkedPipeline(times, {}, leastChunks(kind), chunkPlacement(kind), 0.1);
    const Result<OpLists> lists = opLists(kind, pipeline, {microbatches});
    if (!lists)
        return state.SkipWithError("refused");
    for (auto _ : state) {
        auto run = simulate(pipeline, microbatches, *lists, {true, keepOps});
        if (!run)
            state.SkipWithError("refused");
        benchmark::DoNotOptimize(run);
    }
    const int perMicrobatch = (splitsBackward(kind) ? 3 : 2) * pipeline.virtualStages();
    const double operations = static_cast<double>(perMicrobatch) * microbatches;
    state.counters["ops"] = benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate);
    perf::budget(state, 1e3 * operations / kOperationsPerSecond);
}
void simulateInterleaved(benchmark::State& state) {
    simulateLists(state, ScheduleKind::Interleaved, false);
}
void simulateZeroBubble(benchmark::State& state) {
    simulateLists(state, ScheduleKind::ZbH1, false);
}
void simulateZeroBubbleWithOps(benchmark::State& state) {
    simulateLists(state, ScheduleKind::ZbH1, true);
}

// The scheduler itself: many lists built and simulated until one is chosen.
void scheduleZeroBubble(benchmark::State& state, ScheduleKind kind, double budget) {
    const StageTimes times = pipelineOf(static_cast<std::size_t>(state.range(0)));
    const int microbatches = static_cast<int>(state.range(1));
    const ChunkedPipeline pipeline = chunkedPipeline(times, {}, leastChunks(kind), chunkPlacement(kind), 0.1);
    for (auto _ : state) {
        auto lists = opLists(kind, pipeline, {microbatches});
        benchmark::DoNotOptimize(lists);
    }
    perf::budget(state, budget);
}
void scheduleZb1p(benchmark::State& state) {
    scheduleZeroBubble(state, ScheduleKind::Zb1p, state.range(1) > 100 ? 1000.0 : 50.0);
}
void scheduleZbV(benchmark::State& state) {
    scheduleZeroBubble(state, ScheduleKind::ZbV, state.range(1) > 100 ? 1000.0 : 50.0);
}

} // namespace

BENCHMARK(simulateFigures)->Args({4, 64})->Args({16, 256})->Args({64, 4096})->Unit(benchmark::kMillisecond);
BENCHMARK(simulateWithOps)->Args({16, 256})->Args({64, 4096})->Unit(benchmark::kMillisecond);
BENCHMARK(simulateInterleaved)
    ->Args({8, 64})
    ->Args({16, 256})
    ->Args({64, 4096})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(simulateZeroBubble)
    ->Args({8, 64})
    ->Args({16, 256})
    ->Args({64, 4096})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(simulateZeroBubbleWithOps)->Args({16, 256})->Unit(benchmark::kMillisecond);
BENCHMARK(scheduleZb1p)->Args({8, 24})->Args({16, 512})->Unit(benchmark::kMillisecond);
BENCHMARK(scheduleZbV)->Args({8, 24})->Args({16, 512})->Unit(benchmark::kMillisecond);
