// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published/published_project.h"

#include "core/reproduce/reproduce.h"
#include "ui/base/convert.h"
#include "ui/imports/import_offer.h"

namespace pw {

Result<PublishedProject> projectOf(const PublishedPaper& paper, const PublishedCase& one) {
    const Result<std::shared_ptr<const Problem>> problem = problemOf(one);
    if (!problem)
        return problem.error();
    PublishedProject made;
    made.problem = *problem;
    made.project = projectOfProblem(**problem, q(paper.name + ": " + one.name));
    Result<std::vector<Plan>> plans = plansOf(one, **problem, paper.name + ".json");
    if (!plans)
        return plans.error();
    made.plans = *std::move(plans);
    if (const PlannerRun* asked = plannerOf(one)) {
        made.options.planner = asked->planner;
        made.options.without = asked->without;
    }
    return made;
}

} // namespace pw
