// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/search/search.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// A question as a target is asked it.
struct TargetQuestion {
    enum class Why : std::uint8_t {
        NotTrained, // the target does not train in the precision that `auto` comes to with them
        Idle,       // the best plan with them does not use them anyway
        Slower,     // no plan with them is as fast, of those that were found
    };
    std::shared_ptr<const Problem> problem;
    std::vector<std::string> leftOut = {}; // short names of kinds that must stay unused besides
    Precision instead = Precision::Auto;   // of `problem`, if there are any
    Why why = Why::NotTrained;             // they are left out
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

// Where `auto` comes to a lower precision for the sake of some kinds: the question without them that is worth
// another search. Without idle ones where `best`, the best plan found for the target, leaves some idle. Else
// where a plan without them may be faster: the target refuses some plans in one precision alone, so that
// `best` takes longer than `open`, the fastest plan for any trainer (0: not known), or the kinds that are
// left compute faster in the other precision; and no bound says otherwise. `best` null: none was found.
// Nothing where that would leave `required` devices out, and where all kinds have the best precision, which
// takes no time to say.
std::optional<TargetQuestion> withFewerKinds(const Problem& problem, const ExporterRow& target,
                                             const FoundPlan* best, Seconds open,
                                             const std::vector<std::string>& required);

// Which devices were left out and why, as a note of the search. Nothing: none were.
std::optional<Diagnostic> noteOf(const TargetQuestion& asked, const Problem& problem,
                                 const ExporterRow& target);
// That none were since the search without them, which `without` asks, failed.
Diagnostic noteOfFailure(const TargetQuestion& without, const ExporterRow& target, const Error& error);

} // namespace pw
