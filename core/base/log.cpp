// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

namespace pw {
namespace {

constexpr std::array kLevels = {"error", "warning", "info", "debug"};
constexpr std::size_t kTimeLength = 24; // "2026-11-22T17:05:03.123Z"

std::optional<std::int64_t> digits(std::string_view text) {
    for (const char c : text)
        if (c < '0' || c > '9')
            return std::nullopt;
    return integerNumber(text);
}

std::optional<std::int64_t> timeFromText(std::string_view text) {
    using namespace std::chrono;
    if (text.size() != kTimeLength || text[4] != '-' || text[7] != '-' || text[10] != 'T' ||
        text[13] != ':' || text[16] != ':' || text[19] != '.' || text[23] != 'Z')
        return std::nullopt;
    const auto y = digits(text.substr(0, 4)), mo = digits(text.substr(5, 2)), d = digits(text.substr(8, 2)),
               h = digits(text.substr(11, 2)), mi = digits(text.substr(14, 2)),
               s = digits(text.substr(17, 2)), ms = digits(text.substr(20, 3));
    if (!y || !mo || !d || !h || !mi || !s || !ms)
        return std::nullopt;
    const year_month_day date{year(static_cast<int>(*y)), month(static_cast<unsigned>(*mo)),
                              day(static_cast<unsigned>(*d))};
    if (!date.ok())
        return std::nullopt;
    return duration_cast<milliseconds>(sys_days(date).time_since_epoch()).count() + *h * 3'600'000 +
           *mi * 60'000 + *s * 1'000 + *ms;
}

} // namespace

const char* name(LogLevel level) {
    return kLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> logLevelFromName(std::string_view name) {
    for (std::size_t i = 0; i < kLevels.size(); ++i)
        if (name == kLevels[i])
            return static_cast<LogLevel>(i);
    return std::nullopt;
}

std::string oneLine(std::string_view text) {
    return printable(text, {});
}

std::string timeText(std::int64_t time) {
    using namespace std::chrono;
    const sys_time<milliseconds> at{milliseconds(time)};
    const sys_days day = floor<days>(at);
    const year_month_day date(day);
    const auto rest = (at - day).count();
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       rest / 3'600'000, rest / 60'000 % 60, rest / 1'000 % 60, rest % 1'000);
}

std::string logLine(const LogEvent& event) {
    return fmt::format("{}\t{}\t{}\t{}\n", timeText(event.time), name(event.level), oneLine(event.place),
                       oneLine(event.text));
}

std::optional<LogEvent> readLogLine(std::string_view line) {
    const std::vector<std::string_view> fields = partsOf(line, '\t');
    if (fields.size() != 4)
        return std::nullopt;
    const auto time = timeFromText(fields[0]);
    const auto level = logLevelFromName(fields[1]);
    if (!time || !level)
        return std::nullopt;
    return LogEvent{*time, *level, std::string(fields[2]), std::string(fields[3])};
}

void Log::write(LogLevel level, std::string_view place, std::string_view text) {
    if (!takes(level))
        return;
    const std::lock_guard lock(m_mutex);
    m_put(logLine({m_clock.wall(), level, std::string(place), std::string(text)}));
}

void logError(Log& log, const Error& error, const std::string& lead) {
    const std::string& place = error.where.empty() ? error.code : error.where;
    log.write(LogLevel::Error, place, lead.empty() ? error.message : lead + " " + error.message);
    for (const Error& reason : error.reasons)
        log.write(LogLevel::Error, reason.where.empty() ? place : reason.where, reason.message);
}

} // namespace pw
