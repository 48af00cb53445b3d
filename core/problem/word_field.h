// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <initializer_list>
#include <string>
#include <string_view>

namespace pw {

// Reads a field that holds one of the words that name(T) gives. Missing reads as `fallback`; anything else is
// an error that lists the words.
template <class T>
T readWord(const JsonReader& reader, std::string_view key, T fallback, std::initializer_list<T> all) {
    const std::string text = reader.text(key, name(fallback));
    std::string names;
    for (const T value : all) {
        if (text == name(value))
            return value;
        names += names.empty() ? name(value) : std::string(", ") + name(value);
    }
    reader.fail("recipe.choice", reader.where(key),
                {"is \"{text}\"; expected one of {names}", {{"text", text}, {"names", names}}});
    return fallback;
}

} // namespace pw
