// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/manual/search_words.h"

#include "core/base/text.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::string_view kCommon[] = {
    "a",    "all",   "also",  "am",    "an",    "and",  "any",  "are",   "as",  "at",  "be", "but",  "by",
    "can",  "did",   "do",    "does",  "for",   "from", "has",  "have",  "how", "i",   "if", "in",   "into",
    "is",   "it",    "its",   "me",    "my",    "no",   "not",  "of",    "on",  "or",  "so", "than", "that",
    "the",  "their", "then",  "there", "these", "they", "this", "those", "to",  "was", "we", "were", "what",
    "when", "where", "which", "who",   "why",   "will", "with", "would", "you", "your"};

struct Keywords {
    std::string_view page, words;
};
constexpr Keywords kKeywords[] = {
    {"accuracy.md", "exact exactness precise reliable trust correct error wrong deviation measured"},
    {"proofs.md", "faster fastest best optimal optimum guarantee prove proven impossible"},
    {"measurements.md", "profile benchmark trace log calibrate"},
    {"formats.md", "import export convert"},
    {"first-steps.md", "tutorial start begin beginner introduction"},
    {"login-node.md", "remote ssh headless vnc"},
    {"messages.md", "refused refusal warning"},
    {"generated/keys.md", "shortcut keyboard"},
};

struct Ending {
    std::string_view text;
    std::size_t off;   // of its letters; 0: a word that ends so keeps it
    std::size_t least; // letters that are left; a word that would have fewer does not end so
};
// Of each the first that a word ends with. What is left begins all forms of the word: "topolog", "cach".
constexpr Ending kPlurals[] = {{"ies", 3, 4},  {"ches", 2, 3},  {"shes", 2, 3},
                               {"sses", 2, 3}, {"iases", 2, 4}, {"uses", 2, 3},
                               {"xes", 2, 3},  {"ss", 0, 0},    {"s", 1, 3}}; // "gpus", and not "bus"
constexpr Ending kEndings[] = {{"eed", 0, 0},   {"upply", 0, 0}, {"apply", 0, 0},
                               {"reply", 0, 0}, {"tiply", 0, 0}, {"ed", 2, 4},
                               {"ing", 3, 4},   {"ly", 2, 4},    {"ion", 3, 5}};

bool isAsciiWord(std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

// Whether one of the endings came off.
template <std::size_t N>
bool takeOff(std::string& word, const Ending (&endings)[N]) {
    for (const Ending& ending : endings)
        if (word.ends_with(ending.text) && word.size() >= ending.off + ending.least) {
            word.resize(word.size() - ending.off);
            return ending.off > 0;
        }
    return false;
}

// Endings of English come off as far as what is left still tells the word: "predictions" is predict,
// "planned" plan, "stages" stage, "micro-batches" micro-batch; flags keep theirs. `word` is in small letters.
std::string stemOf(std::string word) {
    if (const std::size_t dash = word.rfind('-'); dash != std::string::npos && !word.starts_with('-'))
        return word.substr(0, dash + 1) + stemOf(word.substr(dash + 1));
    if (!isAsciiWord(word))
        return word;
    takeOff(word, kPlurals);
    if (!takeOff(word, kEndings))
        return word;
    constexpr std::string_view kDoubled = "bdgmnprt"; // of "planned"
    constexpr std::size_t kLong = 6;                  // "modell", and not "fill"
    const std::size_t n = word.size();
    if (word[n - 1] == word[n - 2] &&
        (word[n - 1] == 'l' ? n >= kLong : kDoubled.find(word[n - 1]) != std::string_view::npos))
        word.pop_back();
    return word;
}

// The words of a text without the signs around them; dashes in front of a flag stay.
std::vector<std::string> plainWords(std::string_view text) {
    constexpr std::string_view kOpening = "\"'([`", kClosing = "\"')]`?!.,;:";
    const std::string low = lowered(text);
    std::vector<std::string> words;
    for (std::string_view word : fieldsOf(low)) {
        word.remove_prefix(std::min(word.find_first_not_of(kOpening), word.size()));
        word = word.substr(0, word.find_last_not_of(kClosing) + 1);
        if (!word.empty())
            words.emplace_back(word);
    }
    return words;
}

} // namespace

std::vector<std::string> searchWords(std::string_view query) {
    std::vector<std::string> words = plainWords(query);
    const auto isCommon = [](const std::string& word) {
        return std::ranges::find(kCommon, word) != std::end(kCommon);
    };
    if (!std::ranges::all_of(words, isCommon))
        std::erase_if(words, isCommon);
    for (std::string& word : words)
        word = stemOf(std::move(word));
    return words;
}

std::string stemmed(std::string_view text) {
    std::string all;
    for (std::string& word : plainWords(text))
        all += (all.empty() ? "" : " ") + stemOf(std::move(word));
    return all;
}

std::string_view pageKeywords(std::string_view page) {
    const auto* const found = std::ranges::find(kKeywords, page, &Keywords::page);
    return found == std::end(kKeywords) ? std::string_view() : found->words;
}

std::vector<std::string_view> pagesWithKeywords() {
    std::vector<std::string_view> pages;
    for (const Keywords& each : kKeywords)
        pages.push_back(each.page);
    return pages;
}

} // namespace pw
