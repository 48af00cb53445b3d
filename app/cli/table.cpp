// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include "core/base/text.h"

#include <algorithm>

namespace pw::cli {

namespace {

// Code points, which is what a terminal shows for the letters and marks used here.
std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

} // namespace

std::string counted(std::int64_t number, std::string_view noun) {
    return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

Table::Table(std::vector<std::string> headings) {
    for (std::string& heading : headings) {
        m_right.push_back(heading.starts_with('>'));
        if (m_right.back())
            heading.erase(0, 1);
    }
    m_rows.push_back(std::move(headings));
}

void Table::add(std::vector<std::string> cells) {
    cells.resize(m_right.size());
    for (std::string& cell : cells) // a name with a line end would look like a row
        cell = printable(cell, kInLine);
    m_rows.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::size_t> width(m_right.size(), 0);
    for (const std::vector<std::string>& row : m_rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            width[i] = std::max(width[i], columns(row[i]));
    std::string out;
    for (const std::vector<std::string>& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(width[i] - columns(row[i]), ' ');
            line += (i == 0 ? "" : "  ") + (m_right[i] ? gap + row[i] : row[i] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

} // namespace pw::cli
