// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/build.h"
#include "ui/details/property_list.h"
#include "ui/session/shown_plan.h"

#include <utility>
#include <vector>

namespace pw {

// What a plan, one of its stages and one of its bars are in figures, each with where it comes from.

// `bound`: of the iteration, 0: none is known. `beside`: the best plan of the same question, as a verdict and
// how sure it is; an empty verdict: there is none.
std::vector<Property> planRows(const ShownPlan& plan, Seconds bound,
                               const std::pair<QString, QString>& beside);
std::vector<Property> stageRows(const ShownPlan& plan, const ShownStage& stage);
// With what the bar waited for and what waits for it, as links "TRACK/LANE/BAR".
std::vector<Property> barRows(const Timeline& timeline, BarRef ref);

} // namespace pw
