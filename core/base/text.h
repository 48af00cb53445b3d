// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The rules that hold for every text that comes in, whatever its format: encoding, places, numbers, and how
// many mistakes are told at once.

inline constexpr std::size_t kMostFaults = 20; // that one import tells

// "file:line:column" of a byte offset. Lines and columns count from 1, columns in characters.
std::string placeOf(const std::string& file, std::string_view text, std::size_t offset, int firstLine = 1);

// Bytes of the well-formed UTF-8 sequence (Unicode table 3-7) that begins at the offset; 0 if none does.
std::size_t utf8Length(std::string_view text, std::size_t offset);

// UTF-8 without UTF-16, UTF-32 or bytes that are none of it; bad input with the byte offset. A byte order
// mark is fine. `firstLine` is the number of the text's first line in the file that it is a part of.
Status checkEncoding(std::string_view text, const std::string& file, int firstLine = 1);

// The same text, checked, without its byte order mark and with LF for CRLF. Places are those of the file.
Result<std::string> decoded(std::string text, const std::string& file);

// What a terminal, a log, a table or a document can show of any bytes: control characters, those that turn
// the direction of writing, and bytes that are no UTF-8 as escapes: "\x1b", "\n", "\u009b". Characters of
// ASCII in `asTheyAre` are left alone; the backslash is escaped unless it is among them. Nothing that comes
// out of a file or a database is printed but through here.
std::string printable(std::string_view text, std::string_view asTheyAre);
bool isPrintable(std::string_view text, std::string_view asTheyAre); // printable() would leave it as it is
inline constexpr std::string_view kInLine = "\\";                    // cells of tables, messages
inline constexpr std::string_view kInText = "\n\t\\";                // of several lines

// What comes from where nobody checks, as text of the program: the same where it is UTF-8, as it nearly
// always is, else with escapes. Names of files go through here before a document or a database has them
// (files are opened by the path), and so does what databases hold.
std::string wellFormed(std::string text);
std::string pathText(const std::filesystem::path& path);
bool isWellFormed(std::string_view text); // UTF-8

// Always the C locale. Nothing but the number: no blanks, no sign '+', no "nan", "inf" or overflow.
std::optional<double> finiteNumber(std::string_view text);
std::optional<std::int64_t> integerNumber(std::string_view text); // digits, with or without '-'

std::string_view trimmed(std::string_view text);               // of blanks, tabs and line ends
std::vector<std::string_view> fieldsOf(std::string_view text); // parted by any number of those
std::vector<std::string_view> partsOf(std::string_view text, char separator);
std::string lowered(std::string_view text); // ASCII

// Numbers in them by their value: "n2" before "n10".
bool naturallyBefore(std::string_view a, std::string_view b);

struct TextLine {
    std::string_view text; // without its end
    int number = 1;
};
std::vector<TextLine> linesOf(std::string_view text);
// The parts lie in the text: one that is gone before them is refused.
template <std::same_as<std::string> Gone>
std::vector<std::string_view> fieldsOf(Gone&& text) = delete;
template <std::same_as<std::string> Gone>
std::vector<std::string_view> partsOf(Gone&& text, char separator) = delete;
template <std::same_as<std::string> Gone>
std::vector<TextLine> linesOf(Gone&& text) = delete;

// Collects the mistakes of one text file, so that one import tells all of them, 20 at most.
class TextFaults {
public:
    explicit TextFaults(std::string file) : m_file(std::move(file)) {}

    std::string where(int line) const;             // "file:line"
    std::string where(int line, int column) const; // "file:line:column"
    void add(const char* code, std::string where, Wording wording);
    bool empty() const { return m_count == 0; }
    Status status() const; // the first with all others as reasons, or Ok
    const std::string& file() const { return m_file; }

private:
    std::string m_file;
    std::vector<Error> m_faults;
    std::size_t m_count = 0;
};

} // namespace pw
