// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/kept_plans.h"

#include "core/edit/edit.h"
#include "ui/base/candidates.h"
#include "ui/base/convert.h"
#include "ui/base/document.h"
#include "ui/base/plan_text.h"

#include <QCoreApplication>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace pw {

namespace {

bool keeps(const Project& project, const Candidate& candidate) {
    return std::any_of(project.plans.begin(), project.plans.end(), [&](const KeptPlan& kept) {
        return kept.pinned && kept.name == s(candidate.name) && kept.problemHash == candidate.problem->hash();
    });
}

QString text(const char* words, const Candidate& candidate) {
    return QCoreApplication::translate("KeptPlans", words).arg(planTitle(candidate));
}

} // namespace

void togglePinned(AppContext& context, int id) {
    const Candidate* candidate = context.candidates.find(id);
    if (!candidate)
        return;
    const Project& project = *context.document.project();
    const bool pinned = keeps(project, *candidate);
    const bool edited = !candidate->base.isEmpty(); // stays with the project, open to edits again
    if (pinned && !edited) {
        context.document.apply(dropPlan(project, s(candidate->name)), text("Unpin %1", *candidate));
        return;
    }
    KeptPlan kept;
    kept.name = s(candidate->name);
    kept.note = s(candidate->note);
    kept.pinned = !pinned;
    kept.base = s(candidate->base);
    kept.problemHash = candidate->problem->hash();
    kept.entry = planEntry(*candidate->problem, candidate->plan, candidate->evaluation).dump();
    context.document.apply(keepPlan(project, kept), text(kept.pinned ? "Pin %1" : "Unpin %1", *candidate));
}

void forgetPlan(AppContext& context, int id) {
    const Candidate* candidate = context.candidates.find(id);
    if (!candidate)
        return;
    if (!candidate->base.isEmpty()) { // its row follows the project
        context.document.apply(dropPlan(*context.document.project(), s(candidate->name)),
                               text("Remove %1", *candidate));
        return;
    }
    if (keeps(*context.document.project(), *candidate))
        togglePinned(context, id);
    context.candidates.remove(id);
}

void followPins(AppContext& context) {
    std::vector<std::pair<int, bool>>
        pins; // setPinned reports each change, and listeners may look at the list
    for (const Candidate& candidate : context.candidates.all())
        pins.emplace_back(candidate.id, keeps(*context.document.project(), candidate));
    for (const auto& [id, pinned] : pins)
        context.candidates.setPinned(id, pinned);
}

std::vector<KeptFound> keptPlans(const Project& project, const std::shared_ptr<const Problem>& problem,
                                 bool edited) {
    std::vector<KeptFound> found;
    for (const KeptPlan& kept : project.plans) {
        if (kept.problemHash != problem->hash() || (!kept.base.empty() && !edited))
            continue;
        const Result<Json> entry = parseJson(kept.entry, kept.name);
        if (!entry)
            continue;
        const Result<Plan> plan = planFromJson(JsonReader(*entry, kept.name), *problem);
        if (!plan)
            continue;
        if (Result<Evaluation> evaluation = evaluate(*problem, *plan))
            found.push_back({&kept, {*plan, *std::move(evaluation)}});
    }
    return found;
}

void restoreKept(AppContext& context) {
    const auto problem = context.document.problem();
    if (!problem)
        return;
    const ProjectPtr project = context.document.project();
    for (const KeptFound& plan : keptPlans(*project, problem, false)) // WhatIf has the edited ones
        context.candidates.restore(problem, plan.found, q(plan.kept->name), q(plan.kept->note));
    followPins(context);
}

} // namespace pw
