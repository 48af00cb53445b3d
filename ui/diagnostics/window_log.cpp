// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/window_log.h"

#include "ui/base/convert.h"
#include "ui/diagnostics/crash_reports.h"

#include <QDir>

namespace pw {

WindowLog::WindowLog(const QString& stateFolder)
    : m_file(stateFolder + QStringLiteral("/log/pipewright.log")),
      m_crashFolder(stateFolder + QStringLiteral("/crashes")), m_log(LogLevel::Debug, [this](auto line) {
          if (!m_written)
              return;
          m_written->write(line);
          const std::lock_guard lock(m_mutex);
          if (const Status status = m_written->status(); !status)
              m_failure = status.error();
      }) {
    QDir().mkpath(stateFolder + QStringLiteral("/log"));
    if (Result<std::unique_ptr<LogFile>> opened = LogFile::open(s(m_file), kLimits))
        m_written = *std::move(opened);
    else
        m_failure = opened.error();
    for (const CrashReport& report : collectCrashReports(s(m_crashFolder)))
        m_log.write(LogLevel::Error, report.file.string(), "a program before this one ended: " + report.end);
}

void WindowLog::write(LogLevel level, const QString& place, const QString& text) {
    m_log.write(level, s(place), s(text));
}

void WindowLog::write(const QString& lead, const Error& error) {
    logError(m_log, error, s(lead));
}

std::optional<Error> WindowLog::failure() const {
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

} // namespace pw
