// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pw {

// What core/base/file.h asks of a disk, handed in: a test hands in one that is full or fails at a step, which
// real disks do too seldom. Every step is one of the system's; a code that is no error says that it was done.

struct FileFacts {
    bool regular = false;
    std::size_t bytes = 0;
    unsigned permissions = 0; // as chmod takes them
};

inline constexpr std::chrono::minutes kAbandonedAfter{10};

// Open files close themselves.
class ReadableFile {
public:
    virtual ~ReadableFile() = default;
    virtual std::error_code facts(FileFacts& found) = 0;
    virtual std::error_code read(std::span<char> into, std::size_t& got) = 0; // got 0: the end
};

class WritableFile {
public:
    virtual ~WritableFile() = default;
    virtual std::error_code permit(unsigned permissions) = 0;
    virtual std::error_code write(std::string_view text) = 0; // all of it
    virtual std::error_code sync() = 0;                       // back when it is on the disk
    virtual std::error_code close() = 0;
};

class Disk {
public:
    virtual ~Disk() = default;
    virtual std::unique_ptr<ReadableFile> open(const std::filesystem::path& path,
                                               std::error_code& code) const = 0;
    // A new file; one of that name must not exist.
    virtual std::unique_ptr<WritableFile> create(const std::filesystem::path& path,
                                                 std::error_code& code) const = 0;
    // Something that is written into and not replaced: a pipe or a device.
    virtual std::unique_ptr<WritableFile> openThrough(const std::filesystem::path& path,
                                                      std::error_code& code) const = 0;
    // Files "PREFIX.PID.NUMBER.tmp" in the folder that no process of that number writes any more and that are
    // older than kAbandonedAfter: what was being written when the power or the process went.
    virtual std::vector<std::filesystem::path> abandoned(const std::filesystem::path& folder,
                                                         const std::string& prefix) const = 0;
    virtual std::error_code facts(const std::filesystem::path& path, FileFacts& found) const = 0;
    virtual std::error_code rename(const std::filesystem::path& from,
                                   const std::filesystem::path& to) const = 0;
    virtual std::error_code remove(const std::filesystem::path& path) const = 0;
    // Names in the folder, as they are now, outlive a crash. File systems that cannot do that say it is done.
    virtual std::error_code syncFolder(const std::filesystem::path& folder) const = 0;
};

const Disk& systemDisk(); // the machine's own

} // namespace pw
