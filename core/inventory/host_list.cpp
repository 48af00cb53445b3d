// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/host_list.h"

#include "core/base/text.h"
#include "core/formats/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pw {

namespace {

struct Range {
    std::int64_t first = 0, last = 0;
    std::size_t width = 0; // digits, filled with zeros
};

// Either plain text or a bracket's ranges.
struct Piece {
    std::string_view plain;
    std::vector<Range> ranges;
    std::size_t count() const {
        std::size_t n = plain.empty() ? 0 : 1;
        for (const Range& r : ranges)
            n += static_cast<std::size_t>(r.last - r.first + 1);
        return n;
    }
};

Error fault(Wording wording) {
    return badInput("slurm.hostlist", "", std::move(wording));
}

std::optional<std::int64_t> digits(std::string_view text) {
    constexpr std::size_t kMost = 12;
    if (text.empty() || text.size() > kMost || text.find_first_not_of("0123456789") != std::string_view::npos)
        return std::nullopt;
    return integerNumber(text);
}

Result<std::vector<Range>> rangesOf(std::string_view bracket) {
    std::vector<Range> ranges;
    for (const std::string_view part : partsOf(bracket, ',')) {
        const std::size_t dash = part.find('-');
        const std::string_view low = part.substr(0, dash);
        const std::string_view high = dash == std::string_view::npos ? low : part.substr(dash + 1);
        const std::optional<std::int64_t> first = digits(low), last = digits(high);
        if (!first || !last)
            return fault({"\"{part}\" is no range of numbers, as in 0-7", {{"part", part}}});
        if (*last < *first)
            return fault({"the range {part} runs backwards", {{"part", part}}});
        ranges.push_back({*first, *last, low.size()});
    }
    return ranges;
}

Result<std::vector<Piece>> piecesOf(std::string_view name) {
    std::vector<Piece> pieces;
    while (!name.empty()) {
        const std::size_t open = name.find_first_of("[]");
        if (open != 0)
            pieces.push_back({name.substr(0, open), {}});
        if (open == std::string_view::npos)
            break;
        const std::size_t close = name.find_first_of("[]", open + 1);
        if (name[open] == ']' || close == std::string_view::npos || name[close] == '[')
            return fault("a bracket is not closed");
        Result<std::vector<Range>> ranges = rangesOf(name.substr(open + 1, close - open - 1));
        if (!ranges)
            return ranges.error();
        pieces.push_back({{}, *std::move(ranges)});
        name.remove_prefix(close + 1);
    }
    return pieces;
}

// The names that a comma outside brackets parts.
std::vector<std::string_view> namesOf(std::string_view text) {
    std::vector<std::string_view> names;
    std::size_t begin = 0;
    bool inside = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && !inside)) {
            names.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        } else if (text[i] == '[' || text[i] == ']') {
            inside = text[i] == '[';
        }
    }
    return names;
}

} // namespace

Result<std::vector<std::string>> expandHostList(std::string_view text) {
    const Error tooMany = fault({"comes to more than {limit} names", {{"limit", ImportLimits::hostNames}}});
    std::vector<std::string> all;
    for (const std::string_view name : namesOf(text)) {
        if (name.empty())
            return fault("a name is empty");
        Result<std::vector<Piece>> pieces = piecesOf(name);
        if (!pieces)
            return pieces.error();
        std::size_t count = 1;
        for (const Piece& piece : *pieces) {
            if (piece.count() > ImportLimits::hostNames)
                return tooMany;
            count *= piece.count();
            if (all.size() + count > ImportLimits::hostNames)
                return tooMany;
        }
        std::vector<std::string> made = {""};
        for (const Piece& piece : *pieces) {
            if (piece.ranges.empty()) {
                for (std::string& one : made)
                    one += piece.plain;
                continue;
            }
            std::vector<std::string> longer;
            longer.reserve(made.size() * piece.count());
            for (const std::string& one : made)
                for (const Range& range : piece.ranges)
                    for (std::int64_t n = range.first; n <= range.last; ++n)
                        longer.push_back(fmt::format("{}{:0{}}", one, n, range.width));
            made = std::move(longer);
        }
        all.insert(all.end(), made.begin(), made.end());
    }
    return all;
}

} // namespace pw
