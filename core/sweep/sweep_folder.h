// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/sweep/expansion.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// A sweep on disk, for any number of machines that see one folder (NFS, Lustre):
//
//   sweep.json            what follows, written last: without it a folder is no sweep
//   inputs/HASH.json      all files that the document names; nothing outside is read again
//   tasks.jsonl           one line a task
//   chunks.json           [first task, tasks, expected seconds, offset of the first task's line]
//   results/*.jsonl       one file an attempt (result_file.h)
//   plans/ID.json.gz      kept plan documents
//   jobs.jsonl, log/      submissions, and what engines print
//   submit.json           what the window told Slurm last (ui/sweep/slurm_fields.h)
//
// There is no database and nothing is locked: WAL is impossible on network file systems, and the result files
// have one writer each.
inline constexpr const char* kSweepFolderSchema = "pipewright-sweep-folder-1";

struct SweepFolder {
    std::filesystem::path path;
    SweepDocument sweep;
    SweepInputs inputs;
    std::string toolVersion; // that made it
    std::size_t tasks = 0, infeasible = 0;
    double expected = 0.0; // s of one core
    struct Chunk : SweepChunk {
        std::uint64_t offset = 0; // of its first line in tasks.jsonl
    };
    std::vector<Chunk> chunks;
    const Disk* disk = &systemDisk(); // of all its files; never null

    std::filesystem::path resultsFolder() const { return path / "results"; }
    std::filesystem::path logFolder() const { return path / "log"; }
    std::filesystem::path planFile(const std::string& id) const { return path / "plans" / (id + ".json.gz"); }
};

// Into a folder that does not exist or is empty. Bad input if it is neither; on failure what was written is
// removed again, and a folder that was there is empty.
Status writeSweepFolder(const std::filesystem::path& path, const SweepDocument& sweep,
                        const SweepInputs& inputs, const Expansion& expansion,
                        const Disk& disk = systemDisk());

// Bad input: no sweep, a newer program's, or one whose files are not what they were. The disk outlives it.
Result<SweepFolder> openSweepFolder(const std::filesystem::path& path, const Disk& disk = systemDisk());

// A line of tasks.jsonl.
struct TaskLine {
    std::size_t number = 0; // from 0, in the file's order
    std::string id;
    Assignment at;
    double expected = 0.0;
};
// Of one chunk, or of all: only what is asked for is read.
Result<std::vector<TaskLine>> readTasks(const SweepFolder& folder, std::optional<std::size_t> chunk);

} // namespace pw
