// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/host_name.h"

#include <algorithm>

namespace pw {

namespace {

bool isWordCharacter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

} // namespace

bool isHostName(std::string_view name) {
    return !name.empty() && isWordCharacter(name.front()) &&
           std::ranges::all_of(name, [](char c) { return isWordCharacter(c) || c == '-' || c == '.'; });
}

std::string hostNameLike(std::string_view id) {
    std::string name;
    for (const char c : id) {
        const bool kept = isWordCharacter(c) || c == '.';
        if (kept && (c != '.' || !name.empty()))
            name += c;
        else if (!kept && !name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && !isWordCharacter(name.back()))
        name.pop_back();
    return name.empty() ? "node" : name;
}

} // namespace pw
