// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw::cli {

std::string counted(std::int64_t number, std::string_view noun); // "1 point", "2 points"

// A table for people: columns as wide as their widest cell, numbers to the right. A heading that begins with
// '>' is right-aligned (the mark is not printed).
class Table {
public:
    explicit Table(std::vector<std::string> headings);
    void add(std::vector<std::string> cells); // as many as there are headings
    std::string text() const;

private:
    std::vector<bool> m_right;
    std::vector<std::vector<std::string>> m_rows;
};

} // namespace pw::cli
