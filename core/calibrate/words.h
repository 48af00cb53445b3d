// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// ASCII, whatever the locale.
inline bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
inline bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The free texts of published tables are read by the words in them: runs of ASCII letters and digits, in
// lower case. "A100-SXM4-80GB (p4de)" has a100, sxm4, 80gb and p4de.
std::vector<std::string> wordsOf(std::string_view text);

bool contains(std::string_view text, std::string_view part); // as it stands
bool hasWord(const std::vector<std::string>& words, std::string_view word);
bool hasBeginning(const std::vector<std::string>& words, std::string_view beginning); // of any of them
bool hasAnyWord(const std::vector<std::string>& words, std::initializer_list<std::string_view> any);
// "zero" and "3" as "zero3", "zero 3", "zero-3" or "zero stage 3": the number behind a word, in the same word
// or in one of the next two.
std::optional<int> numberBehind(const std::vector<std::string>& words, std::string_view word);
std::optional<int> wholeNumber(std::string_view text); // all digits, at most nine of them

} // namespace pw
