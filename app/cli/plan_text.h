// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/evaluate/evaluation.h"
#include "core/search/search.h"

#include <string>

namespace pw::cli {

// Plans as tables. Times and memories are predicted; ∴ marks those that rest on estimates.
std::string problemLine(const Problem& problem); // cluster, model, batch, precision
// Iteration time, the span it is expected in, and what it is made of.
std::string figuresText(const Problem& problem, const Plan& plan, const Evaluation& evaluation);
// What weakens the figures, and what the search has to say: a line each.
std::string notesText(const Problem& problem, const Diagnostics& ofSearch = {});
// What each phase of the search did, those within another indented below it, and which found plan 1.
std::string phasesTable(const SearchOutcome& outcome);
std::string stagesTable(const Problem& problem, const Plan& plan,
                        const Evaluation& evaluation); // a row a stage

} // namespace pw::cli
