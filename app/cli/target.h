// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

#include <optional>
#include <string>

namespace pw::cli {

// An export target as a constraint of a search (--target).

// Of a search for a target this many plans are looked through, since some of the fastest may be refused.
inline constexpr int kLookedThrough = 256;

// Keeps the `top` best plans that the target can run. Its schedules were all that was searched; what else it
// refuses shows only in a whole plan. Once the best plan is gone, what the search proved of it says nothing
// about the rest. The error if none is left: the refusals of the best.
std::optional<Error> keepRunnable(const Problem& problem, const ExporterRow& target, std::size_t top,
                                  SearchOutcome& outcome);

} // namespace pw::cli
