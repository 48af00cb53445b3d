// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <variant>

namespace pw {

// What a planner can be run without, to see what it is worth. One that has no such part ignores it; those
// that have it name it in PlannerRow::parts.
struct SearchPart {
    const char* name; // "fine-layers": command line and files
    const char* help;
};
const std::vector<SearchPart>& searchPartTable();

// One row makes the command-line flag, the form field, the check and the help of an option; it knows where
// its value lies, so that none can be read or written by another's row.
struct SearchOptionRow {
    const char* name; // "work": flag --work, object name "search.work"
    const char* label;
    const char* help;
    using Value = std::variant<std::string*, std::int64_t*, std::uint64_t*, int*, double*, bool*,
                               std::vector<std::string>*>;
    Value (*value)(SearchOptions&);
    double low, high;    // of numbers
    bool expert = false; // asks how it is searched, not what for: folded away in the window

    // Planner: a name; Integer; Duration: seconds; Switch: on, off; Parts: a comma list. By what the value
    // is.
    enum class Type { Planner, Integer, Duration, Parts, Switch };
    Type type() const;
};
const std::vector<SearchOptionRow>& searchOptionTable();
// Sets one option from text; refuses what is out of range with the range.
Status setSearchOption(SearchOptions& options, std::string_view name, std::string_view text);
// As setSearchOption() takes it. `name`: of a row.
std::string searchOptionText(const SearchOptions& options, std::string_view name);

} // namespace pw
