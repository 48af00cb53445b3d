// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/search/search.h"

namespace pw {

// What a search says of itself beside plans, bound and phases: one row a key, with who writes and who reads
// it. Plan documents, rows of a tournament and projects have all of them. Reading leaves what is not there as
// the outcome has it; seconds as everywhere.
struct SearchFigure {
    const char* key;
    Json (*of)(const SearchOutcome&);
    void (*read)(const JsonReader&, const char* key, SearchOutcome&);
};
const std::vector<SearchFigure>& searchFigures();
// Reasons of rejection that this program does not know are left out. Mistakes are the reader's.
void readSearchFigures(const JsonReader& reader, SearchOutcome& outcome);

// {scope, space, kind, covers_best, certificate}: what the outcome's bound speaks of and rests on.
Json boundJson(const SearchOutcome& outcome);

// `notes`: what was written by toJson(). Values and limits are kept, other parameters are part of the
// message.
Diagnostics notesFrom(const JsonReader& reader);

// How a search ended, without its plans: what a project keeps beside the plans that it found, so that bound,
// gap, rejections and notes are there again when it is opened: the figures of the table, `notes`,
// `lower_bound_s` (null: none) and `bound`.
Json searchSummary(const SearchOutcome& outcome);

// Bad input with every place that is wrong. The outcome has no plans and no phases.
Result<SearchOutcome> searchFromSummary(const JsonReader& reader);

} // namespace pw
