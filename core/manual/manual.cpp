// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/manual/manual.h"

#include "core/base/text.h"
#include "core/manual/search_words.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace pw {

namespace {

constexpr int kIsEntry = 300, kInKeywords = 150, kInTitle = 100, kInTitleOfPage = 30, kInHeading = 20,
              kTogether = 15, kMostInText = 10;
constexpr std::string_view kGlossary = "glossary.md";
constexpr std::size_t kBefore = 40, kSnippet = 180; // bytes in front of the first word, and of all

// Cut at blanks, so that no character is halved.
ManualHit::Mark snippetOf(std::string_view text, std::size_t at) {
    std::size_t begin = at < kBefore ? 0 : text.find(' ', at - kBefore);
    begin = begin == std::string_view::npos || begin > at ? at : begin == 0 ? 0 : begin + 1;
    std::size_t end = text.size();
    if (begin + kSnippet < text.size()) {
        end = text.rfind(' ', begin + kSnippet);
        if (end == std::string_view::npos || end <= at)
            end = std::min(text.find(' ', begin + kSnippet), text.size());
    }
    return {begin, end - begin};
}

// Whether the character with the byte is a letter or a figure. Of what is not ASCII the signs of Latin-1 and
// those from U+2000 to U+2FFF are none: quotes, dashes, arrows.
bool isInWord(std::string_view text, std::size_t at) {
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
        --at;
    const auto first = static_cast<unsigned char>(text[at]);
    return first < 0x80 ? std::isalnum(first) != 0 : first != 0xC2 && first != 0xE2;
}

// From `from` on; npos: no word begins so. What does not begin with a letter, as "--json", is found anywhere.
std::size_t findBeginning(std::string_view text, std::string_view word, std::size_t from = 0) {
    std::size_t at = text.find(word, from);
    while (at != std::string_view::npos && at > 0 && isInWord(text, at - 1) && isInWord(word, 0))
        at = text.find(word, at + 1);
    return at;
}

bool hasWord(std::string_view text, std::string_view word) {
    return findBeginning(text, word) != std::string_view::npos;
}

int occurrences(std::string_view text, std::string_view word) {
    int count = 0;
    for (std::size_t at = findBeginning(text, word); at != std::string_view::npos;
         at = findBeginning(text, word, at + word.size()))
        ++count;
    return count;
}

// A section in small letters.
struct Searched {
    std::string title;         // of its page
    std::string_view keywords; // of its page
    std::string heading, text;
    bool isTitle = false; // its heading is the page's title: it stands for the page
    bool isEntry = false; // of the glossary, and the query is what it explains
    std::string page;     // all of it, of one that stands for it
};

struct Find {
    std::size_t words = 0; // that were found; 0: none of them in the section itself
    int score = 0;
};

// What a word counts in the section itself.
int ownScore(const Searched& section, std::string_view word) {
    int score = std::min(kMostInText, occurrences(section.text, word));
    if (hasWord(section.heading, word))
        score += (section.isTitle ? kInTitle : 0) + kInHeading;
    else if (section.isTitle && hasWord(section.keywords, word))
        score += kInKeywords;
    return score;
}

Find findIn(const Searched& section, const std::vector<std::string>& words, const std::string& query) {
    Find found;
    bool itself = false, named = false;
    if (query.find(' ') != std::string::npos && section.text.find(query) != std::string::npos)
        found.score = kTogether;
    found.score += section.isEntry ? kIsEntry : 0;
    for (const std::string_view word : words)
        named =
            named || (section.isTitle && (hasWord(section.heading, word) || hasWord(section.keywords, word)));
    for (const std::string_view word : words) {
        const int own = ownScore(section, word);
        int ofPage = 0;
        if (section.isTitle)
            ofPage = own == 0 && named && hasWord(section.page, word) ? 1 : 0;
        else if (hasWord(section.title, word) || hasWord(section.keywords, word))
            ofPage = kInTitleOfPage;
        found.words += own + ofPage > 0;
        found.score += own + ofPage;
        itself = itself || own > 0;
    }
    return itself ? found : Find();
}

void addSnippet(ManualHit& hit, const std::string& text, const std::string& low,
                const std::vector<std::string>& words) {
    std::size_t first = std::string::npos;
    for (const std::string_view word : words)
        first = std::min(first, findBeginning(low, word));
    const ManualHit::Mark cut = snippetOf(text, first == std::string::npos ? 0 : first);
    hit.snippet = text.substr(cut.begin, cut.length);
    const std::string_view shown = std::string_view(low).substr(cut.begin, cut.length);
    for (const std::string_view word : words)
        for (std::size_t at = findBeginning(shown, word); at != std::string_view::npos;
             at = findBeginning(shown, word, at + word.size()))
            hit.marks.push_back({at, word.size()});
    std::sort(hit.marks.begin(), hit.marks.end(), [](const auto& a, const auto& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.length > b.length;
    });
    std::size_t end = 0; // of two words in one place the longer one is marked
    std::erase_if(hit.marks, [&end](const ManualHit::Mark& mark) {
        if (mark.begin < end)
            return true;
        end = mark.begin + mark.length;
        return false;
    });
}

} // namespace

