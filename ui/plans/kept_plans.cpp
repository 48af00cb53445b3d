// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/kept_plans.h"

#include "core/base/parallel.h"
#include "core/document/plan_document.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"

#include <QCoreApplication>
#include <QUndoCommand>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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
    kept.entry = keptEntry(*candidate->problem, candidate->plan, candidate->evaluation);
    context.document.apply(keepPlan(project, kept), text(kept.pinned ? "Pin %1" : "Unpin %1", *candidate));
}

namespace {

std::string questionAnd(const Candidate& candidate, const std::string& text) {
    return candidate.problem->hash() + '\n' + text;
}

// Found plans leave the table and come back, beside what the same step does to the project.
class TakenPlans : public QUndoCommand {
public:
    TakenPlans(Candidates& candidates, std::vector<Candidate> plans)
        : m_candidates(candidates), m_plans(std::move(plans)) {}

    void undo() override { m_candidates.putBack(m_plans); }
    void redo() override {
        std::unordered_map<std::string, int> there; // plans as they were found
        std::unordered_set<int> known;
        for (const Candidate& plan : m_candidates.all()) {
            known.insert(plan.id);
            if (plan.base.isEmpty())
                there.emplace(questionAnd(plan, plan.key), plan.id);
        }
        std::vector<int> ids;
        for (const Candidate& plan : m_plans)
            if (known.contains(plan.id))
                ids.push_back(plan.id);
            else if (const auto again = there.find(questionAnd(plan, plan.key)); again != there.end())
                ids.push_back(again->second);
        m_candidates.remove(ids);
    }

private:
    Candidates& m_candidates;
    std::vector<Candidate> m_plans;
};

} // namespace

bool forgetPlans(AppContext& context, const std::vector<int>& ids, const std::function<void()>& before) {
    const ProjectPtr project = context.document.project();
    const std::unordered_set<int> chosen(ids.begin(), ids.end());
    std::unordered_set<std::string> kept;
    for (const KeptPlan& plan : project->plans)
        kept.insert(plan.problemHash + '\n' + plan.name);
    std::vector<Candidate> found;
    std::vector<std::string> dropped;
    QString step;
    int count = 0;
    for (const Candidate& candidate : context.candidates.all()) {
        if (!chosen.contains(candidate.id))
            continue;
        step = text("Remove %1", candidate);
        ++count;
        const bool edited = !candidate.base.isEmpty(); // its row follows the project
        if (edited || kept.contains(questionAnd(candidate, s(candidate.name))))
            dropped.push_back(s(candidate.name));
        if (!edited)
            found.push_back(candidate);
    }
    if (count == 0)
        return false;
    if (count > 1)
        step = QCoreApplication::translate("KeptPlans", "Remove %1 plans").arg(count);
    const Result<Project> without = dropPlans(*project, dropped);
    if (!without) {
        context.document.apply(without, step); // which says why
        return false;
    }
    if (before)
        before();
    QUndoStack* steps = context.document.undoStack();
    steps->beginMacro(step);
    // The project first: undone last, it finds the plans that it keeps in the table.
    context.document.apply(without, step);
    if (!found.empty())
        steps->push(new TakenPlans(context.candidates, std::move(found)));
    steps->endMacro();
    return true;
}

void followPins(AppContext& context) {
    std::vector<std::pair<int, bool>>
        pins; // setPinned reports each change, and listeners may look at the list
    for (const Candidate& candidate : context.candidates.all())
        pins.emplace_back(candidate.id, keeps(*context.document.project(), candidate));
    for (const auto& [id, pinned] : pins)
        context.candidates.setPinned(id, pinned);
}

