// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

namespace pw::cli {

// Programs that this one starts. They get none of its blocked signals, and a group of their own: Ctrl-C in
// the terminal is this program's to pass on.

// The file of this very program.
std::filesystem::path ownProgram();

// Starts it with what it prints going to the end of `log`; SIGTERM reaches it when this program dies. Failure
// if it cannot be started.
Result<pid_t> startProgram(const std::vector<std::string>& words, const std::filesystem::path& log);

struct ProgramRun {
    int code = -1; // -1: a signal ended it
    std::string out, err;
};
// Runs it to its end. Failure if there is no such program.
Result<ProgramRun> runProgram(const std::vector<std::string>& words);

} // namespace pw::cli
