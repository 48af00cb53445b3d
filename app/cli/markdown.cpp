// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/markdown.h"

namespace pw::cli {

namespace {

std::string cell(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|')
            escaped += '\\';
        escaped += c == '\n' ? ' ' : c;
    }
    return escaped;
}

} // namespace

MarkdownTable::MarkdownTable(const std::vector<std::string>& headings) {
    std::string rule = "|";
    m_text = "|";
    for (const std::string& heading : headings) {
        const bool right = heading.starts_with('>');
        m_text += " " + cell(std::string_view(heading).substr(right ? 1 : 0)) + " |";
        rule += right ? "---:|" : "---|";
    }
    m_text += "\n" + rule + "\n";
}

void MarkdownTable::add(const std::vector<std::string>& cells) {
    m_text += "|";
    for (const std::string& text : cells)
        m_text += " " + cell(text) + " |";
    m_text += "\n";
}

std::string inCode(std::string_view text) {
    return text.empty() ? std::string() : "`" + std::string(text) + "`";
}

} // namespace pw::cli
