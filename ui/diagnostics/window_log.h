// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/log_file.h"
#include "core/base/trace.h"

#include <QString>

#include <memory>
#include <mutex>
#include <optional>

namespace pw {

// The window's log, <state>/log/pipewright.log and three older ones: where the program started, what was
// opened, saved, refused, and what searches did phase by phase. A megabyte each holds some ten thousand
// events: weeks of use, or one search that is told to the last plan.
class WindowLog {
public:
    explicit WindowLog(const QString& stateFolder);

    void write(LogLevel level, const QString& place, const QString& text);
    void write(const QString& lead, const Error& error); // at its place
    // For a search that runs in the background; one for those that may run at the same time as others.
    TraceSink& searches() { return m_searches; }
    TraceSink& comparisons() { return m_comparisons; }

    QString file() const { return m_file; }
    QString crashFolder() const { return m_crashFolder; }
    std::optional<Error> failure() const; // why events are not written

    static constexpr LogFile::Limits kLimits{1U << 20, 3};

private:
    const QString m_file, m_crashFolder;
    mutable std::mutex m_mutex;
    std::optional<Error> m_failure;
    std::unique_ptr<LogFile> m_written;
    Log m_log;
    TraceLog m_searches{m_log, "search"}, m_comparisons{m_log, "comparison"};
};

} // namespace pw