Manual::Manual(std::vector<ManualPage> pages) : m_pages(std::move(pages)) {
    std::vector<std::string> order = {kIndex};
    if (const ManualPage* index = page(kIndex))
        for (const std::string& link : index->links) {
            const std::string target = resolvedLink(index->name, link);
            order.push_back(target.substr(0, target.find('#')));
        }
    const auto place = [&order](const ManualPage& page) {
        return std::find(order.begin(), order.end(), page.name) - order.begin();
    };
    std::sort(m_pages.begin(), m_pages.end(), [&place](const ManualPage& a, const ManualPage& b) {
        return place(a) != place(b) ? place(a) < place(b) : a.name < b.name;
    });
}

const ManualPage* Manual::page(std::string_view name) const {
    const auto found = std::find_if(m_pages.begin(), m_pages.end(),
                                    [name](const ManualPage& page) { return page.name == name; });
    return found == m_pages.end() ? nullptr : &*found;
}

bool Manual::leadsSomewhere(std::string_view target) const {
    const std::size_t hash = std::min(target.find('#'), target.size());
    const ManualPage* found = page(target.substr(0, hash));
    if (!found || hash == target.size())
        return found != nullptr;
    return std::any_of(found->sections.begin(), found->sections.end(), [&](const ManualSection& section) {
        return section.level > 0 && section.anchor == target.substr(hash + 1);
    });
}

std::vector<ManualHit> Manual::search(std::string_view query) const {
    const std::string asked = lowered(trimmed(query));
    const std::vector<std::string> words = searchWords(asked);
    const std::string entry = stemmed(asked);
    std::vector<ManualHit> hits;
    if (words.empty())
        return hits;
    std::size_t most = 1; // words in one section
    for (std::size_t p = 0; p < m_pages.size(); ++p) {
        const std::string title = lowered(m_pages[p].title());
        for (std::size_t s = 0; s < m_pages[p].sections.size(); ++s) {
            const ManualSection& section = m_pages[p].sections[s];
            Searched low{title,
                         pageKeywords(m_pages[p].name),
                         lowered(section.heading),
                         lowered(section.words),
                         section.level == 1,
                         m_pages[p].name == kGlossary && stemmed(section.heading) == entry,
                         {}};
            if (low.isTitle)
                for (const ManualSection& each : m_pages[p].sections)
                    low.page += lowered(each.heading) + ' ' + lowered(each.words) + ' ';
            const Find found = findIn(low, words, asked);
            if (found.words < most)
                continue;
            if (found.words > most)
                hits.clear();
            most = found.words;
            ManualHit hit{p, s, found.score, {}, {}};
            addSnippet(hit, section.words, low.text, words);
            hits.push_back(std::move(hit));
        }
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const ManualHit& a, const ManualHit& b) { return a.score > b.score; });
    return hits;
}

bool isExternal(std::string_view target) {
    const std::size_t colon = target.find(':');
    return colon != std::string_view::npos && target.find('/') > colon && target.find('#') > colon;
}

std::string resolvedLink(std::string_view page, std::string_view target) {
    if (isExternal(target))
        return std::string(target);
    const std::size_t hash = std::min(target.find('#'), target.size());
    if (hash == 0)
        return std::string(page) + std::string(target);
    const std::filesystem::path folder = std::filesystem::path(page).parent_path();
    return (folder / target.substr(0, hash)).lexically_normal().generic_string() +
           std::string(target.substr(hash));
}

} // namespace pw
