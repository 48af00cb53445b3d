// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/chosen_plan.h"
#include "app/cli/session.h"

#include <string>

namespace pw::cli {

// --fails "n2,n3": what the window's "What if n2 fails" leaves of the plan, of several nodes at once, beside
// the plan as it is; added to the answer under `fails`. A node that the plan does not use changes nothing.
// Where no plan is left, or none that fits, the answer is refused with the reason. Bad input: a name that is
// no node of the cluster.
Status addFailedNodes(const JudgedPlan& judged, const std::string& nodes, Answer& answer);

} // namespace pw::cli
