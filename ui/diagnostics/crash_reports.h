// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pw {

// What a CrashHandler has left.
struct CrashReport {
    std::filesystem::path file;
    std::string end;  // its second line: "2026-11-22T17:05:03Z SIGSEGV at address 0x0"
    std::string text; // all lines, without control characters
};

inline constexpr std::size_t kCrashReports = 10; // that are kept

// Takes over what programs have left that no longer run ("crash-....txt" from now on) and removes the empty
// files of those that were killed, and the oldest reports over kCrashReports. Those taken over now.
std::vector<CrashReport> collectCrashReports(const std::filesystem::path& folder);
// All that were taken over, the latest first.
std::vector<CrashReport> crashReports(const std::filesystem::path& folder);
// Those of them that no window has offered to show; from now on one has. Where that cannot be noted down they
// are offered again.
std::vector<CrashReport> unofferedCrashReports(const std::filesystem::path& folder);

} // namespace pw
