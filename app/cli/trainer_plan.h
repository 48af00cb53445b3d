// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/exchange/imports/trainer_plan.h"
#include "core/search/search.h"

#include <optional>
#include <string>
#include <vector>

namespace pw::cli {

// A plan argument that is a trainer's own: a script or a configuration with `more` files beside it, or a
// folder of them. Nothing if it is a file of Pipewright's or none that is known, for others to read or
// refuse.
Result<std::optional<TrainerPlan>> readTrainerPlan(const Session& session, const std::string& argument,
                                                   const std::vector<std::string>& more);

// How a plan in use stands beside the best that a quick search for the same trainer finds.
struct Verdict {
    std::string line; // in one sentence
    Json document;
};
Verdict judgeAgainstSearch(const std::shared_ptr<const Problem>& problem, const TrainerPlan& trainer,
                           const FoundPlan& present, const std::stop_token& stop);

} // namespace pw::cli
