// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"
#include "ui/commands/app_context.h"

#include <string>
#include <unordered_map>
#include <utility>

namespace pw {

// What a saved file holds beside the project: every plan of the table under its name, and how the last search
// ended: what was asked of it, its figures, and which of the plans are its own; which plans are compared;
// what is asked of plans now; and the answers about the project as it is. None of it is an edit, so it is not
// in the project that undo goes through; a search leaves nothing to be undone and the document as unmodified
// as it was.
//
// A plan is 2 to 60 KiB of text, one on 16,384 GPUs 4 MiB; a file that takes seconds to write or open helps
// nobody. So there are at most so many, the fastest ones, and behind them those that differ
// (differing_plans.h) and the best of the last search; pinned, edited and named plans always.
struct SavedTable {
    static constexpr std::size_t kMostPlans = 256;
    static constexpr std::size_t kMostBytes = 24U << 20;
    struct Limits {
        std::size_t plans = kMostPlans, bytes = kMostBytes;
    };
    Project project;
    int leftOut = 0; // plans of the table that the limits leave out
};
using PlanEntries =
    std::unordered_map<int, std::pair<std::string, std::string>>; // by id: what of, and the entry
SavedTable withTable(const AppContext& context, const Project& project, const SavedTable::Limits& limits = {},
                     PlanEntries* entries = nullptr);
// What is lost with unsaved work otherwise, as much as is written between two edits: the fastest plans, no
// more than 64 and 1 MiB of them, and none where one alone may be megabytes; the answers; what is asked of
// plans. `entries`: of plans that were written before, by id.
Project withWork(const AppContext& context, const Project& project, PlanEntries& entries);

// The other way: best plan, bound, gap, rejections and what a trainer costs are those of the project's last
// search again, if it answers the present question and its best plan is there. Else nothing is said of any:
// other searches may have found the other plans of the table. After the plans are there.
void restoreSearch(const AppContext& context);
// The comparison is that of the file again, as far as its plans are there; one alone is none. After the
// plans.
void restoreCompared(const AppContext& context);
// What is asked of plans is what the file says; of a file of an earlier version what its last search asked,
// whatever it asked that of.
void restoreDemand(const AppContext& context);

} // namespace pw
