// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/result_file.h"
#include "core/sweep/sweep_folder.h"

#include <string>
#include <vector>

namespace pw {

// How far a sweep is, counted from its files: whoever works on it, and wherever.
struct ChunkStatus {
    std::size_t tasks = 0, done = 0, failed = 0;
    bool open() const { return done + failed < tasks; }
};
struct FailedTask {
    std::size_t task = 0, chunk = 0;
    std::string id;
    int begins = 0;
    std::string attempt; // file that began it last
    std::string log;     // the last lines of what the engine printed; empty: there is none
};
struct SweepStatus {
    std::size_t tasks = 0, done = 0, infeasible = 0;
    std::size_t begun = 0; // without a result: worked on, or given up by whoever did
    std::vector<FailedTask> failed;
    std::vector<ChunkStatus> chunks;
    double wall = 0.0; // s that results took
    double left = 0.0; // s of one core that are left, by what results took beside what was expected
    std::vector<std::size_t> openChunks(bool withFailed) const;
    bool complete() const { return done == tasks; }
};
Result<SweepStatus> sweepStatus(const SweepFolder& folder);
// Fills in the logs of the failed ones.
void readLogs(const SweepFolder& folder, SweepStatus& status);
// The same with tasks and states that the caller has read.
SweepStatus sweepStatus(const SweepFolder& folder, const std::vector<TaskLine>& tasks,
                        const TaskStates& states);

// Where attempts at a chunk that this machine runs leave what they print.
std::filesystem::path localLog(const SweepFolder& folder, std::size_t chunk);
// The last lines of such a log that say something, at most so many and 4 KiB, fit to be shown; empty if it
// cannot be read.
std::string lastLines(const std::filesystem::path& log, std::size_t most, const Disk& disk);

} // namespace pw
