// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/disk.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// What attempts at a chunk leave: one file each, with one writer ever, that only grows.
//
//   results/CCCCC-JOB.RESTART.HOST.PID-RANDOM.jsonl
//     {"begin": ID}      before a search
//     {"stopped": ID}    it was stopped; as if it had not begun
//     {"id": ID, ...}    its result (task_result.h), 4 KiB at most
//
// A line without its end was torn by a crash and counts for nothing. Engines run things twice (Slurm does
// after a node or its controller died, with the same job number and the same count of restarts), which is why
// nothing is named by the job alone and why a result may be there more than once: results of one id agree in
// all but the time and the host. Three beginnings without a result are a failure, which is left alone until
// told otherwise.

inline constexpr int kMostBegins = 3;

struct AttemptName {
    std::size_t chunk = 0;
    std::string job = "local"; // of the engine, with the number of the array's element
    std::string restart = "0";
};
// Of a running attempt: job and restart as the engine tells in the environment.
AttemptName attemptName(std::size_t chunk);
std::string hostName(); // of this machine

class ResultWriter {
public:
    // A new file in the folder. Failure if it cannot be made.
    static Result<ResultWriter> create(const std::filesystem::path& folder, const AttemptName& name,
                                       const Disk& disk = systemDisk(), const Clock& clock = systemClock());
    // Results are on the disk a second after they were written, or at finish(), and what a power cut takes is
    // worked out again. A sync takes as long as a short task, so that there is one a second where tasks are
    // short. Nothing syncs while a task is worked out: what is open goes to the disk as the task begins if it
    // is `expected` (s) to run beyond that second, and stays open longer only where a task takes longer than
    // that.
    Status begin(const std::string& id, double expected);
    Status stopped(const std::string& id);
    Status result(const std::string& record); // a compact JSON object with its id
    Status finish();
    const std::filesystem::path& path() const { return m_path; }

private:
    ResultWriter(std::filesystem::path path, std::unique_ptr<WritableFile> file, const Clock& clock);
    Status write(const std::string& line, bool lasts, double ahead = 0.0);

    std::filesystem::path m_path;
    std::unique_ptr<WritableFile> m_file;
    const Clock* m_clock;
    double m_synced = 0.0;
    bool m_lasting = true; // nothing is unsynced that should last
};

// What a file says, line by line, from an offset on: a view that polls asks for what was appended only.
struct ResultLine {
    enum class Kind { Begin, Stopped, Result };
    Kind kind = Kind::Begin;
    std::string id;
    std::string text; // Result: the record
    std::size_t line = 0;
};
struct ResultLines {
    std::vector<ResultLine> lines;
    std::uint64_t offset = 0; // behind the last whole line
    std::size_t line = 0;     // that many whole lines lie before it
    bool torn = false;        // something without an end stands there
    // A whole line that is none of these, at file:line: `lines` end before it.
    std::optional<Error> damage;
};
// Failure: the file cannot be read.
Result<ResultLines> readSoundLines(const std::filesystem::path& file, std::uint64_t offset, std::size_t line,
                                   std::size_t most = std::numeric_limits<std::size_t>::max(),
                                   const Disk& disk = systemDisk());
// The same of a whole file, with the damage as bad input.
Result<ResultLines> readResultLines(const std::filesystem::path& file, const Disk& disk = systemDisk());

// Names of the result files of a chunk, or of all, in order.
std::vector<std::filesystem::path> resultFiles(const std::filesystem::path& folder,
                                               const Disk& disk = systemDisk());
std::vector<std::filesystem::path> resultFiles(const std::filesystem::path& folder, std::size_t chunk,
                                               const Disk& disk = systemDisk());
// The chunk of a file; bad input for one that is not named so.
Result<std::size_t> chunkOf(const std::filesystem::path& file);

// What became of a task, by id.
struct TaskState {
    int begins = 0; // without those that were stopped
    bool done = false;
    int exit = 0;            // of its result: 0, or 3 for no plan
    double wall = 0.0;       // s
    std::string digest;      // of all of the result but time and host
    std::string toolVersion; // that worked it out
    std::string file;        // that has the result
    std::string lastAttempt; // file that began it last
    bool open() const { return !done && begins < kMostBegins; }
    bool failed() const { return !done && begins >= kMostBegins; }
};
using TaskStates = std::map<std::string, TaskState>;

// Adds what the files say; `take` gets the first record of each id. Failure: two results of one id disagree
// in more than time and host; both files are named. Results of different versions of the program are not held
// against each other.
using TakeRecord = std::function<Status(const std::string& id, const std::string& record)>;
Status addStates(const std::vector<std::filesystem::path>& files, TaskStates& states,
                 const TakeRecord& take = {}, const Disk& disk = systemDisk());
// The same with lines of one file that the caller has read.
Status addLines(const std::filesystem::path& file, const std::vector<ResultLine>& lines, TaskStates& states,
                const TakeRecord& take = {});

} // namespace pw
