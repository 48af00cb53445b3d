// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep_folder.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A sweep as Slurm job arrays: an element a chunk. What is asked of Slurm and what it answers, as text; the
// command line runs the commands, on this machine or through ssh, since libslurm's interface changes with
// every release and the commands do not.

struct SlurmOptions {
    std::string program;                  // pipewright-cli as the nodes see it
    std::string partition, account, time; // empty: Slurm's defaults
    int maxRunning = 0;                   // elements at a time; 0: no limit
    int threads = 1;                      // cores of an element
    bool retryFailed = false;
    std::vector<std::string> more; // further words for sbatch
};

// The batch script: its argument is added to the number of the array's element. The worker takes the shell's
// place, so that it gets the signal that Slurm sends 30 s before the time is up.
std::string slurmScript(const SlurmOptions& options, const std::string& folder);

// Elements of an array are 0 to MaxArraySize - 1, so that chunks beyond that go into another array.
struct SlurmArray {
    std::size_t offset = 0;
    std::vector<std::size_t> chunks; // from the offset on, ascending
};
inline constexpr std::size_t kDefaultMaxArraySize = 1001; // of Slurm
std::vector<SlurmArray> slurmArrays(const std::vector<std::size_t>& chunks, std::size_t maxArraySize);
std::string arrayText(const SlurmArray& array, int maxRunning); // "0-3,7%2"
std::vector<std::string> sbatchWords(const SlurmOptions& options, const std::string& folder,
                                     const SlurmArray& array);
// "pipewright-1a2b3c4d", of the folder as the nodes see it: by this name the jobs of a sweep are found
// whoever submits them, and whether or not jobs.jsonl got to know their numbers.
std::string jobNameOf(const std::string& folder);
inline constexpr const char* kSharedJobName = "pipewright-sweep"; // of all sweeps, before they had their own
// Whether a word keeps sbatch from printing the number: "-Q", "--quiet", "--qui", "-HQ".
bool isQuiet(std::string_view word);

// MaxArraySize of `scontrol show config`; nothing if that is no such answer.
std::optional<std::size_t> maxArraySizeOf(std::string_view config);
// The id that `sbatch --parsable` prints, "17" or "17;cluster"; empty if that is none.
std::string jobIdOf(std::string_view answer);
// Elements that squeueWords() lists, by job and element. What is held starts only after somebody has released
// it (`scontrol release 17_3`).
struct QueuedElement {
    std::string name; // of the job
    std::string held; // why Slurm holds it; empty: it waits or runs
};
using QueuedElements = std::map<std::pair<std::string, std::size_t>, QueuedElement>;
QueuedElements queuedElements(std::string_view answer);

// One word of a POSIX shell's command line, for what goes through ssh and into scripts.
std::string shellQuoted(std::string_view word);

// Of jobs.jsonl. A submission is written down before sbatch is called, so that a full disk is met before
// anything runs, and its job's number after it:
//
//   {"submission": S, "engine", "name", "time", "command", "offset", "chunks"}
//   {"submission": S, "id": "17"}
//
// Where the second line is missing, sbatch refused, or it took a job of which nobody could write down the
// number: one of that name in the queue is then taken for it.
struct SubmittedJob {
    std::string engine; // "slurm"
    std::string id;     // empty: not known
    std::string time;   // UTC
    std::string command;
    std::size_t offset = 0;
    std::vector<std::size_t> chunks;
    std::string name = kSharedJobName; // in the queue
    std::string submission = {};       // no other has the same; empty: one line says it all
};
// Appends one, on the disk when it returns, so that submissions from several machines do not undo each other.
// What a full disk or a crash left of an earlier one goes. Failure: the disk; those before are whole.
Status addJob(const SweepFolder& folder, const SubmittedJob& job);
// The same for the number of one that is there without.
Status addJobId(const SweepFolder& folder, const std::string& submission, const std::string& id);
// None where nothing was submitted. Bad input for a line that is none; one without its end does not count.
Result<std::vector<SubmittedJob>> readJobs(const SweepFolder& folder);
// The folder that a submission's words have its workers work off, as they were written down; empty: they do
// not say.
std::string folderOf(const SubmittedJob& job);
// Asks for all jobs of this name, and of the names that these had.
std::vector<std::string> squeueWords(const std::string& name, const std::vector<SubmittedJob>& jobs);
// Queued jobs of this name whose numbers are not among them.
std::set<std::string> unrecordedJobs(const std::vector<SubmittedJob>& jobs, const QueuedElements& queued,
                                     const std::string& name);
// A chunk of a job whose element still waits or runs.
struct QueuedChunk {
    std::string element; // as Slurm names it: "17_3"
    std::string held;    // why it is held; empty: it is not
};
using QueuedChunks = std::map<std::size_t, QueuedChunk>;
// Of a job whose number is not known, all that it may be: a chunk too many waits for another run, one too few
// is worked out twice.
QueuedChunks queuedChunks(const std::vector<SubmittedJob>& jobs, const QueuedElements& queued);

} // namespace pw
