// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"

#include "app/cli/terminal.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <system_error>

namespace pw::cli {

std::optional<Error> overwritten(const std::vector<NamedFile>& named, const std::string& option,
                                 const std::filesystem::path& file) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none))
        return std::nullopt;
    for (const NamedFile& from : named)
        if (std::filesystem::equivalent(file, from.path, none) && !none)
            return badInput("usage", option,
                            {"{file} is also what {option} names: writing it would destroy what is read",
                             {{"file", file.string()}, {"option", from.option}}});
    return std::nullopt;
}

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
        say(text + "\n");
}

void Session::note(const Diagnostics& found) const {
    for (const Diagnostic& d : found) {
        const LogLevel level = d.severity == Severity::Note ? LogLevel::Info : LogLevel::Warning;
        event(level, d.where, d.message);
        if (level <= said && !logsToTerminal)
            say(fmt::format("{}: {}: {}\n", name(d.severity), printable(d.where, kInLine),
                            printable(d.message, kInLine)));
        notes->push_back(d);
    }
}

std::string reasonText(const Error& reason) {
    const bool lookedUp = reason.code.starts_with("E_");
    return lookedUp ? reason.code + ' ' + reason.text() : reason.text();
}

Json errorDocument(const Error& error) {
    const auto paramsJson = [](const Params& params) {
        Json json = Json::object();
        for (const Param& param : params)
            json[param.name] = param.value;
        return json;
    };
    Json reasons = Json::array(), details = Json::array();
    for (const Error& reason : error.reasons) {
        reasons.push_back(reasonText(reason));
        details.push_back({{"code", reason.code},
                           {"where", reason.where},
                           {"message", reason.message},
                           {"params", paramsJson(reason.params)}});
    }
    return Json{{"error",
                 {{"code", error.code},
                  {"message", error.message},
                  {"where", error.where},
                  {"params", paramsJson(error.params)},
                  {"reasons", std::move(reasons)},
                  {"details", std::move(details)}}}};
}

std::string errorText(const Error& error) {
    std::string text = fmt::format("pipewright-cli: {}\n", error.text());
    for (const Error& reason : error.reasons) // a line each, whatever is in them
        text += fmt::format("  {}\n", printable(reasonText(reason), kInLine));
    return text;
}

} // namespace pw::cli
