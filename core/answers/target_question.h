// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// A question as a target is asked it.
struct TargetQuestion {
    std::shared_ptr<const Problem> problem;
    std::vector<std::string> leftOut = {}; // short names of kinds that must stay unused besides
    Precision instead = Precision::Auto;   // of `problem`, if there are any
    bool idle = false; // they are left out since the best plan with them does not use them anyway
};

// Where `auto` comes to a precision that the target has not, since some kinds lack one that it has, no plan
// of the problem can run, not even one that leaves these idle: it is asked without them. As it is where that
// leaves nothing.
TargetQuestion questionFor(const std::shared_ptr<const Problem>& problem, const ExporterRow& target);

// Where `auto` comes to a lower precision for the sake of kinds that the plan, the best found for the target,
// leaves idle: the question without these. Nothing where no kind is so, or the target has not what it would
// come to then.
std::optional<TargetQuestion> withoutIdle(const Problem& problem, const ExporterRow& target,
                                          const Plan& plan);

// Which devices were left out and why, as a note of the search. Nothing: none were.
std::optional<Diagnostic> noteOf(const TargetQuestion& asked, const Problem& problem,
                                 const ExporterRow& target);

} // namespace pw
