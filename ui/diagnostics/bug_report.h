// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/log.h"
#include "ui/diagnostics/crash_reports.h"

#include <QList>
#include <QPair>
#include <QString>

#include <vector>

namespace pw {

class PrivateNames;

// What a bug report needs beside what somebody did: a text of versions, settings, crashes and the end of the
// log, without names of people, machines and home folders.

using Facts = QList<QPair<QString, QString>>; // what it is, and what it is here
Facts versionFacts();                         // of the program, its libraries, the system and the display
QString versionLine();                        // the same on one line, as a crash report begins

inline constexpr std::size_t kReportedEvents = 500; // the last of the log

QString bugReport(const Facts& settings, const std::vector<LogEvent>& log,
                  const std::vector<CrashReport>& crashes, const PrivateNames& names);

} // namespace pw
