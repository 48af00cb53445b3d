// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pw::cli {

// A table of the manual. A heading that begins with '>' is right-aligned (the mark is not printed); what
// would end a cell is escaped.
class MarkdownTable {
public:
    explicit MarkdownTable(const std::vector<std::string>& headings);
    void add(const std::vector<std::string>& cells); // as many as there are headings
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

std::string inCode(std::string_view text); // `text`, or nothing for nothing

} // namespace pw::cli
