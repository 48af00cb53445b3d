// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace pw::fuzz {

namespace {

constexpr std::size_t kMostBytes = 65'536;

using Piece = std::string_view;

constexpr std::array kNumbers = {Piece("0"),
                                 Piece("-0.0"),
                                 Piece("-1"),
                                 Piece("1"),
                                 Piece("1e308"),
                                 Piece("1e400"),
                                 Piece("-1e308"),
                                 Piece("5e-324"),
                                 Piece("1e20"),
                                 Piece("9223372036854775807"),
                                 Piece("9223372036854775808"),
                                 Piece("-9223372036854775809"),
                                 Piece("18446744073709551616"),
                                 Piece("2147483648"),
                                 Piece("4294967296"),
                                 Piece("131073"),
                                 Piece("65536"),
                                 Piece("1000000007"),
                                 Piece("0.5"),
                                 Piece("NaN"),
                                 Piece("inf"),
                                 Piece("0x10"),
                                 Piece("1e"),
                                 Piece("01")};

constexpr std::array kTexts = {Piece("\xFC"),
                               Piece("\xC3"),
                               Piece("\xED\xA0\x80"),
                               Piece("\xC0\xAF"),
                               Piece("\xEF\xBB\xBF"),
                               Piece("\xFF\xFE"),
                               Piece("\x1B[2J\x07"),
                               Piece("\xC2\x9B"),
                               Piece("\xE2\x80\xAE"),
                               Piece("\0", 1),
                               Piece("\r\n"),
                               Piece("\n"),
                               Piece("\t"),
                               Piece("\""),
                               Piece("'"),
                               Piece("\\"),
                               Piece("\\u0000"),
                               Piece("\\ud800"),
                               Piece(","),
                               Piece(":"),
                               Piece("="),
                               Piece("#"),
                               Piece("&a *a"),
                               Piece("=cmd|' /C calc'!A1"),
                               Piece("<img src=\"/dev/zero\">"),
                               Piece("$(id)`id`"),
                               Piece("../../../etc/passwd"),
                               Piece("%n%s%x"),
                               Piece("[0-99999999]"),
                               Piece("{{{{{{{{{{{{{{{{"),
                               Piece("[[[[[[[[[[[[[[[[")};

constexpr std::array kValues = {Piece("null"),   Piece("true"),       Piece("[]"),
                                Piece("{}"),     Piece("\"\""),       Piece("-1"),
                                Piece("[null]"), Piece("{\"a\":{}}"), Piece("1e400")};

template <std::size_t N>
Piece oneOf(const std::array<Piece, N>& list, Random& random) {
    return list[random.below(N)];
}

std::size_t place(const std::string& text, Random& random) {
    return random.below(text.size() + 1);
}

// Begins at a place and is short more often than long.
std::pair<std::size_t, std::size_t> range(const std::string& text, Random& random) {
    const std::size_t from = place(text, random);
    const std::size_t most = std::size_t{1} << random.below(12);
    return {from, std::min(random.below(most) + 1, text.size() - from)};
}

// The n-th run of characters of the set, counted round; nothing if there is none.
std::pair<std::size_t, std::size_t> runOf(const std::string& text, const char* set, Random& random) {
    const std::size_t near = place(text, random);
    std::size_t from = text.find_first_of(set, near);
    if (from == std::string::npos)
        from = text.find_first_of(set);
    if (from == std::string::npos)
        return {0, 0};
    return {from, std::min(text.find_first_not_of(set, from), text.size()) - from};
}

void flipByte(std::string& text, Random& random) {
    if (!text.empty())
        text[random.below(text.size())] = static_cast<char>(random.below(256));
}
void putText(std::string& text, Random& random) {
    text.insert(place(text, random), oneOf(kTexts, random));
}
void changeNumber(std::string& text, Random& random) {
    const auto [from, count] = runOf(text, "0123456789.", random);
    text.replace(from, count, oneOf(kNumbers, random));
}
void cutRange(std::string& text, Random& random) {
    const auto [from, count] = range(text, random);
    text.erase(from, count);
}
void cutEnd(std::string& text, Random& random) {
    text.resize(place(text, random));
}
void doubleRange(std::string& text, Random& random) {
    const auto [from, count] = range(text, random);
    const std::string piece = text.substr(from, count);
    for (std::uint64_t times = 1 + random.below(random.below(8) == 0 ? 200 : 3);
         times > 0 && text.size() + piece.size() <= kMostBytes; --times)
        text.insert(from, piece);
}
void moveRange(std::string& text, Random& random) {
    const auto [from, count] = range(text, random);
    const std::string piece = text.substr(from, count);
    text.erase(from, count);
    text.insert(place(text, random), piece);
}
void changeLine(std::string& text, Random& random) {
    std::size_t from = text.rfind('\n', place(text, random));
    from = from == std::string::npos ? 0 : from + 1;
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (random.below(2) == 0)
        text.erase(from, std::min(end + 1, text.size()) - from);
    else
        text.insert(from, text.substr(from, std::min(end + 1, text.size()) - from));
}
// What stands behind a colon, up to the next comma or bracket.
void changeValue(std::string& text, Random& random) {
    std::size_t at = text.find(':', place(text, random));
    if (at == std::string::npos && (at = text.find(':')) == std::string::npos)
        return;
    const std::size_t end = std::min(text.find_first_of(",]}\n", at + 1), text.size());
    text.replace(at + 1, end - at - 1, oneOf(kValues, random));
}
// Between two quotes: words become others, or what no name should be.
void changeString(std::string& text, Random& random) {
    std::size_t from = text.find('"', place(text, random));
    if (from == std::string::npos && (from = text.find('"')) == std::string::npos)
        return;
    const std::size_t end = text.find_first_of("\"\n", from + 1);
    if (end == std::string::npos)
        return;
    if (random.below(2) == 0)
        text.insert(from + 1 + random.below(end - from), oneOf(kTexts, random));
    else
        text.replace(from + 1, end - from - 1, random.below(2) == 0 ? "" : oneOf(kTexts, random));
}
void changeLineEnds(std::string& text, Random&) {
    std::string other;
    for (const char c : text)
        other += c == '\n' ? std::string("\r\n") : std::string(1, c);
    text = std::move(other);
}

// Half of them leave the form of a document as it is, so that what is read is wrong and not only refused.
constexpr std::array kChanges = {flipByte,     putText,      changeNumber, changeNumber, changeNumber,
                                 changeNumber, changeString, changeString, changeValue,  changeValue,
                                 cutRange,     cutEnd,       doubleRange,  moveRange,    changeLine};

} // namespace

std::string mutated(const std::vector<std::string>& seeds, std::size_t seed, Random& random) {
    std::string text = seeds[seed];
    for (std::uint64_t changes = 1 + random.below(1 + random.below(6)); changes > 0; --changes) {
        if (random.below(40) == 0) {
            changeLineEnds(text, random);
        } else if (random.below(20) == 0) { // a piece of another
            const std::string& other = seeds[random.below(seeds.size())];
            const auto [from, count] = range(other, random);
            text.insert(place(text, random), other, from, count);
        } else {
            kChanges[random.below(kChanges.size())](text, random);
        }
    }
    text.resize(std::min(text.size(), kMostBytes));
    return text;
}

} // namespace pw::fuzz
