// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse.h"

#include "core/base/units.h"
#include "core/exchange/exports/export.h"

#include <charconv>

namespace pw::cli {

Result<std::vector<std::string>> parseList(std::string_view flag, std::string_view text) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t comma = text.find(',');
        std::string_view part = text.substr(0, comma);
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        if (part.empty())
            return badInput("usage", std::string(flag),
                            {"entry {entry} of the list is empty", {{"entry", parts.size() + 1}}});
        parts.emplace_back(part);
        if (comma == std::string_view::npos)
            return parts;
        text.remove_prefix(comma + 1);
    }
}

Result<std::vector<double>> parseTimes(std::string_view flag, std::string_view text) {
    const Result<std::vector<std::string>> parts = parseList(flag, text);
    if (!parts)
        return parts.error();
    std::vector<double> times;
    for (const std::string& part : *parts) {
        const Result<double> time = parseDuration(part);
        if (!time)
            return badEntry(flag, times.size() + 1, time.error());
        times.push_back(*time);
    }
    return times;
}

Result<std::vector<std::int64_t>> parseCounts(std::string_view flag, std::string_view text, std::int64_t low,
                                              std::int64_t high) {
    const Result<std::vector<std::string>> parts = parseList(flag, text);
    if (!parts)
        return parts.error();
    std::vector<std::int64_t> counts;
    for (const std::string& part : *parts) {
        std::int64_t value = 0;
        const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (problem != std::errc() || end != part.data() + part.size() || value < low || value > high)
            return badInput("usage", std::string(flag),
                            {"\"{text}\" is not an integer from {low} to {high}",
                             {{"text", part}, {"low", low}, {"high", high}}});
        counts.push_back(value);
    }
    return counts;
}

Error badEntry(std::string_view flag, std::size_t entry, const Wording& why) {
    Params params = {{"entry", entry}, {"why", why}};
    params.insert(params.end(), why.params.begin(), why.params.end());
    return badInput("usage", std::string(flag), {"entry {entry}: {why}", std::move(params)});
}

std::string isExportFormat(const std::string& text) {
    return exporterRow(text) != nullptr ? std::string() : "\"" + text + "\" is no export format";
}

Status takeCount(const char* flag, const std::string& text, std::int64_t most, std::int64_t& value) {
    if (text.empty())
        return Ok{};
    const Result<std::vector<std::int64_t>> counts = parseCounts(flag, text, 1, most);
    if (!counts)
        return counts.error();
    if (counts->size() != 1)
        return badInput("usage", flag, "takes one number");
    value = counts->front();
    return Ok{};
}

} // namespace pw::cli
