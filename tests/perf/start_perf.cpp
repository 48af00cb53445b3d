// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/perf/budget.h"

#include <cstdlib>
#include <filesystem>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

// How long the desktop program takes from its start to its first painted window. It is run with
// --exit-after-startup and waited for, so its end counts as well: the figure is an upper limit.

namespace {

void startProgram(benchmark::State& state) {
    pw::perf::budget(state, 300.0);
    const auto folder =
        std::filesystem::temp_directory_path() / ("pipewright-start-" + std::to_string(getpid()));
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    setenv("PIPEWRIGHT_CONFIG_DIR", (folder / "config").c_str(), 1);
    setenv("PIPEWRIGHT_STATE_DIR", (folder / "state").c_str(), 1);
    setenv("PIPEWRIGHT_DATA_DIR", (folder / "data").c_str(), 1);
    std::string program = PW_PROGRAM, flag = "--exit-after-startup";
    char* const arguments[] = {program.data(), flag.data(), nullptr};
    for (auto _ : state) {
        pid_t child = 0;
        int status = -1;
        if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0 ||
            waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            state.SkipWithError("the program did not start");
            break;
        }
    }
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
}

BENCHMARK(startProgram)->Unit(benchmark::kMillisecond)->Repetitions(5)->UseRealTime();

} // namespace
