// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pw {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\n";

// Beside the control characters of ASCII: those of Latin-1, line and paragraph separators, and what turns the
// direction of writing.
bool isControl(char32_t c) {
    return (c >= 0x80 && c <= 0x9F) || c == 0x061C || (c >= 0x200E && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// Of a well-formed sequence.
char32_t decodedCharacter(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.front());
    if (bytes.size() == 1)
        return first;
    char32_t c = first & (0x7FU >> bytes.size());
    for (const char next : bytes.substr(1))
        c = c << 6 | (static_cast<unsigned char>(next) & 0x3FU);
    return c;
}

std::string escapedByte(char byte) {
    switch (byte) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\\':
        return "\\\\";
    default:
        return fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
}

// Offset of the first byte that is not well-formed UTF-8, or the size.
std::size_t validUtf8(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t length = utf8Length(text, i);
        if (length == 0)
            break;
        i += length;
    }
    return i;
}

// The digits that a text begins with.
std::string_view numberAhead(std::string_view text) {
    return text.substr(0, text.find_first_not_of("0123456789"));
}

std::string_view withoutZeros(std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

} // namespace

std::size_t utf8Length(std::string_view text, std::size_t offset) {
    const auto at = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
    };
    const unsigned char c = at(offset);
    std::size_t length = 1;
    unsigned char low = 0x80, high = 0xBF;
    if (c >= 0xC2 && c <= 0xDF)
        length = 2;
    else if (c >= 0xE0 && c <= 0xEF) {
        length = 3;
        low = c == 0xE0 ? 0xA0 : 0x80;
        high = c == 0xED ? 0x9F : 0xBF;
    } else if (c >= 0xF0 && c <= 0xF4) {
        length = 4;
        low = c == 0xF0 ? 0x90 : 0x80;
        high = c == 0xF4 ? 0x8F : 0xBF;
    } else if (c >= 0x80)
        return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if (at(offset + k) < low || at(offset + k) > high)
            return 0;
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

std::string placeOf(const std::string& file, std::string_view text, std::size_t offset, int firstLine) {
    std::size_t line = static_cast<std::size_t>(firstLine), column = 1;
    for (std::size_t i = 0; i < offset && i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '\n') {
            ++line;
            column = 1;
        } else if ((c & 0xC0) != 0x80) // not a continuation byte
            ++column;
    }
    return fmt::format("{}:{}:{}", file, line, column);
}

Status checkEncoding(std::string_view text, const std::string& file, int firstLine) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
        text.substr(0, 4).find('\0') != std::string_view::npos)
        return badInput("text.encoding", file,
                        "looks like UTF-16 or UTF-32 (byte offset 0); expected UTF-8 text");
    const std::size_t mark = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    text.remove_prefix(mark);
    if (const std::size_t bad = validUtf8(text); bad != text.size())
        return badInput(
            "text.encoding", placeOf(file, text, bad, firstLine),
            {"invalid UTF-8 at byte offset {offset}; expected UTF-8 text", {{"offset", bad + mark}}});
    return Ok{};
}

Result<std::string> decoded(std::string text, const std::string& file) {
    if (Status sound = checkEncoding(text, file); !sound)
        return sound.error();
    if (text.starts_with(kByteOrderMark))
        text.erase(0, kByteOrderMark.size());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')
            text[kept++] = text[i];
    text.resize(kept);
    return text;
}

bool isPrintable(std::string_view text, std::string_view asTheyAre) {
    const auto plain = [](char c) { return c >= ' ' && c < '\x7f' && c != '\\'; };
    return std::ranges::all_of(text, plain) || printable(text, asTheyAre) == text;
}

std::string printable(std::string_view text, std::string_view asTheyAre) {
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8Length(text, i);
        const std::string_view bytes = text.substr(i, std::max<std::size_t>(length, 1));
        const auto first = static_cast<unsigned char>(bytes.front());
        const bool special = length == 0 || first < 0x20 || first == 0x7F || first == '\\';
        if (special && asTheyAre.find(bytes.front()) == std::string_view::npos)
            shown += escapedByte(bytes.front());
        else if (const char32_t c = decodedCharacter(bytes); !special && isControl(c))
            shown += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
        else
            shown += bytes;
        i += bytes.size();
    }
    return shown;
}

std::string wellFormed(std::string text) {
    return isWellFormed(text) ? text : printable(text, kInText);
}

std::string pathText(const std::filesystem::path& path) {
    return wellFormed(path.string());
}

bool isWellFormed(std::string_view text) {
    return validUtf8(text) == text.size();
}

std::optional<double> finiteNumber(std::string_view text) {
    // from_chars also takes "inf" and "nan": only a sign, a digit or a point may start a number.
    if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
        return std::nullopt;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> integerNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> fieldsOf(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t at = text.find_first_not_of(kBlanks);
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlanks, end);
    }
    return words;
}

std::vector<std::string_view> partsOf(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

std::string lowered(std::string_view text) {
    std::string low(text);
    for (char& c : low)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return low;
}

bool naturallyBefore(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        const std::string_view x = numberAhead(a), y = numberAhead(b);
        if (!x.empty() && !y.empty()) {
            const std::string_view m = withoutZeros(x), n = withoutZeros(y);
            if (m != n)
                return m.size() != n.size() ? m.size() < n.size() : m < n;
            a.remove_prefix(x.size());
            b.remove_prefix(y.size());
        } else if (a.front() != b.front()) {
            return a.front() < b.front();
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() < b.size();
}

std::vector<TextLine> linesOf(std::string_view text) {
    std::vector<TextLine> lines;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        lines.push_back({text.substr(0, end), number});
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::string TextFaults::where(int line) const {
    return fmt::format("{}:{}", m_file, line);
}

std::string TextFaults::where(int line, int column) const {
    return fmt::format("{}:{}:{}", m_file, line, column);
}

void TextFaults::add(const char* code, std::string where, Wording wording) {
    if (m_faults.size() < kMostFaults)
        m_faults.push_back(badInput(code, std::move(where), std::move(wording)));
    ++m_count;
}

Status TextFaults::status() const {
    return statusOf(m_faults, m_count - m_faults.size());
}

} // namespace pw
