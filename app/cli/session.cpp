// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include <fmt/format.h>

#include <cstdio>

namespace pw::cli {

void Session::event(LogLevel level, const std::string& place, const std::string& text) const {
    if (log)
        log->write(level, place, text);
}

void Session::event(const Error& error) const {
    if (log)
        logError(*log, error);
}

void Session::note(LogLevel level, const std::string& place, const std::string& text) const {
    event(level, place, text);
    if (level <= said && !logsToTerminal)
        std::fputs((text + "\n").c_str(), stderr);
}

void Session::note(const Diagnostics& found) const {
    for (const Diagnostic& d : found) {
        const LogLevel level = d.severity == Severity::Note ? LogLevel::Info : LogLevel::Warning;
        event(level, d.where, d.message);
        if (level <= said && !logsToTerminal)
            std::fputs(fmt::format("{}: {}: {}\n", name(d.severity), d.where, d.message).c_str(), stderr);
        notes->push_back(d);
    }
}

Json errorDocument(const Error& error) {
    return Json{{"error",
                 {{"code", error.code},
                  {"message", error.message},
                  {"where", error.where},
                  {"reasons", error.reasons}}}};
}

std::string errorText(const Error& error) {
    std::string text = fmt::format("pipewright-cli: {}\n", error.text());
    for (const std::string& reason : error.reasons)
        text += fmt::format("  {}\n", reason);
    return text;
}

} // namespace pw::cli
