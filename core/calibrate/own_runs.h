// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/calibrate/run_table.h"
#include "core/calibrate/training_log.h"

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

// A log with the file that it is read from.
struct OwnLog {
    std::string file;
    TrainingLog log;
    std::string argumentsOf = {}; // the log that the arguments were taken from; "" = they are its own
};

// Of a run of Megatron-LM's rank 0 prints the arguments, and the last rank the steps or that memory ran out:
// of two such logs the second takes what the first says, which goes. A log with arguments that ran out of
// memory is a run by itself where another lists arguments alone. Bad input at a file for two that are not of
// one run, and where there are several of either (log.pair).
Status joinRanks(std::vector<OwnLog>& logs);

// The run that a log states by its list of arguments, with its time and memory, on the machine. Bad input at
// its file for what checkSteps(), runOfArguments() and takeLog() refuse.
Result<RunRow> loggedRun(const OwnLog& own, const LoggedMachine& machine);

// The user's own runs: one table, whose column `log` may name for each run the file that its trainer printed
// into, beside the table; or logs that list the run's arguments, on one machine, those of two ranks joined.
// Bad input with the file for what is neither, for both at once (runs.mixed), and for what joinRanks() and
// loggedRun() refuse; and without a file for logs without `machine.gpu` (runs.gpu), once nothing else is
// wrong with them.
Result<std::vector<RunRow>> readOwnRuns(const std::vector<std::string>& files, const LoggedMachine& machine,
                                        Diagnostics& notes);

} // namespace pw
