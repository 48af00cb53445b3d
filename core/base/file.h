// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

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

} // namespace pw
