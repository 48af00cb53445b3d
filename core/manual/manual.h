// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/manual/page.h"

#include <cstddef>

namespace pw {

// Where a search's words were found: the section, the place of the first word that is shown, and how good a
// find it is.
struct ManualHit {
    std::size_t page = 0, section = 0; // in Manual::pages(), in its sections
    int score = 0;
    std::string snippet; // of the words under the heading, cut at blanks
    struct Mark {
        std::size_t begin = 0, length = 0; // bytes of the snippet
    };
    std::vector<Mark> marks;
};

// All pages. The table of contents is the index page's: pages stand in the order in which it first names
// them, the index first and what it does not name at the end.
class Manual {
public:
    static constexpr const char* kIndex = "index.md";

    Manual() = default;
    explicit Manual(std::vector<ManualPage> pages);

    const std::vector<ManualPage>& pages() const { return m_pages; }
    const ManualPage* page(std::string_view name) const; // null if there is none
    // Whether "planners/default.md#seeds" leads somewhere; without "#..." the page alone counts.
    bool leadsSomewhere(std::string_view target) const;

    // The sections that have every word of the query, in any order and case, best first; where none has all,
    // those with the most of them. Common words do not count, and a word is found where one begins with its
    // stem (search_words.h). The title of the page and its keywords count for each of its sections that has
    // another of the words; where it has one itself, the rest of the page counts for it. It counts most where
    // the query is an entry of the glossary, then in the keywords and the title of the page that is shown,
    // then in those of the section's page, then in a heading, and the words as they were typed count more
    // than any number of them apart.
    std::vector<ManualHit> search(std::string_view query) const;

private:
    std::vector<ManualPage> m_pages;
};

// What a page's link leads to, as "planners/default.md#seeds"; `target` relative to the page's folder.
// Targets with a scheme ("https:...") are left as they are; one that leaves the manual begins with "..".
std::string resolvedLink(std::string_view page, std::string_view target);
bool isExternal(std::string_view target); // has a scheme

} // namespace pw
