// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/base/log_file.h"

namespace pw::cli {

// Where the events of a run go, by --log and --log-file:
//
//   neither                warnings on standard error, in words
//   --log L                events up to L on standard error, with their time and place, and nothing else
//   there
//   --log-file F           all events at the end of F; warnings on standard error, in words
//   --log L --log-file F   events up to L at the end of F; in words those of them that are warnings
class LogOutput {
public:
    void addTo(CLI::App& app);
    Status open(Session& session); // once the flags are in
    // Whether every line could be written; the log of a run that ends well may still be short of some.
    Status status() const;

private:
    std::optional<LogLevel> m_level;
    std::string m_file;
    std::unique_ptr<LogFile> m_written;
};

} // namespace pw::cli
