// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/difference.h"

#include <QHash>
#include <QString>

#include <functional>
#include <vector>

namespace pw {

struct Candidate;

// What sets a plan apart from the fastest one of its question, of all known plans: it follows from their
// figures, whoever found them and however often it was searched since, so that it is there again with the
// plans when a project is opened.
struct DifferingPlan {
    PlanTraits beside, traits; // of the fastest plan and its own
    std::vector<Difference> by;
    double slower() const { return traits.iteration / beside.iteration - 1.0; } // share of its time
};
// By id. `plans` best first, as Candidates has them; edited ones and those of other projects get no marks,
// but may be the fastest. `traits` is asked of every plan that fits; without it they are made anew.
QHash<int, DifferingPlan> differingPlans(const std::vector<Candidate>& plans,
                                         const std::function<PlanTraits(const Candidate&)>& traits);
QHash<int, DifferingPlan> differingPlans(const std::vector<Candidate>& plans);

QString differingText(const DifferingPlan& plan); // "+9.4 %: fewer GPUs, fewer stages"
// A line each with its figures, and what it costs: `fastest` is that plan's name.
QString differingTip(const DifferingPlan& plan, const QString& fastest);

} // namespace pw
