// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/calibrate/run_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What a log does not say of the machine that it was printed on.
struct LoggedMachine {
    std::string gpu, network;
    int gpusPerNode = 0; // 0 = not stated
    bool operator==(const LoggedMachine&) const = default;
};

// Whether the text, or its beginning, is a table of runs: of the columns that every table has, the first one
// stands in its first line.
bool isRunTable(std::string_view text);

// The run that a log states by its list of arguments, with its time and memory, on the machine. Bad input at
// `file` for what readTrainingLog(), runOfArguments() and takeLog() refuse.
Result<RunRow> loggedRun(std::string_view text, const std::string& file, const LoggedMachine& machine);

// The user's own runs: one table, whose column `log` may name for each run the file that its trainer printed
// into, beside the table; or logs that list the run's arguments, on one machine. A log of steps without
// arguments takes those of the one that has no steps, of rank 0 of the same run, and is the run. Bad input
// with the file for what is neither, for both at once (runs.mixed), and for two such logs that are not of one
// run (log.pair); and without a file for logs without `machine.gpu` (runs.gpu), once nothing else is wrong
// with them.
Result<std::vector<RunRow>> readOwnRuns(const std::vector<std::string>& files, const LoggedMachine& machine,
                                        Diagnostics& notes);

} // namespace pw
