// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/project/project.h"
#include "core/reproduce/published_paper.h"
#include "core/search/search.h"

namespace pw {

// A case as a project of its own, and what a project has no place for: the plans that its authors have
// published, and the search that asks the planner it is about.
struct PublishedProject {
    Project project;
    std::shared_ptr<const Problem> problem;
    std::vector<Plan> plans;
    SearchOptions options;
};

// Infeasible for a case without a cluster, model and recipe of its own; bad input, named by the paper's file,
// where the problem or a plan is none.
Result<PublishedProject> projectOf(const PublishedPaper& paper, const PublishedCase& one);

} // namespace pw