namespace {

std::optional<FoundPlan> judged(const KeptPlan& kept, const Problem& problem) {
    const Result<Json> entry = parseJson(kept.entry, kept.name);
    if (!entry)
        return std::nullopt;
    const Result<Plan> plan = planFromJson(JsonReader(*entry, kept.name), problem);
    if (!plan)
        return std::nullopt;
    Result<Evaluation> evaluation = evaluate(problem, *plan);
    if (!evaluation)
        return std::nullopt;
    return FoundPlan{*plan, *std::move(evaluation)};
}

// Those of the project that are wanted, in its order; all cores judge.
std::vector<KeptFound> judgedOf(const Project& project, const Problem& problem,
                                const std::function<bool(const KeptPlan&)>& wanted) {
    std::vector<const KeptPlan*> kept;
    for (const KeptPlan& plan : project.plans)
        if (wanted(plan))
            kept.push_back(&plan);
    std::vector<std::optional<FoundPlan>> plans(kept.size());
    inParallel(kept.size(), 0, [&](std::size_t i) { plans[i] = judged(*kept[i], problem); });
    std::vector<KeptFound> found;
    for (std::size_t i = 0; i < kept.size(); ++i)
        if (plans[i])
            found.push_back({kept[i], *std::move(plans[i])});
    return found;
}

} // namespace

std::vector<KeptFound> keptPlans(const Project& project, const std::shared_ptr<const Problem>& problem,
                                 bool edited) {
    return judgedOf(project, *problem, [&](const KeptPlan& kept) {
        return kept.problemHash == problem->hash() && (kept.base.empty() || edited);
    });
}

bool restoreKept(AppContext& context) {
    const auto problem = context.document.problem();
    if (!problem)
        return false;
    Candidates& candidates = context.candidates;
    const ProjectPtr project = context.document.project();
    for (const KeptPlan& kept : project->plans) { // before any of them without a number takes one
        candidates.passOver(q(kept.name));
        candidates.passOver(q(kept.base));
    }
    std::vector<Candidates::Kept> came;
    for (KeptFound& found : judgedOf(*project, *problem, [&](const KeptPlan& kept) {
             return kept.problemHash == problem->hash() && kept.base.empty() && // WhatIf has the edited ones
                    !candidates.findNamed(q(kept.name), kept.problemHash);
         }))
        came.push_back({std::move(found.found), q(found.kept->name), q(found.kept->note)});
    if (!came.empty())
        candidates.restore(problem, came);
    followPins(context);
    if (came.empty())
        return false;
    std::vector<int> early; // edited plans have to come after what they were edited from
    for (const Candidate& candidate : candidates.all())
        if (!candidate.base.isEmpty() && !Candidates::isStale(candidate, problem) &&
            !candidates.baseOf(candidate))
            early.push_back(candidate.id);
    for (const int id : early)
        candidates.remove(id);
    return true;
}

void restoreEarlier(AppContext& context) {
    const ProjectPtr project = context.document.project();
    const auto now = context.document.problem();
    if (!now) // problems come first
        return;
    Json rows = Json::array();
    for (const ProfileRow& row : project->profiles)
        rows.push_back(toJson(row));
    constexpr std::size_t kMost = 8, kMostBytes = 4U << 20; // of a file that somebody else has written
    for (const KeptQuestion& question :
         std::span(project->questions).first(std::min(kMost, project->questions.size()))) {
        if (question.problem.size() > kMostBytes)
            continue;
        Result<Json> text = parseJson(question.problem, project->name);
        if (!text || now->hash() == question.problemHash)
            continue;
        (*text)["profiles"] = rows;
        const auto problem = Problem::fromJson(JsonReader(*text, project->name));
        if (!problem || (*problem)->hash() != question.problemHash)
            continue;
        std::vector<Candidates::Kept> came;
        for (KeptFound& found : judgedOf(*project, **problem, [&](const KeptPlan& kept) {
                 return kept.base.empty() && kept.problemHash == question.problemHash;
             }))
            came.push_back({std::move(found.found), q(found.kept->name), q(found.kept->note)});
        if (!came.empty())
            context.candidates.restore(*problem, came);
    }
    followPins(context);
}

int waitingPlans(const AppContext& context) {
    const std::vector<KeptPlan>& plans = context.document.project()->plans;
    return static_cast<int>(std::count_if(plans.begin(), plans.end(), [&](const KeptPlan& kept) {
        return !context.candidates.findNamed(q(kept.name), kept.problemHash);
    }));
}

} // namespace pw
