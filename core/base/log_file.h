// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace pw {

// A log on disk, appended to line by line and readable by its owner alone. With a limit it is renamed before
// it grows over it, and the oldest goes:
//
//   pipewright.log  ->  pipewright.log.1  ->  pipewright.log.2  ->  removed
//
// Several programs may write to one log: a line is one write(), and who finds that another has renamed the
// file follows to the new one. Not for several threads at a time.
class LogFile {
public:
    struct Limits {
        std::size_t bytes = 0; // of one file; 0 = it only grows
        int kept = 0;          // older ones beside it
    };
    static Result<std::unique_ptr<LogFile>> open(const std::filesystem::path& path, Limits limits);
    ~LogFile();
    LogFile(const LogFile&) = delete;
    LogFile& operator=(const LogFile&) = delete;

    void write(std::string_view line);
    Status status() const {
        return m_status;
    } // the first failure to write; later lines are tried all the same

private:
    LogFile(std::filesystem::path path, Limits limits, int fd)
        : m_path(std::move(path)), m_limits(limits), m_fd(fd) {}
    void follow();
    void makeRoom(std::size_t bytes);
    void fail(int code);

    const std::filesystem::path m_path;
    const Limits m_limits;
    int m_fd;
    Status m_status = Ok{};
};

// The files of a log that are there, oldest first.
std::vector<std::filesystem::path> logFiles(const std::filesystem::path& path, int kept);

} // namespace pw
