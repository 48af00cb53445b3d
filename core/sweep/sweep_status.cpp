// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_status.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLastLines = 5;
constexpr std::size_t kLastBytes = 4096;

// Engines' logs are named after the job that the attempt's name has.
fs::path logOf(const SweepFolder& folder, std::size_t chunk, const std::string& attempt) {
    const std::string name = fs::path(attempt).filename().string();
    const std::size_t dash = name.find('-'), dot = name.find('.');
    const std::string job =
        dash < dot && dot != std::string::npos ? name.substr(dash + 1, dot - dash - 1) : std::string();
    return job.empty() || job == AttemptName().job ? localLog(folder, chunk)
                                                   : folder.logFolder() / (job + ".log");
}

} // namespace

fs::path localLog(const SweepFolder& folder, std::size_t chunk) {
    return folder.logFolder() / fmt::format("{:05}.log", chunk);
}

std::string lastLines(const fs::path& log, std::size_t most, const Disk& disk) {
    std::string text, last;
    static_cast<void>(readEnd(log, kLastBytes, text, disk)); // what cannot be read says nothing
    const std::vector<TextLine> lines = linesOf(text);
    for (std::size_t i = lines.size() - std::min(lines.size(), most); i < lines.size(); ++i)
        if (!lines[i].text.empty())
            last += (last.empty() ? "" : "\n") + printable(lines[i].text, kInLine);
    return last;
}

std::vector<std::size_t> SweepStatus::openChunks(bool withFailed) const {
    std::vector<std::size_t> open;
    for (std::size_t c = 0; c < chunks.size(); ++c)
        if (chunks[c].open() || (withFailed && chunks[c].failed > 0))
            open.push_back(c);
    return open;
}

SweepStatus sweepStatus(const SweepFolder& folder, const std::vector<TaskLine>& tasks,
                        const TaskStates& states) {
    SweepStatus status;
    status.tasks = tasks.size();
    status.chunks.resize(folder.chunks.size());
    std::set<std::string> counted;
    double expectedDone = 0.0, expectedLeft = 0.0;
    std::size_t chunk = 0;
    for (const TaskLine& task : tasks) {
        while (task.number >= folder.chunks[chunk].first + folder.chunks[chunk].count)
            ++chunk;
        ChunkStatus& of = status.chunks[chunk];
        ++of.tasks;
        const auto at = states.find(task.id);
        const TaskState state = at == states.end() ? TaskState() : at->second;
        if (state.done) {
            ++of.done;
            ++status.done;
            status.infeasible += state.exit != 0 ? 1 : 0;
            if (counted.insert(task.id).second) {
                status.wall += state.wall;
                expectedDone += task.expected;
            }
        } else if (state.failed()) {
            ++of.failed;
            status.failed.push_back({task.number, chunk, task.id, state.begins, state.lastAttempt, {}});
        } else {
            expectedLeft += task.expected;
            status.begun += state.begins > 0 ? 1 : 0;
        }
    }
    status.left = expectedDone > 0.0 ? expectedLeft * status.wall / expectedDone : expectedLeft;
    return status;
}

Result<SweepStatus> sweepStatus(const SweepFolder& folder) {
    const Result<std::vector<TaskLine>> tasks = readTasks(folder, std::nullopt);
    if (!tasks)
        return tasks.error();
    TaskStates states;
    if (const Status read =
            addStates(resultFiles(folder.resultsFolder(), *folder.disk), states, {}, *folder.disk);
        !read)
        return read.error();
    SweepStatus status = sweepStatus(folder, *tasks, states);
    readLogs(folder, status);
    return status;
}

void readLogs(const SweepFolder& folder, SweepStatus& status) {
    for (FailedTask& failed : status.failed)
        failed.log = lastLines(logOf(folder, failed.chunk, failed.attempt), kLastLines, *folder.disk);
}

} // namespace pw
