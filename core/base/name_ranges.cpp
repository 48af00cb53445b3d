// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_ranges.h"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pw {

namespace {

// Whether `next` is `name` with its number one higher: "n9" and "n10", "gpu09" and "gpu10".
bool follows(std::string_view name, std::string_view next) {
    const auto digitsFrom = [](std::string_view text) { return text.find_last_not_of("0123456789") + 1; };
    const auto numberOf = [](std::string_view digits, std::int64_t& number) {
        return !digits.empty() &&
               std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc();
    };
    const std::size_t at = digitsFrom(name), nextAt = digitsFrom(next);
    std::int64_t number = 0, nextNumber = 0;
    return name.substr(0, at) == next.substr(0, nextAt) && numberOf(name.substr(at), number) &&
           numberOf(next.substr(nextAt), nextNumber) && nextNumber - number == 1;
}

} // namespace

std::vector<std::string> nameRanges(const std::vector<std::string>& names, std::vector<std::size_t>* counts) {
    constexpr std::size_t kLeast = 3; // two names are as short as their range
    std::vector<std::string> items;
    if (counts)
        counts->clear();
    for (std::size_t i = 0; i < names.size();) {
        std::size_t next = i + 1;
        while (next < names.size() && follows(names[next - 1], names[next]))
            ++next;
        const std::size_t held = next - i >= kLeast ? next - i : 1;
        items.push_back(held > 1 ? fmt::format("{} to {}", names[i], names[next - 1]) : names[i]);
        if (counts)
            counts->push_back(held);
        i += held;
    }
    return items;
}

} // namespace pw
