// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/exchange/imports/trainer_plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pw::cli {

// A plan argument that is a trainer's own: a script or a configuration with `more` files beside it, or a
// folder of them. Nothing if it is a file of Pipewright's or none that is known, for others to read or
// refuse. Where arguments leave the vocabulary to their tokenizer it is `vocabulary`, if that is above 0, or
// that of `modelFile`; empty: none.
Result<std::optional<TrainerPlan>> readTrainerPlan(const Session& session, const std::string& argument,
                                                   const std::vector<std::string>& more,
                                                   const std::string& modelFile, std::int64_t vocabulary);

} // namespace pw::cli
