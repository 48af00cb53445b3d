// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pw {

// Leaves a report when the program ends by a fault, an abort or std::terminate:
//
//   Pipewright 0.1.0, Qt 6.4.2, ...                       `head`
//   2026-11-22T17:05:03Z SIGSEGV at address 0x0
//   /usr/bin/pipewright(+0x5d2f1) [0x55...]               a line a call, where the platform tells them
//
// Its file is opened when the handler is made, because little may be called by a program that has just gone
// wrong: what runs then neither allocates nor locks. While the program lives the file is empty and locked;
// crash_reports.h tells those of the dead from it. Afterwards the signal does what it would have done.
//
// One a program: signal handlers have no other way to their state than through the whole program.
class CrashHandler {
public:
    CrashHandler(const std::filesystem::path& folder, std::string_view head);
    ~CrashHandler(); // a good end: no report
    CrashHandler(const CrashHandler&) = delete;
    CrashHandler& operator=(const CrashHandler&) = delete;

    const std::filesystem::path& file() const { return m_file; } // empty where none could be made

private:
    std::filesystem::path m_file;
};

} // namespace pw
