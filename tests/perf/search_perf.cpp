// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/search/planners.h"
#include "core/search/search.h"
#include "tests/perf/budget.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

// How long the default planner searches the problems of the samples, and how fast it stops.

namespace {

using namespace pw;

const std::string kSamples = std::string(PW_SOURCE_DIR) + "/samples/";

std::shared_ptr<const Problem> sampleProblem(Result<Cluster> drawn, const std::string& model,
                                             std::int64_t gbs, std::int64_t seq,
                                             std::vector<std::int64_t> mbs = {}) {
    auto read = readModelFile(kSamples + "models/" + model + ".json");
    Recipe recipe;
    recipe.gbs = gbs;
    recipe.seq = seq;
    recipe.mbs = std::move(mbs);
    auto problem = drawn && read
                       ? Problem::make(*drawn, *read, recipe, {})
                       : Result<std::shared_ptr<const Problem>>(drawn ? read.error() : drawn.error());
    if (!problem) {
        std::fprintf(stderr, "%s\n", problem.error().text().c_str());
        std::exit(2);
    }
    return *problem;
}

std::shared_ptr<const Problem> sampleProblem(const std::string& cluster, const std::string& model,
                                             std::int64_t gbs, std::int64_t seq,
                                             std::vector<std::int64_t> mbs = {}) {
    const auto text = readFile(kSamples + "clusters/" + cluster + ".json");
    return sampleProblem(text ? readCluster(*text, cluster) : Result<Cluster>(text.error()), model, gbs, seq,
                         std::move(mbs));
}

// 40 GPUs of five kinds, two a node, on one switch: what a composition of "what to buy" looks like.
std::shared_ptr<const Problem> fiveKinds() {
    Cluster cluster;
    cluster.switches = {{"s1", "InfiniBand", {}}};
    for (const char* kind : {"H100-SXM-80GB", "A100-SXM4-80GB", "A100-SXM4-40GB", "V100-SXM2-32GB", "L40S"})
        for (int i = 0; i < 4; ++i) {
            Node node;
            node.id = "n" + std::to_string(cluster.nodes.size() + 1);
            node.kind = kind;
            node.gpus = 2;
            cluster.links.push_back(
                {node.id + "-s1", node.id, "s1", BytesPerSecond(25e9), 1, Seconds(5e-6), 0.88});
            cluster.nodes.push_back(std::move(node));
        }
    return sampleProblem(std::move(cluster), "llama3-8b", 512, 4096);
}

void plan(benchmark::State& state, const std::shared_ptr<const Problem>& problem, double milliseconds,
          const SearchOptions& options = {}) {
    perf::budget(state, milliseconds);
    SearchObserver nobody;
    for (auto _ : state) {
        const auto outcome = search(problem, options, nobody, {});
        if (!outcome || outcome->plans.empty()) {
            state.SkipWithError("no plan");
            return;
        }
        state.counters["iteration_s"] = outcome->plans.front().evaluation.iteration.value;
        state.counters["gap_percent"] = 100.0 * outcome->gap();
    }
}

void planMixed16(benchmark::State& state) {
    plan(state, sampleProblem("mixed-16", "gpt3-1.3b", 256, 2048), 50.0);
}

void planMixed64(benchmark::State& state) {
    plan(state, sampleProblem("mixed-64", "llama3-70b", 512, 4096), 500.0);
}

void planMixed1024(benchmark::State& state) {
    plan(state, sampleProblem("mixed-1024", "llama3-405b", 2048, 8192), 3000.0);
}

void planFourSites(benchmark::State& state) {
    plan(state, sampleProblem("four-sites-16384", "llama3-405b", 4096, 8192), 15000.0);
}

// With little work, so that most of it is bounds: a task of a large sweep.
void planFiveKindsQuickly(benchmark::State& state) {
    SearchOptions options;
    options.work = 20'000;
    plan(state, fiveKinds(), 300.0, options);
}

// From the request to the end of a search that would go on for long.
void stopSearch(benchmark::State& state, const std::shared_ptr<const Problem>& problem, const char* planner,
                std::chrono::milliseconds after = std::chrono::milliseconds(150)) {
    perf::budget(state, 50.0);
    SearchOptions options;
    options.planner = planner;
    options.work = 1'000'000'000'000;
    for (auto _ : state) {
        std::stop_source source;
        SearchObserver nobody;
        std::thread worker([&] { (void)search(problem, options, nobody, source.get_token()); });
        std::this_thread::sleep_for(after);
        const auto asked = std::chrono::steady_clock::now();
        source.request_stop();
        worker.join();
        state.SetIterationTime(
            std::chrono::duration<double>(std::chrono::steady_clock::now() - asked).count());
    }
}

void stop(benchmark::State& state) {
    stopSearch(state, sampleProblem("mixed-64", "llama3-70b", 512, 4096), "pipewright");
}

void stopFourSites(benchmark::State& state) {
    stopSearch(state, sampleProblem("four-sites-16384", "llama3-405b", 4096, 8192), "pipewright",
               std::chrono::milliseconds(state.range(0)));
}

// A million micro-batches: one simulation alone takes longer than the stop may.
void stopLongSimulations(benchmark::State& state) {
    stopSearch(state, sampleProblem("mixed-64", "llama3-70b", 1'000'000, 4096, {1}), "pipewright");
}

void stopLongEvaluations(benchmark::State& state) {
    stopSearch(state, sampleProblem("mixed-64", "llama3-70b", 1'000'000, 4096, {1}), "exhaustive");
}

BENCHMARK(planMixed16)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(planMixed64)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(planFiveKindsQuickly)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(planMixed1024)->Unit(benchmark::kMillisecond)->Repetitions(1)->Iterations(1)->UseRealTime();
BENCHMARK(planFourSites)->Unit(benchmark::kMillisecond)->Repetitions(1)->Iterations(1)->UseRealTime();
// While options are made, during the bound, the patterns, the chains.
BENCHMARK(stopFourSites)
    ->Arg(150)
    ->Arg(700)
    ->Arg(2000)
    ->Arg(4000)
    ->Arg(8000)
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(3)
    ->Iterations(1)
    ->UseManualTime();
BENCHMARK(stop)->Unit(benchmark::kMillisecond)->Repetitions(5)->Iterations(1)->UseManualTime();
BENCHMARK(stopLongSimulations)->Unit(benchmark::kMillisecond)->Repetitions(5)->Iterations(1)->UseManualTime();
BENCHMARK(stopLongEvaluations)->Unit(benchmark::kMillisecond)->Repetitions(5)->Iterations(1)->UseManualTime();

} // namespace
