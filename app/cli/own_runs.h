// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/calibrate/run_table.h"

#include <string>
#include <vector>

namespace pw::cli {

// What a log does not say of the machine that it was printed on.
struct LoggedMachine {
    std::string gpu, network;
    int gpusPerNode = 0; // 0 = not stated
};

// The user's own runs: one table, whose column `log` may name for each run the file that its trainer printed
// into, beside the table; or logs that list the run's arguments, on one machine. Bad input with the file for
// what is neither, for both at once, and for a log without `machine.gpu`.
Result<std::vector<RunRow>> readOwnRuns(const std::vector<std::string>& files, const LoggedMachine& machine,
                                        Diagnostics& notes);

} // namespace pw::cli
