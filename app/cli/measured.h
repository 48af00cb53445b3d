// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/chosen_plan.h"
#include "app/cli/session.h"

#include <string>
#include <vector>

namespace pw::cli {

// --measured: what ran beside what is predicted for the plan (judged with its ops), added to the answer.
// Files are torch.profiler traces of ranks, under `measured`, or one run.json of the runner, under `run`; not
// both.
Status addMeasured(const Session& session, const JudgedPlan& judged, const std::vector<std::string>& files,
                   Answer& answer);

void addMeasuredFlag(CLI::App& sub, std::vector<std::string>& files);

} // namespace pw::cli
