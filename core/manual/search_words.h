// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The beginnings of words that a query looks for, in small letters and in its order: of "How exact are the
// predicted times?" exact, predict and time. Common words are left out unless there are no others, signs
// around a word do not count, and English endings come off, of words with dashes from the last part: a word
// is found by its stem. A flag (--json) is looked for as it is.
std::vector<std::string> searchWords(std::string_view query);

// "data parallel" of "Data parallel": all words by their stems, common ones too.
std::string stemmed(std::string_view text);

// What people call that which a page is about, where neither its title nor a heading says so; "" of pages
// that need none. Such words count as the title's.
std::string_view pageKeywords(std::string_view page);
std::vector<std::string_view> pagesWithKeywords();

} // namespace pw
