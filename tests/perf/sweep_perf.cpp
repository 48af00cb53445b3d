// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/disk.h"
#include "core/base/json.h"
#include "core/sweep/chunk_work.h"
#include "core/sweep/prepared_sweep.h"
#include "core/sweep/sweep_status.h"
#include "tests/perf/budget.h"

#include <nlohmann/json.hpp>

#include <chrono>

// What a sweep takes beside its searches: of a core's time that works a chunk off, at least nine tenths are
// searches. A chunk as a tenth of 1,440 problems on 16 GPUs, whose searches are as short as any.

namespace {

using namespace pw;

constexpr double kSearching = 0.9; // of the whole time
constexpr std::size_t kTasks = 144;

Json multiples(int of, int most) {
    Json all = Json::array();
    for (int i = 1; i <= most; ++i)
        all.push_back(of * i);
    return all;
}

Json document() {
    return {{"schema", kSweepSchema},
            {"name", "perf"},
            {"base",
             {{"cluster", "clusters/mixed-16.json"},
              {"model", "models/gpt3-1.3b.json"},
              {"recipe", {{"gbs", 64}, {"seq", 2048}}}}},
            {"axes",
             {{{"name", "batch"}, {"of", "recipe.gbs"}, {"values", multiples(16, 12)}},
              {{"name", "length"}, {"of", "recipe.seq"}, {"values", multiples(128, 12)}}}}};
}

Status makeFolder(const std::filesystem::path& path) {
    Diagnostics notes;
    const Result<PreparedSweep> made =
        prepareSweep(document().dump(), "sweep.json", std::filesystem::path(PW_SOURCE_DIR) / "samples",
                     {kTasks, 1, {}}, notes);
    if (!made)
        return made.error();
    return writeSweepFolder(path, made->sweep, made->inputs, made->expansion);
}

// Within searches, s, of a run that opens the folder, works off its chunk and counts what is done.
Result<double> searchingTime(const std::filesystem::path& path) {
    const Result<SweepFolder> folder = openSweepFolder(path);
    if (!folder)
        return folder.error();
    const Result<WorkReport> report = workOff(*folder, 0, {});
    if (!report)
        return report.error();
    const Result<SweepStatus> status = sweepStatus(*folder);
    if (!status)
        return status.error();
    if (report->done != kTasks || !status->complete())
        return failure("perf", path.string(), "not all tasks have a result");
    return report->searching;
}

// The budget is what the searches of this very run may take with all that is around them.
void workChunk(benchmark::State& state) {
    std::error_code problem;
    const std::filesystem::path path =
        systemDisk().makeOwnFolder(std::filesystem::temp_directory_path() / "pw-sweep-perf", problem);
    for (auto _ : state) {
        const Status made =
            problem ? Status(failure("perf", path.string(), {"{why}", {{"why", problem.message()}}}))
                    : makeFolder(path / "sweep");
        const auto begun = std::chrono::steady_clock::now();
        const Result<double> searching = made ? searchingTime(path / "sweep") : Result<double>(made.error());
        const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        if (!searching) {
            state.SkipWithError(searching.error().text().c_str());
            break;
        }
        state.SetIterationTime(whole);
        perf::budget(state, 1e3 * *searching / kSearching);
        state.counters["searching"] = *searching / whole;
        state.counters["tasks_per_s"] = static_cast<double>(kTasks) / whole;
    }
    static_cast<void>(systemDisk().removeAll(path));
}

BENCHMARK(workChunk)->Unit(benchmark::kMillisecond)->Repetitions(1)->Iterations(1)->UseManualTime();

} // namespace
