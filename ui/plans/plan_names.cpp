// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/plans/kept_plans.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"

#include <QCoreApplication>

#include <algorithm>

#include <nlohmann/json.hpp>

namespace pw {

namespace {

const KeptPlan* keptAs(const Project& project, const Candidate& candidate) {
    const auto at = std::find_if(project.plans.begin(), project.plans.end(), [&](const KeptPlan& kept) {
        return kept.name == s(candidate.name) && kept.problemHash == candidate.problem->hash();
    });
    return at == project.plans.end() ? nullptr : &*at;
}

// The plan that the entry holds among those found; null if it is not there.
const Candidate* foundAs(const Candidates& candidates, const KeptPlan& kept) {
    for (const Candidate& candidate : candidates.all()) {
        if (!candidate.base.isEmpty() || candidate.problem->hash() != kept.problemHash)
            continue;
        const Result<Json> entry = parseJson(kept.entry, kept.name);
        if (!entry)
            return nullptr;
        const Result<Plan> plan = planFromJson(JsonReader(*entry, kept.name), *candidate.problem);
        if (!plan)
            return nullptr;
        const std::string key = canonicalKey(*plan);
        const auto at =
            std::find_if(candidates.all().begin(), candidates.all().end(), [&](const Candidate& one) {
                return one.base.isEmpty() && one.key == key && one.problem->hash() == kept.problemHash;
            });
        return at == candidates.all().end() ? nullptr : &*at;
    }
    return nullptr;
}

} // namespace

void renamePlan(AppContext& context, int id, const QString& wanted) {
    const Candidate* candidate = context.candidates.find(id);
    const QString name = wanted.trimmed();
    if (!candidate || name == candidate->name)
        return;
    const QString step =
        QCoreApplication::translate("KeptPlans", "Name %1 \u201c%2\u201d").arg(planTitle(*candidate), name);
    const bool taken = std::any_of(context.candidates.all().begin(), context.candidates.all().end(),
                                   [&](const Candidate& other) { return other.name == name; });
    if (taken) {
        context.document.apply(
            badInput("edit.plan", s(name), {"another plan is called \"{name}\"", {{"name", s(name)}}}), step);
        return;
    }
    const Project& project = *context.document.project();
    if (keptAs(project, *candidate)) { // as of the table when it was saved, or pinned
        Result<Project> renamed = renamePlan(project, s(candidate->name), s(name));
        if (renamed)
            for (KeptPlan& kept : renamed->plans)
                kept.pinned = kept.pinned || kept.name == s(name);
        context.document.apply(renamed, step);
        return;
    }
    KeptPlan kept;
    kept.name = s(name);
    kept.note = s(candidate->note);
    kept.pinned = true;
    kept.problemHash = candidate->problem->hash();
    kept.entry = keptEntry(*candidate->problem, candidate->plan, candidate->evaluation);
    context.document.apply(keepPlan(project, kept), step);
}

void followNames(AppContext& context) {
    const Project& project = *context.document.project();
    std::vector<std::pair<int, QString>> names; // setName reports each change
    for (const KeptPlan& kept : project.plans)
        if (kept.base.empty() && !context.candidates.findNamed(q(kept.name), kept.problemHash))
            if (const Candidate* candidate = foundAs(context.candidates, kept))
                names.emplace_back(candidate->id, q(kept.name));
    for (const Candidate& candidate : context.candidates.all()) {
        bool numbered = false;
        candidate.name.toInt(&numbered);
        const bool renamed = std::any_of(names.begin(), names.end(),
                                         [&](const auto& entry) { return entry.first == candidate.id; });
        if (candidate.base.isEmpty() && !candidate.foreign && candidate.named && !numbered && !renamed &&
            !keptAs(project, candidate))
            names.emplace_back(candidate.id, QString()); // its name was taken back
    }
    for (const auto& [id, name] : names)
        context.candidates.setName(id, name);
}

} // namespace pw
