// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// One field, and where it begins in the file (both from 1), for messages.
struct CsvCell {
    std::string text;
    int line = 1, column = 1;
};
using CsvRecord = std::vector<CsvCell>;

// Comma-separated values by RFC 4180: fields may be quoted, a quote inside them is doubled, quoted fields may
// hold commas and line ends; LF and CRLF both end a record, a byte-order mark is accepted, empty lines are
// passed over. A quote that is not closed, text beside a quoted field, a first line divided by semicolons or
// tabs, or a byte that is no UTF-8 is bad input at file:line:column. `firstLine` is the number of the text's
// first line in the file that it is a part of.
Result<std::vector<CsvRecord>> parseCsv(std::string_view text, const std::string& file, int firstLine = 1);

// One field as it is written: quoted where it has to be. Spreadsheets run what begins with = + - or @ as a
// formula: a text that does, and is no number, gets an apostrophe in front, which they take for "a text"; and
// so does one that begins with such apostrophes of its own, which csvFieldText() gets back therefore.
std::string csvField(std::string_view text);
// The text of a field that csvField() wrote, for the files that the program reads again: without that
// apostrophe.
std::string_view csvFieldText(std::string_view field);

} // namespace pw
