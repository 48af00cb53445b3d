// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/trace.h"

#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/search/planners.h"
#include "tests/perf/budget.h"
#include "tests/search/sample_problems.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

// What it costs to be told what a search does: nothing where nobody asks, and next to nothing where somebody
// does. And whether what is told adds up to the time of the search.

namespace {

using namespace pw;

template <class T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "%s\n", result.error().text().c_str());
        std::exit(2);
    }
    return *std::move(result);
}

std::shared_ptr<const Problem> sampleProblem(const std::string& cluster, const std::string& model,
                                             std::int64_t gbs, std::int64_t seq) {
    const std::string root = std::string(PW_SOURCE_DIR) + "/samples/";
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = seq;
    return must(
        Problem::make(must(readCluster(must(readFile(root + "clusters/" + cluster + ".json")), cluster)),
                      must(readModelFile(root + "models/" + model + ".json")), recipe, {}));
}

// Searches with and without a sink in turns; the fastest of each, since other programs only ever add.
void searchWithAndWithout(benchmark::State& state) {
    constexpr double kMost = 1.05; // times the search that nobody asks
    perf::budget(state, 20'000.0);
    const auto problem = sampleProblem("mixed-16", "gpt3-1.3b", 256, 2048);
    SearchObserver nobody;
    TraceSink sink;
    std::array<double, 2> fastest;
    fastest.fill(std::numeric_limits<double>::infinity());
    for (auto _ : state)
        for (int turn = 0; turn < 40; ++turn) {
            SearchOptions options;
            options.trace = turn % 2 == 0 ? nullptr : &sink;
            const auto begin = std::chrono::steady_clock::now();
            const auto outcome = search(problem, options, nobody, {});
            const double took =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            benchmark::DoNotOptimize(outcome);
            double& least = fastest[static_cast<std::size_t>(turn % 2)];
            least = std::min(least, took);
        }
    state.counters["without_ms"] = 1e3 * fastest[0];
    state.counters["with_ms"] = 1e3 * fastest[1];
    state.counters["ratio"] = fastest[1] / fastest[0];
    if (fastest[1] > kMost * fastest[0])
        state.SkipWithError("a sink slows the search down");
}

// A phase that nobody asks for.
void silentPhase(benchmark::State& state) {
    perf::budget(state, 1e-4); // 100 ns; a search has some tens of them
    TraceSink* sink = nullptr;
    benchmark::DoNotOptimize(sink);
    for (auto _ : state) {
        InPhase phase(sink, "phase");
        benchmark::DoNotOptimize(phase.figures());
    }
}

void tracedPhase(benchmark::State& state) {
    perf::budget(state, 1e-2); // 10 us
    for (auto _ : state) {
        PhaseRecorder recorder;
        { const InPhase phase(&recorder, "phase"); }
        benchmark::DoNotOptimize(recorder.take());
    }
}

// The phases make up the time of the search within 5 %.
void phasesAddUp(benchmark::State& state, const std::shared_ptr<const Problem>& problem) {
    perf::budget(state, 30'000.0);
    SearchObserver nobody;
    TraceSink sink;
    SearchOptions options;
    options.trace = &sink;
    for (auto _ : state) {
        const auto outcome = search(problem, options, nobody, {});
        const double share = outcome ? secondsOf(outcome->phases) / outcome->wall : 0.0;
        state.counters["wall_s"] = outcome ? outcome->wall : 0.0;
        state.counters["share"] = share;
        if (std::abs(share - 1.0) > 0.05)
            state.SkipWithError("the phases do not add up");
    }
}

void phasesOfMixed64(benchmark::State& state) {
    phasesAddUp(state, sampleProblem("mixed-64", "llama3-70b", 512, 4096));
}

// Few seconds, and many spaces to make bounds of.
void phasesOfExperts32(benchmark::State& state) {
    phasesAddUp(state, test::sampleProject("experts-32"));
}

void phasesOfFourSites(benchmark::State& state) {
    phasesAddUp(state, sampleProblem("four-sites-16384", "llama3-405b", 4096, 8192));
}

BENCHMARK(searchWithAndWithout)->Unit(benchmark::kMillisecond)->Repetitions(1)->Iterations(1)->UseRealTime();
BENCHMARK(silentPhase)->Unit(benchmark::kNanosecond)->UseRealTime();
BENCHMARK(tracedPhase)->Unit(benchmark::kNanosecond)->UseRealTime();
BENCHMARK(phasesOfMixed64)->Unit(benchmark::kMillisecond)->Repetitions(3)->Iterations(1)->UseRealTime();
BENCHMARK(phasesOfExperts32)->Unit(benchmark::kMillisecond)->Repetitions(3)->Iterations(1)->UseRealTime();
BENCHMARK(phasesOfFourSites)->Unit(benchmark::kMillisecond)->Repetitions(1)->Iterations(1)->UseRealTime();

} // namespace
