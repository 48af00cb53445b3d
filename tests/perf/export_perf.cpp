// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/exports/exporters.h"
#include "core/exchange/imports/import_table.h"
#include "tests/perf/budget.h"

using namespace pw;

namespace {

constexpr std::int64_t kMicrobatches = 3900; // 26 events each: bars, transfers and arrows

// Four stages of 8 blocks on the 16 GPUs of mixed-16.
void chromeTraceOf100000Events(benchmark::State& state) {
    const std::string samples = std::string(PW_SOURCE_DIR) + "/samples/";
    const auto model = readModelFile(samples + "models/llama3-8b.json");
    const auto cluster = readCluster(*readFile(samples + "clusters/mixed-16.json"), "mixed-16.json");
    Recipe recipe;
    recipe.gbs = kMicrobatches;
    const auto problem = *Problem::make(*cluster, *model, recipe, {});
    Plan plan;
    Pipeline& p = plan.pipelines.emplace_back();
    p.microbatches = kMicrobatches;
    for (int s = 0; s < 4; ++s) {
        Stage& stage = p.stages.emplace_back();
        stage.chunks = {layersOfBlocks(8 * s, 8 * s + 8, 32)};
        stage.tp = 4;
        stage.replicas = {{{4 * s, 4 * s + 1, 4 * s + 2, 4 * s + 3}, 1.0}};
    }
    const auto evaluation = evaluate(*problem, plan, {.keepOps = true});
    if (!evaluation) {
        state.SkipWithError(evaluation.error().text().c_str());
        return;
    }
    const SearchOutcome outcome;
    std::size_t events = 0, bytes = 0;
    for (auto _ : state) {
        const std::vector<ExportFile> files = exportChromeTrace({*problem, outcome, plan, *evaluation});
        bytes = files[0].text.size();
        benchmark::DoNotOptimize(bytes);
    }
    const std::string text = exportChromeTrace({*problem, outcome, plan, *evaluation})[0].text;
    for (std::size_t at = text.find("\"ph\":"); at != std::string::npos; at = text.find("\"ph\":", at + 1))
        ++events;
    state.counters["events"] = static_cast<double>(events);
    state.counters["MB"] = static_cast<double>(bytes) / 1e6;
    if (events < 100'000)
        state.SkipWithError(("only " + std::to_string(events) + " events").c_str());
    perf::budget(state, 50.0);
}

} // namespace

BENCHMARK(chromeTraceOf100000Events)->Unit(benchmark::kMillisecond);
