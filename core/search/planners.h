// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <stop_token>

namespace pw {

// The one entry. Deterministic for (problem, seed, work) whatever the number of threads, unless a time limit
// or the stop token ends it; then the best so far is returned with its status.
Result<SearchOutcome> search(const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                             SearchObserver& observer, std::stop_token stop);

// Why there is no plan; nothing if there is one.
std::optional<Error> refusalOf(const SearchOutcome& outcome);

// The planner table: name, label, standing ("published, extended", "reconstruction", "own design", "ground
// truth"), one line of help.
struct PlannerRow {
    const char* name;
    const char* label;
    const char* standing;
    const char* help;
    std::int64_t (*defaultWork)(const Problem&); // stage candidates
    const char* workText;                        // the same in words, for --help
    SearchOutcome (*run)(const Problem&, const SearchOptions&, SearchObserver&, const std::stop_token&);
    // Why it is not worth starting on this problem, in numbers; nothing: it is. A comparison of all planners
    // leaves it out then, who asks for it by name gets it. Null: always worth it.
    std::optional<Error> (*hopeless)(const Problem&);
    std::vector<const char*> parts = {}; // those of searchPartTable() that it can be run without
    bool wider = false;                  // searches the axes of a WiderSpace; others are asked without them
};
const std::vector<PlannerRow>& plannerTable();

} // namespace pw
