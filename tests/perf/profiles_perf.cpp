// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/kineto.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/store/store.h"
#include "tests/perf/budget.h"

#include <fmt/format.h>
#include <fmt/os.h>

#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pw;

// Long files of measurements: a million rows into the store in 10 s, a trace of 100 MB in 300 MB of memory.
namespace {

constexpr int kRows = 1'000'000;
constexpr double kTraceBytes = 100e6;
constexpr double kMemoryLimit = 300e6;

std::filesystem::path folder() {
    const auto path = std::filesystem::temp_directory_path() / fmt::format("pipewright-perf-{}", getpid());
    std::filesystem::create_directories(path);
    return path;
}

void importAMillionRows(benchmark::State& state) {
    const auto path = folder();
    const auto format = static_cast<ProfileFormat>(state.range(0));
    {
        auto file = fmt::output_file((path / "rows").string());
        file.print("{}", profileFileHead(format));
        ProfileRow row;
        row.model = "llama3-70b";
        row.kind = "A100-SXM4-80GB";
        row.source = "a source with a name of usual length";
        row.date = "2026-11-21";
        row.software = "torch 2.9.1, CUDA 12.8, driver 570.86";
        for (int i = 0; i < kRows; ++i) {
            row.layer = i % 100;
            row.tp = 1 << (i / 100 % 4);
            row.mbs = 1 + i / 400;
            row.forward = Seconds(1e-3 + 1e-9 * i);
            row.backward = Seconds(2e-3 + 1e-9 * i);
            file.print("{}{}", i == 0 ? "" : profileFileSeparator(format), printProfile(row, format));
        }
        file.print("{}", profileFileEnd(format));
    }
    for (auto _ : state) {
        std::filesystem::remove(path / "rows.db");
        auto store = ProfileStore::open(path / "rows.db", ProfileStore::Mode::ReadWrite);
        const auto added = store->addFrom(
            [&](const ProfileStore::Take& take) -> Status { return eachProfile(path / "rows", take); });
        if (!added || *added != kRows)
            state.SkipWithError(added ? "not all rows were stored" : added.error().text().c_str());
    }
    std::filesystem::remove_all(path);
    perf::budget(state, 10'000.0);
}

// In a process of its own, whose peak the system tells.
void readALongTrace(benchmark::State& state) {
    const auto path = folder() / "trace.json";
    {
        auto file = fmt::output_file(path.string());
        file.print("{}", "{\"schemaVersion\": 1, \"traceEvents\": [");
        double written = 0.0;
        for (int i = 0; written < kTraceBytes; ++i) {
            const std::string event =
                fmt::format("{}\n  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": "
                            "\"sm80_xmma_gemm_bf16bf16_{}\", \"pid\": 0, "
                            "\"tid\": 7,\n    \"ts\": {}.25, \"dur\": 12.5,\n    \"args\": {{\"External "
                            "id\": {}, \"device\": 0, "
                            "\"context\": 1, \"stream\": 7, \"correlation\": {}, \"grid\": [64, 1, 1], "
                            "\"block\": [256, 1, 1]}}\n  }}",
                            i == 0 ? "" : ",", i % 2 ? "kernel" : "cpu_op", i % 97, i * 14, i / 2, i);
            written += static_cast<double>(event.size());
            file.print("{}", event);
        }
        file.print("{}", "]}");
    }
    double peak = 0.0;
    for (auto _ : state) {
        const pid_t child = fork();
        if (child == 0) {
            // What the parent had is shared and small; the limit is on all of it.
            const auto trace = readKineto(path);
            _exit(trace && trace->kernels.size() > 100'000 ? 0 : 1);
        }
        int status = 0;
        rusage usage{};
        wait4(child, &status, 0, &usage);
        peak = static_cast<double>(usage.ru_maxrss) * 1024.0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            state.SkipWithError("the trace was not read");
        if (peak > kMemoryLimit)
            state.SkipWithError(fmt::format("took {:.0f} MB", peak / 1e6).c_str());
    }
    std::filesystem::remove_all(path.parent_path());
    state.counters["peak_MB"] = peak / 1e6;
    perf::budget(state, 10'000.0);
}

} // namespace

BENCHMARK(importAMillionRows)
    ->Arg(static_cast<int>(ProfileFormat::Table))
    ->Arg(static_cast<int>(ProfileFormat::Document))
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(readALongTrace)->Iterations(1)->Unit(benchmark::kMillisecond);
