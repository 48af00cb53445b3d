// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/log_output.h"

#include <algorithm>
#include <cstdio>

namespace pw::cli {

void LogOutput::addTo(CLI::App& app) {
    app.add_option_function<std::string>(
           "--log",
           [this](const std::string& text) {
               m_level = logLevelFromName(text);
               if (!m_level)
                   throw CLI::ValidationError("--log",
                                              "\"" + text + "\" is none of error, warning, info, debug");
           },
           "write events up to error, warning, info or debug, a line each with its time and place: to "
           "standard "
           "error, or to --log-file")
        ->type_name("LEVEL");
    app.add_option("--log-file", m_file, "write events to the end of a file (default --log debug)")
        ->type_name("FILE");
}

Status LogOutput::open(Session& session) {
    if (!m_level && m_file.empty())
        return Ok{};
    session.said = std::min(m_level.value_or(LogLevel::Warning), LogLevel::Warning);
    if (m_file.empty()) {
        session.logsToTerminal = true;
        session.log = std::make_shared<Log>(
            *m_level, [](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stderr); });
        return Ok{};
    }
    Result<std::unique_ptr<LogFile>> file = LogFile::open(m_file, {});
    if (!file)
        return badInput("usage", "--log-file",
                        {"{file}: {why}", {{"file", file.error().where}, {"why", file.error()}}});
    m_written = *std::move(file);
    session.log = std::make_shared<Log>(m_level.value_or(LogLevel::Debug),
                                        [this](std::string_view line) { m_written->write(line); });
    return Ok{};
}

Status LogOutput::status() const {
    return m_written ? m_written->status() : Status(Ok{});
}

} // namespace pw::cli
