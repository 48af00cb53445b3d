// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

#include <memory>
#include <optional>

namespace pw {

// How a plan at hand stands beside the best that a search finds for the same trainer, or for any.
struct Verdict {
    // Up to so much slower a plan is as good as another: below what the cost model can tell apart.
    static constexpr double kEqual = 0.005;

    Seconds present;      // of the plan
    bool feasible = true; // it can run
    // Of the best that was found; nothing if none was.
    std::optional<FoundPlan> best;
    std::shared_ptr<const Problem> problem; // that `best` is judged under
    Seconds bound;                          // none of its kind takes less; 0: none proven
    Wording text;                           // one sentence

    double slower() const { return present / best->evaluation.iteration - 1.0; } // than `best`
    bool isAsGood() const { return feasible && best && slower() <= kEqual; }
};

// `outcome`: of the search of `searched`, for plans that `target` can run; null: any trainer.
Verdict verdictOn(const FoundPlan& present, const std::shared_ptr<const Problem>& searched,
                  const SearchOutcome& outcome, const ExporterRow* target);

// Key `verdict` of the plan document.
Json toJson(const Verdict& verdict);

} // namespace pw
