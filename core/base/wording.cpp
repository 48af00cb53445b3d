// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/wording.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

const Param* find(const Params& params, std::string_view name) {
    const auto at =
        std::find_if(params.begin(), params.end(), [&](const Param& param) { return param.name == name; });
    return at == params.end() ? nullptr : &*at;
}

} // namespace

std::string Param::shortest(double number) {
    return fmt::format("{}", number);
}

std::string filled(std::string_view pattern, const Params& params) {
    std::string text;
    while (!pattern.empty()) {
        const std::size_t open = std::min(pattern.find('{'), pattern.size());
        const std::size_t close = pattern.find('}', open);
        text += pattern.substr(0, open);
        pattern.remove_prefix(open);
        if (pattern.empty())
            break;
        const bool whole = close != std::string_view::npos;
        const Param* value = whole ? find(params, pattern.substr(1, close - open - 1)) : nullptr;
        if (value == nullptr) {
            text += '{';
            pattern.remove_prefix(1);
            continue;
        }
        text += value->value;
        pattern.remove_prefix(close - open + 1);
    }
    return text;
}

Wording::Wording(const char* pattern_, Params params_)
    : message(filled(pattern_, params_)), pattern(pattern_), params(std::move(params_)) {}

std::string Wording::param(std::string_view name) const {
    const Param* found = find(params, name);
    return found != nullptr ? found->value : std::string();
}

} // namespace pw
