// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/manual/manual.h"

#include "core/base/text.h"

#include <algorithm>
#include <filesystem>

namespace pw {

namespace {

constexpr int kInTitle = 100, kInHeading = 20, kTogether = 15, kMostInText = 10;
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

int occurrences(std::string_view text, std::string_view word) {
    int count = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + word.size()))
        ++count;
    return count;
}

// 0 where a word is missing.
int scoreOf(const std::string& title, const std::string& heading, const std::string& text,
            const std::vector<std::string_view>& words, const std::string& query) {
    int score = words.size() > 1 && text.find(query) != std::string::npos ? kTogether : 0;
    for (const std::string_view word : words) {
        const int one = (title.find(word) != std::string::npos ? kInTitle : 0) +
                        (heading.find(word) != std::string::npos ? kInHeading : 0) +
                        std::min(kMostInText, occurrences(text, word));
        if (one == 0)
            return 0;
        score += one;
    }
    return score;
}

void addSnippet(ManualHit& hit, const std::string& text, const std::string& low,
                const std::vector<std::string_view>& words) {
    std::size_t first = std::string::npos;
    for (const std::string_view word : words)
        first = std::min(first, low.find(word));
    const ManualHit::Mark cut = snippetOf(text, first == std::string::npos ? 0 : first);
    hit.snippet = text.substr(cut.begin, cut.length);
    const std::string_view shown = std::string_view(low).substr(cut.begin, cut.length);
    for (const std::string_view word : words)
        for (std::size_t at = shown.find(word); at != std::string_view::npos;
             at = shown.find(word, at + word.size()))
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
    const std::vector<std::string_view> words = fieldsOf(asked);
    std::vector<ManualHit> hits;
    if (words.empty())
        return hits;
    for (std::size_t p = 0; p < m_pages.size(); ++p)
        for (std::size_t s = 0; s < m_pages[p].sections.size(); ++s) {
            const ManualSection& section = m_pages[p].sections[s];
            const std::string low = lowered(section.words);
            const std::string heading = lowered(section.heading);
            const std::string& title = section.level == 1 ? heading : std::string();
            ManualHit hit{p, s, scoreOf(title, heading, low, words, asked), {}, {}};
            if (hit.score == 0)
                continue;
            addSnippet(hit, section.words, low, words);
            hits.push_back(std::move(hit));
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
