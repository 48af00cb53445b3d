// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace pw {

// Files that are no files: `--plan <(ssh host cat plans.json)`, `import /dev/stdin`, `--out /dev/stdout`. A
// command line waits for whoever is at the other end; a window must not, so that it refuses them ("is not a
// regular file") unless the program has said that it takes them.
//
// A pipe can be read once and says no size, but importers look at the beginning of a file first, and streams
// say how far they are. What comes through a pipe is therefore kept, in memory and up to a limit, and reading
// goes on with that: for everything else it is a regular file, and the same one when it is opened again.

inline constexpr const char* kStandardOutput = "/dev/stdout";
inline constexpr std::uint64_t kPipeLimit = 2'147'483'648; // bytes

// From now on pipes are read and written, and so are the terminal and the null device. Before any thread is
// started.
void takePipes();

// Opens for reading and never waits for a writer of a pipe that is not to be read. A descriptor, or -1 and
// why.
int openForReading(const std::filesystem::path& path, std::error_code& code);

// Whether something is there to be written into as it comes, and not to be replaced: a pipe or a device,
// where the program takes them.
bool isWrittenThrough(const std::filesystem::path& path);

} // namespace pw
