// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace pw {

// What the program did and what went wrong, a line an event:
//
//   2026-11-22T17:05:03.123Z <tab> info <tab> search/patterns <tab> 120034 candidates in 3.11 s, ...
//
// Tabs part the four fields, so that a line can be read back whatever its place and its text hold: these come
// from files of others and are data, whose control characters are written as escapes (oneLine()).

enum class LogLevel { Error, Warning, Info, Debug };
const char* name(LogLevel level); // "error", "warning", "info", "debug": command line and lines
std::optional<LogLevel> logLevelFromName(std::string_view name);

struct LogEvent {
    std::int64_t time = 0; // ms since the beginning of 1970, UTC
    LogLevel level = LogLevel::Info;
    std::string place; // "file.json:12:3", "search/patterns"
    std::string text;
};

// The text without anything that moves a cursor, ends a line or turns the direction of writing: such
// characters and bytes that are no UTF-8 as \n, \t, \x1b, \u202e; a backslash is doubled.
std::string oneLine(std::string_view text);
std::string logLine(const LogEvent& event); // with its line end
// Place and text stay as they are written. Nothing for a line that is none of ours.
std::optional<LogEvent> readLogLine(std::string_view line);
std::string timeText(std::int64_t time); // "2026-11-22T17:05:03.123Z"

// Where events go: lines up to a level, from any thread.
class Log {
public:
    using Put = std::function<void(std::string_view line)>; // never called twice at a time

    // The clock, which outlives the log, says when.
    Log(LogLevel most, Put put, const Clock& clock = systemClock())
        : m_most(most), m_put(std::move(put)), m_clock(clock) {}

    bool takes(LogLevel level) const { return level <= m_most; }
    void write(LogLevel level, std::string_view place, std::string_view text);

private:
    const LogLevel m_most;
    std::mutex m_mutex;
    const Put m_put;
    const Clock& m_clock;
};

// An error and its reasons at its place, behind a sentence that says what it kept from happening.
void logError(Log& log, const Error& error, const std::string& lead = {});

} // namespace pw
