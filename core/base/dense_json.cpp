// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/dense_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

constexpr auto kReplace = Json::error_handler_t::replace; // as printJson() does

// Whether the text of a value is short enough for a line; takes `room` from what is left of it.
bool isShort(const Json& value, std::ptrdiff_t& room) {
    if (!value.is_structured()) {
        room -= value.is_string()
                    ? static_cast<std::ptrdiff_t>(value.get_ref<const std::string&>().size()) + 2
                    : static_cast<std::ptrdiff_t>(value.dump().size());
        return room >= 0;
    }
    for (const auto& [key, member] : value.items()) {
        room -= value.is_object() ? static_cast<std::ptrdiff_t>(key.size()) + 4 : 1;
        if (room < 0 || !isShort(member, room))
            return false;
    }
    return true;
}

void addDense(const Json& value, std::size_t indent, std::string& text) {
    constexpr std::ptrdiff_t kLine = 120;
    std::ptrdiff_t room = kLine;
    if (!value.is_structured() || isShort(value, room) ||
        std::none_of(value.begin(), value.end(), [](const Json& member) { return member.is_structured(); })) {
        text += value.dump(-1, ' ', false, kReplace);
        return;
    }
    const bool object = value.is_object();
    text += object ? '{' : '[';
    bool first = true;
    for (auto at = value.begin(); at != value.end(); ++at) {
        text += first ? "\n" : ",\n";
        first = false;
        text.append(indent + 1, ' ');
        if (object)
            text += Json(at.key()).dump(-1, ' ', false, kReplace) + ':';
        addDense(*at, indent + 1, text);
    }
    text += '\n';
    text.append(indent, ' ');
    text += object ? '}' : ']';
}

} // namespace

std::string printDense(const Json& value) {
    std::string text;
    addDense(value, 0, text);
    return withControlsEscaped(std::move(text)) + '\n';
}

} // namespace pw
