// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pw {

// What the program asks of a disk, handed in to who reads and writes folders and files: a test hands in one
// that is full or fails at a step, which real disks do too seldom. Every step is one of the system's; a code
// that is no error says that it was done. What is whole or not there after a crash is made of these steps in
// core/base/file.h; by itself only rename() is atomic, and nothing outlives a power cut but what sync() and
// syncFolder() came back from.

struct FileFacts {
    bool regular = false, folder = false;
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
    virtual std::error_code seek(std::uint64_t offset) = 0; // the next read() begins there, in bytes
};

class WritableFile {
public:
    virtual ~WritableFile() = default;
    virtual std::error_code permit(unsigned permissions) = 0;
    virtual std::error_code write(std::string_view text) = 0; // all of it; an error: perhaps some of it
    virtual std::error_code sync() = 0;                       // back when it is on the disk
    virtual std::error_code close() = 0;
};

// A folder that a process keeps others out of, for as long as this lives.
class HeldFolder {
public:
    virtual ~HeldFolder() = default;
};

class Disk {
public:
    virtual ~Disk() = default;
    virtual std::unique_ptr<ReadableFile> open(const std::filesystem::path& path,
                                               std::error_code& code) const = 0;
    // A new file; one of that name must not exist.
    virtual std::unique_ptr<WritableFile> create(const std::filesystem::path& path,
                                                 std::error_code& code) const = 0;
    // At the end of a file, which is made if it is not there. A write() that the disk takes at once is whole
    // beside those of others on this machine; on a network's file system it may not be.
    virtual std::unique_ptr<WritableFile> append(const std::filesystem::path& path,
                                                 std::error_code& code) const = 0;
    // Something that is written into and not replaced: a pipe or a device.
    virtual std::unique_ptr<WritableFile> openThrough(const std::filesystem::path& path,
                                                      std::error_code& code) const = 0;
    // Files "PREFIXPID.NUMBER.tmp" in the folder, of any prefix where it is empty, that no such process
    // writes any more and that are older than kAbandonedAfter: being written when the power or the process
    // went.
    virtual std::vector<std::filesystem::path> abandoned(const std::filesystem::path& folder,
                                                         const std::string& prefix) const = 0;
    // Of what a symbolic link leads to. What is not there is std::errc::no_such_file_or_directory.
    virtual std::error_code facts(const std::filesystem::path& path, FileFacts& found) const = 0;
    // What lies in the folder, without "." and "..", in order.
    virtual std::error_code list(const std::filesystem::path& folder,
                                 std::vector<std::filesystem::path>& found) const = 0;
    virtual std::error_code permit(const std::filesystem::path& path, unsigned permissions) const = 0;
    virtual std::error_code rename(const std::filesystem::path& from,
                                   const std::filesystem::path& to) const = 0;
    virtual std::error_code remove(const std::filesystem::path& path) const = 0; // a file
    // With everything in it; links are not followed. That nothing is there is no error.
    virtual std::error_code removeAll(const std::filesystem::path& path) const = 0;
    // In a folder that is there. That it is there itself, and a folder, is no error.
    virtual std::error_code makeFolder(const std::filesystem::path& path) const = 0;
    // A new folder for this process alone: `stem` with six characters that make it one. Empty with an error.
    virtual std::filesystem::path makeOwnFolder(const std::filesystem::path& stem,
                                                std::error_code& code) const = 0;
    // Nothing while another process holds it (std::errc::operation_would_block), or where the file system
    // knows no locks (another code).
    virtual std::unique_ptr<HeldFolder> hold(const std::filesystem::path& folder,
                                             std::error_code& code) const = 0;
    // Names in the folder, as they are now, outlive a crash. File systems that cannot do that say it is done.
    virtual std::error_code syncFolder(const std::filesystem::path& folder) const = 0;
};

const Disk& systemDisk(); // the machine's own

} // namespace pw
