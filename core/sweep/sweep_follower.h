// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep_rows.h"
#include "core/sweep/sweep_status.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pw {

// Follows a sweep that anybody works off, here or elsewhere: a folder is looked through again and again, and
// of each file only what was appended is read. Notifications would be quicker, and say nothing on NFS.
//
//   readOn():  list results/ -> files longer than they were -> their new lines -> rows that changed
//
// A damaged line stops the reading of its file and of no other, is told as long as it is there, and the same
// file is tried again later. A result that cannot be taken, since it disagrees with another file's of the
// same task or has something of a wrong type, stops it for good, and stays told as long as the file is there.
struct SweepNews {
    std::vector<std::pair<std::size_t, SweepRow>> rows; // that changed, by task
    std::vector<Error> damage;                          // of files that are read no further
    SweepStatus status;
    bool more = false; // so much was new that the rest is left for the next call
    bool gone = false; // the folder; what was read of it stays
};

class SweepFollower {
public:
    // Reads the tasks. Bad input as readTasks().
    static Result<SweepFollower> make(SweepFolder folder);

    const SweepFolder& folder() const { return m_folder; }
    const std::vector<TaskLine>& tasks() const { return m_tasks; }
    // At most some `most` lines at a time: whoever shows them need not wait for all.
    SweepNews readOn(std::size_t most = kLinesAtATime);
    static constexpr std::size_t kLinesAtATime = 20'000;

private:
    struct Place {
        std::uint64_t offset = 0;
        std::size_t line = 0;
        std::optional<Error> damage;
        bool ended = false; // by a result that cannot be taken
    };
    SweepFollower(SweepFolder folder, std::vector<TaskLine> tasks);
    std::size_t readFile(const std::filesystem::path& file, std::size_t most, SweepNews& news);
    void addRows(const std::string& id, const SweepRow& row, SweepNews& news) const;

    SweepFolder m_folder;
    std::vector<TaskLine> m_tasks;
    std::unordered_map<std::string, std::vector<std::size_t>> m_byId; // looked up only
    TaskStates m_states;
    std::map<std::filesystem::path, Place> m_places;
    SweepStatus m_status;
};

} // namespace pw
