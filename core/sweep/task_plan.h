// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/document/plan_file.h"
#include "core/sweep/sweep_folder.h"

#include <stop_token>

namespace pw {

// The plans of a task with the problem that they answer: as kept in the folder, else worked out again, which
// takes as long as the first time and comes to the same, since searches end by work. Infeasible: the task has
// no plan. Stopped: by the token. Failure or bad input: the kept document, or the task.
Result<PlanFile> taskPlan(const SweepFolder& folder, const TaskLine& task, int threads,
                          const std::stop_token& stop);

} // namespace pw
