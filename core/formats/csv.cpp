// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

// A cursor over the text that counts lines and columns.
struct Cursor {
    std::string_view text;
    std::size_t at = 0;
    int line = 1, column = 1;

    bool done() const { return at >= text.size(); }
    char peek() const { return done() ? '\n' : text[at]; }
    bool atLineEnd() const {
        return done() || text[at] == '\n' ||
               (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] == '\n'));
    }
    char take() {
        const char c = text[at++];
        if (c == '\n') {
            ++line;
            column = 1;
        } else {
            ++column;
        }
        return c;
    }
    void endLine() {
        while (!done() && take() != '\n') {
        }
    }
};

Error fault(const std::string& file, int line, int column, Wording wording) {
    return badInput("csv.syntax", fmt::format("{}:{}:{}", file, line, column), std::move(wording));
}

Result<CsvCell> takeField(Cursor& c, const std::string& file) {
    CsvCell cell{{}, c.line, c.column};
    if (c.done() || c.peek() != '"') {
        while (!c.atLineEnd() && c.peek() != ',')
            cell.text += c.take();
        return cell;
    }
    c.take();
    while (!c.done()) {
        const char next = c.take();
        if (next != '"') {
            cell.text += next;
        } else if (!c.done() && c.peek() == '"') {
            cell.text += c.take();
        } else {
            if (!c.atLineEnd() && c.peek() != ',')
                return fault(file, c.line, c.column,
                             "text follows a quoted field; expected a comma or the end of the line");
            return cell;
        }
    }
    return fault(file, cell.line, cell.column, "the quote of this field is not closed");
}

// What a head without a comma is divided by instead, as spreadsheets of many countries write it; null for one
// column.
const char* otherDivision(std::string_view head) {
    constexpr int kOfAName = 1; // a mark may be part of one
    if (std::count(head.begin(), head.end(), ';') > kOfAName)
        return "semicolons";
    return std::count(head.begin(), head.end(), '\t') > kOfAName ? "tabs" : nullptr;
}

constexpr char kApostrophe = '\'';

// Behind any apostrophes, which the text may begin with.
bool isFormula(std::string_view text) {
    constexpr std::string_view kMarks = "=+-@\t\r";
    text.remove_prefix(std::min(text.find_first_not_of(kApostrophe), text.size()));
    return !text.empty() && kMarks.find(text.front()) != std::string_view::npos &&
           !finiteNumber(text.starts_with('+') ? text.substr(1) : text);
}

} // namespace

Result<std::vector<CsvRecord>> parseCsv(std::string_view text, const std::string& file, int firstLine) {
    if (const Status sound = checkEncoding(text, file, firstLine); !sound)
        return sound.error();
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.starts_with(kMark))
        text.remove_prefix(kMark.size());
    std::vector<CsvRecord> records;
    Cursor c{text, 0, firstLine};
    while (!c.done()) {
        if (c.atLineEnd()) {
            c.endLine();
            continue;
        }
        const bool quoted = c.peek() == '"'; // whose marks are text
        CsvRecord record;
        for (bool more = true; more;) {
            Result<CsvCell> cell = takeField(c, file);
            if (!cell)
                return cell.error();
            record.push_back(*std::move(cell));
            more = !c.atLineEnd();
            if (more)
                c.take(); // the comma
        }
        c.endLine();
        if (records.empty() && record.size() == 1 && !quoted)
            if (const char* divided = otherDivision(record.front().text))
                return fault(
                    file, record.front().line, record.front().column,
                    {"the columns are divided by {division}; expected commas", {{"division", divided}}});
        records.push_back(std::move(record));
    }
    return records;
}

std::string_view csvFieldText(std::string_view field) {
    return field.starts_with(kApostrophe) && isFormula(field) ? field.substr(1) : field;
}

std::string csvField(std::string_view text) {
    const char* lead = isFormula(text) ? "'" : "";
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return lead + std::string(text);
    std::string quoted = std::string("\"") + lead;
    for (const char c : text) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace pw
