// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include <fmt/format.h>

#include <cstdio>

namespace pw::cli {

void Session::note(LogLevel level, const std::string& text) const {
    if (level <= log)
        std::fputs((text + "\n").c_str(), stderr);
}

void Session::note(const Diagnostics& found) const {
    for (const Diagnostic& d : found) {
        note(d.severity == Severity::Note ? LogLevel::Info : LogLevel::Warning,
             fmt::format("{}: {}: {}", name(d.severity), d.where, d.message));
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
