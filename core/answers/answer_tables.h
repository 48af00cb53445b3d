// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answers.h"
#include "core/answers/deadline.h"
#include "core/answers/objective.h"
#include "core/search/tournament.h"

#include <string>
#include <vector>

namespace pw {

// Answers as people read them, the same on the command line and in the window: what is said above a table,
// and the table. Either may be empty.
struct AnswerTable {
    std::string text;                           // sentences, each on a line, none ended by a line feed
    std::vector<std::string> headings;          // '>' in front: figures, which stand to the right
    std::vector<std::vector<std::string>> rows; // as many cells each
};

inline constexpr const char* kPlanHeading = ">plan"; // of the column that names plans

// How the plans of an outcome are called, in its order. Without names they are counted: "1" is the best.
using PlanNames = std::vector<std::string>;
std::string planName(const PlanNames& names, std::size_t plan);

std::vector<AnswerTable> tablesOf(const DeadlineAnswer& answer); // none if nothing was searched
std::vector<AnswerTable> tablesOf(const Answers& answers, const SearchOutcome& outcome,
                                  const PlanNames& names = {});
AnswerTable tableOf(const Problem& problem, const ParetoFront& front, const PlanNames& names = {});

// Of the searches themselves: how one ended, what it proved and the plans that it found; the planners beside
// each other.
std::string searchText(const SearchOutcome& outcome);
std::string boundText(const SearchOutcome& outcome); // empty: nothing is proven
// Micro-batches and the sequences of one, over all replicas and on one of them, which is what "mbs" means:
// "256 x 2 (1 a replica)".
std::string microbatchesText(const Plan& plan);
// Best first, no text.
AnswerTable plansTable(const Problem& problem, const SearchOutcome& outcome, const PlanNames& names = {});
// What is set apart from the first plan, those of the list above too, and what each costs in time; all empty
// if nothing is. The names of those that are not in the list stand behind the others.
AnswerTable differingTable(const Problem& problem, const SearchOutcome& outcome, const PlanNames& names = {});
AnswerTable plannersTable(const Problem& problem, const Tournament& tournament);
// "without a plan:", and a line for each planner that has none; empty if all have one.
std::string withoutPlanText(const Tournament& tournament);

} // namespace pw
