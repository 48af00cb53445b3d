// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/answers/answers.h"
#include "core/answers/deadline.h"
#include "core/answers/objective.h"

namespace pw::cli {

// What was asked around a plan, for people.
std::string deadlineText(const DeadlineAnswer& answer);
std::string paretoText(const Problem& problem, const ParetoFront& front);
std::string answersText(const Answers& answers, const SearchOutcome& outcome);

} // namespace pw::cli
