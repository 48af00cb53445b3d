// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The manual is a folder of Markdown (resources/manual) that is read in three places: in the repository, in
// the program's help and as HTML under share/doc. A link must lead to the same heading in all of them, so the
// anchors are those that GitHub gives headings, and what it can draw (its dialect, no raw HTML) is all that a
// page may use. Parsed by cmark-gfm: Qt's own reader gives headings no anchors and tells no words of a
// section.

// The anchor of a heading: in lower case, without punctuation, with '-' for blanks. "`json.syntax`" is
// "jsonsyntax". So a message's entry is found by its code, without a table.
std::string headingAnchor(std::string_view heading);

// A heading with what stands under it, up to the next one.
struct ManualSection {
    int level = 0; // 1 to 6; 0 for what stands before the first heading
    std::string heading;
    std::string anchor; // headingAnchor(), with "-1", "-2" behind it where it repeats in the page
    std::string words;  // plain text, a blank between blocks
};

struct ManualPage {
    std::string name; // "planners/haap.md"
    std::string html; // of the body; every heading carries its anchor as id
    std::vector<ManualSection> sections;
    std::vector<std::string> links;    // targets as the page states them
    std::vector<std::string> pictures; // likewise

    std::string title() const; // the first heading, or the name
};

// What a link's target becomes in the HTML.
using LinkRewrite = std::function<std::string(const std::string& target)>;

ManualPage readManualPage(std::string name, std::string_view markdown, const LinkRewrite& rewrite = {});

} // namespace pw
