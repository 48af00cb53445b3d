// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/words.h"

#include <algorithm>
#include <charconv>

#include "core/base/text.h"

namespace pw {

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : lowered(text) + ' ') {
        if (isDigit(c) || isLetter(c)) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(word);
            word.clear();
        }
    }
    return words;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool hasWord(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool hasBeginning(const std::vector<std::string>& words, std::string_view beginning) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word.starts_with(beginning); });
}

bool hasAnyWord(const std::vector<std::string>& words, std::initializer_list<std::string_view> any) {
    return std::any_of(any.begin(), any.end(), [&](std::string_view word) { return hasWord(words, word); });
}

std::optional<int> wholeNumber(std::string_view text) {
    constexpr std::size_t kDigits = 9;
    int value = 0;
    if (text.empty() || text.size() > kDigits || !std::all_of(text.begin(), text.end(), isDigit))
        return std::nullopt;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::optional<int> numberBehind(const std::vector<std::string>& words, std::string_view word) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != word) {
            if (words[i].starts_with(word))
                if (const auto joined = wholeNumber(std::string_view(words[i]).substr(word.size())))
                    return joined;
            continue;
        }
        for (std::size_t next = i + 1; next < std::min(words.size(), i + 3); ++next)
            if (const auto apart = wholeNumber(words[next]))
                return apart;
    }
    return std::nullopt;
}

} // namespace pw
