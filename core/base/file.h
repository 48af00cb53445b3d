// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace pw {

inline constexpr std::size_t kWholeFileLimit = 67'108'864; // bytes: importers that read a file as one text

// Reads a whole regular file, or where the program takes them a pipe. A missing or too large file is bad
// input, a failing disk is a failure.
Result<std::string> readFile(const std::filesystem::path& path, std::size_t limit = kWholeFileLimit,
                             const Disk& disk = systemDisk());

// Replaces a file so that a reader, or a crash, finds the old text or the new one and never a half: temporary
// file in the same folder, fsync, rename, fsync of the folder. Keeps the permissions of an existing file.
// What fails leaves the old text and no other file; what a killed process left here of the same file goes.
// A pipe or a device is written into, where the program takes them (core/base/pipes.h).
Status writeFileAtomically(const std::filesystem::path& path, std::string_view text,
                           const Disk& disk = systemDisk());

// The same for a text that is made piece by piece and never whole in memory: `make` hands the pieces to its
// argument in order. What cannot be written any more is dropped, and said at the end.
using TextSink = std::function<void(std::string_view)>;
Status streamFileAtomically(const std::filesystem::path& path,
                            const std::function<void(const TextSink&)>& make,
                            const Disk& disk = systemDisk());

// Makes the folder with those above it. The code of the first that could not be made.
std::error_code makeFolders(const std::filesystem::path& folder, const Disk& disk = systemDisk());

// Whether something of that name is there; what cannot be looked at is not.
bool isThere(const std::filesystem::path& path, const Disk& disk = systemDisk());

// The last bytes of a file, at most so many; an error's code if they cannot be read.
std::error_code readEnd(const std::filesystem::path& path, std::size_t most, std::string& text,
                        const Disk& disk = systemDisk());

// A file's lines one after the other, from an offset (in bytes) on: for files that grow, and those of which a
// part is read.
class LineReader {
public:
    // Nothing and a code if the file cannot be opened.
    static std::optional<LineReader> open(const std::filesystem::path& path, std::uint64_t offset,
                                          std::error_code& code, const Disk& disk = systemDisk());
    // The next line without its end; false: there is none, or code(). One of more than so many bytes is not
    // read whole: std::errc::message_size.
    bool next(std::string& line, std::size_t most = std::numeric_limits<std::size_t>::max());
    bool torn() const { return m_torn; } // the line that next() gave was the file's last and had no end
    const std::error_code& code() const { return m_code; }

private:
    explicit LineReader(std::unique_ptr<ReadableFile> file) : m_file(std::move(file)) {}

    std::unique_ptr<ReadableFile> m_file;
    std::string m_read; // of which m_at bytes were given
    std::size_t m_at = 0;
    bool m_torn = false;
    std::error_code m_code;
};

} // namespace pw
