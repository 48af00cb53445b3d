// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/plan_runs.h"

namespace pw {

// An operation as predicted and as it ran, and the difference: "measured 183.2 ms, predicted 170.1 ms, +7.7
// %". Times of runs that say nothing of the plan's GPUs are told as they ran, with the prediction at their
// pace beside them. Either bar may be missing.
QString operationText(const Timeline& predicted, BarRef bar, const PlanRun& run, BarRef ran);

} // namespace pw
