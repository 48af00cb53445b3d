// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace pw {

// Where in a text a message points to, from 1.
struct TextPlace {
    int line = 1, column = 1;
    bool operator==(const TextPlace&) const = default;
};

// The part of `where` behind the file's name: ":12:5", ":12", "#/hidden_size". Nothing if it names no place,
// or a pointer that the text does not have.
std::optional<TextPlace> placeInText(std::string_view behind, std::string_view text);

// The value that a JSON pointer names; found without taking the text for valid beyond it.
std::optional<TextPlace> pointerInJson(std::string_view pointer, std::string_view text);

} // namespace pw
