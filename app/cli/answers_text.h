// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/ask.h"

#include <string>

namespace pw::cli {

// What was asked about a problem, for people: with the figures and stages of the best plan and, where it is
// to be explained, what each phase of the search did.
std::string answerText(const pw::Answer& answer, bool explain);

} // namespace pw::cli
