// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/launch_stated.h"

#include "core/evaluate/evaluation.h"

#include <algorithm>

namespace pw {

Plan withLaunchCounts(Plan plan, const Evaluation& evaluation) {
    for (std::size_t p = 0; p < std::min(plan.pipelines.size(), evaluation.pipelines.size()); ++p)
        if (std::vector<int>& launch = plan.pipelines[p].schedule.launch; launch.empty())
            launch = evaluation.pipelines[p].launch;
    return plan;
}

Plan withoutLaunchCounts(Plan plan) {
    for (Pipeline& pipeline : plan.pipelines)
        pipeline.schedule.launch.clear();
    return plan;
}

} // namespace pw
