// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/candidates.h"

namespace pw {

// What a plan is to the question that the project asks now, from what speaks of it to what does not. Whoever
// ranks plans, or calls one the best, takes this first and the time second: of other work a plan may be
// faster by any factor.
enum class PlanPlace {
    Own,          // answers it
    OfOthers,     // answers it, and came with a file of another project or of a run
    EarlierState, // answers what the project asked before: stale
    Elsewhere     // came with such a file, and answers the question of that
};
// A null `now`: the project asks nothing yet, so that no plan answers it.
PlanPlace placeOf(const Candidate& plan, const std::shared_ptr<const Problem>& now);
// Whether it is to be called so; any that does not answer `now` is drawn pale.
bool isEarlier(const Candidate& plan, const std::shared_ptr<const Problem>& now);
QString staleWord();

// All plans by place, within one in the order of `plans`: best first. Valid until the plans change.
std::vector<const Candidate*> currentFirst(const Candidates& plans,
                                           const std::shared_ptr<const Problem>& now);
// The first of those that fit; where none fits, of all; null without plans.
const Candidate* bestPlan(const Candidates& plans, const std::shared_ptr<const Problem>& now);
// Ids of those that fit, in the same order, `most` of them at most.
std::vector<int> fastestPlans(const Candidates& plans, const std::shared_ptr<const Problem>& now,
                              std::size_t most);

// What the plan is held against as long as nobody says otherwise: what it was edited from, else the best plan
// of its own question, else of all others what bestPlan() takes. Null without another plan.
const Candidate* comparedWith(const Candidates& plans, const Candidate& plan,
                              const std::shared_ptr<const Problem>& now);
// Of each plan, in the order of `plans`, how many per cent of those of its own place come before it: below 10
// for the first tenth of each place.
std::vector<double> sharesAhead(const Candidates& plans, const std::shared_ptr<const Problem>& now);

// Behind a plan's figures in a list: "∴ 15.82 s, stale". As it is where the plan answers `now`, and of a plan
// from elsewhere, whose name says so.
QString withStale(const QString& text, const Candidate& plan, const std::shared_ptr<const Problem>& now);
// Why nothing can be said of the plan beside `now`: a title, and a sentence that names where it came from.
// Empty where it answers `now`.
QString apartTitle(const Candidate& plan, const std::shared_ptr<const Problem>& now);
QString apartText(const Candidate& plan, const std::shared_ptr<const Problem>& now);

} // namespace pw
