// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"
#include "core/search/search.h"
#include "ui/commands/app_context.h"

#include <QString>

#include <functional>
#include <vector>

namespace pw {

// Pinned plans are part of the project file, so pinning is an edit that can be undone. The candidates follow
// the project.

void togglePinned(AppContext& context, int id);
void notePlan(AppContext& context, int id, const QString& note); // an edit too: it pins the plan
// Out of the table, and those that the project keeps out of that, too: one step, which undo takes back.
// `before` is called before any of them goes; not where there is none or it is refused, and then the answer
// is false.
bool forgetPlans(AppContext& context, const std::vector<int>& ids, const std::function<void()>& before = {});
void followNotes(AppContext& context); // notes as the project has them; after each change
// An edit too, which pins a plan that was only found; refused where another plan has the name.
void renamePlan(AppContext& context, int id, const QString& name);
void followNames(AppContext& context); // as the project has them, before pins and notes; after each change
void followPins(AppContext& context);  // marks the candidates that the project keeps; after each change
// The plans of this question that the project keeps, as they are judged now; entries that say nothing any
// more are left out. `edited`: also those that were edited from another one by hand.
struct KeptFound {
    const KeptPlan* kept; // of the project
    FoundPlan found;
};
std::vector<KeptFound> keptPlans(const Project& project, const std::shared_ptr<const Problem>& problem,
                                 bool edited);
// Puts the project's plans of its present question into the candidates, as far as they are not there: after a
// project was opened, and after each change, which may have solved its problems. True if any came; WhatIf has
// to restore() the edited ones then.
bool restoreKept(AppContext& context);
// Likewise those of earlier questions that the file has, for when a project was opened: they stand
// there as what answers an earlier state does. A question that measurements have changed meanwhile is another
// one, and its plans wait.
void restoreEarlier(AppContext& context);
// How many plans the project keeps that are not among the candidates: its problems are to be solved first, or
// it asks another question now.
int waitingPlans(const AppContext& context);

} // namespace pw
