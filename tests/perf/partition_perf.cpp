// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/partition/partition.h"
#include "tests/perf/budget.h"

#include <cstdio>
#include <cstdlib>
#include <numeric>

// How long it takes to price and search all partitions of a stack of blocks. Published: 4.2 to 6.1 s for 32
// GPUs on one thread of a Xeon Gold 5218, over the same space.

namespace {

using namespace pw;

void searchStack(benchmark::State& state, int devices, const char* model, int threads, double milliseconds) {
    perf::budget(state, milliseconds);
    const std::string root = std::string(PW_SOURCE_DIR) + "/samples/";
    const auto text = readFile(root + "clusters/v100-32.json");
    auto drawn = text ? readCluster(*text, "v100-32") : Result<Cluster>(text.error());
    auto read = readModelFile(root + "models/" + model + ".json");
    Recipe recipe;
    recipe.gbs = 32; // so that the batch can be split any way
    recipe.seq = 2048;
    recipe.precision = Precision::Fp16;
    auto problem = drawn && read
                       ? Problem::make(*drawn, *read, recipe, {})
                       : Result<std::shared_ptr<const Problem>>(drawn ? read.error() : drawn.error());
    if (!problem) {
        std::fprintf(stderr, "%s\n", problem.error().text().c_str());
        std::exit(2);
    }
    std::vector<DeviceIndex> group(static_cast<std::size_t>(devices));
    std::iota(group.begin(), group.end(), 0);
    partition::SpaceOptions options;
    options.sequences = recipe.gbs;
    for (auto _ : state) {
        const auto space = partition::PartitionSpace::make(**problem, group, options, threads);
        if (!space) {
            state.SkipWithError(space.error().text().c_str());
            return;
        }
        const partition::Partition best = (*space)->best(static_cast<int>((*problem)->model().blocks));
        state.counters["ways"] = static_cast<double>((*space)->wayCount());
        state.counters["stack_s"] = best.figures.seconds;
    }
}

void opt8(benchmark::State& state) {
    searchStack(state, 8, "opt-175b", 0, 10.0);
}
void opt16(benchmark::State& state) {
    searchStack(state, 16, "opt-175b", 0, 60.0);
}
void opt32(benchmark::State& state) {
    searchStack(state, 32, "opt-175b", 0, 300.0);
}
void opt32OneThread(benchmark::State& state) {
    searchStack(state, 32, "opt-175b", 1, 600.0);
}
void llama32(benchmark::State& state) {
    searchStack(state, 32, "llama3-70b", 0, 300.0);
}

BENCHMARK(opt8)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(opt16)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(opt32)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(opt32OneThread)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();
BENCHMARK(llama32)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();

} // namespace
