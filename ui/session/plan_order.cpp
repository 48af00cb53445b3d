// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_order.h"

#include <QCoreApplication>

#include <algorithm>

namespace pw {

PlanPlace placeOf(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    if (Candidates::isStale(plan, now))
        return plan.foreign ? PlanPlace::Elsewhere : PlanPlace::EarlierState;
    return plan.foreign ? PlanPlace::OfOthers : PlanPlace::Own;
}

bool isEarlier(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    return placeOf(plan, now) == PlanPlace::EarlierState;
}

QString staleWord() {
    return QCoreApplication::translate("PlanOrder", "stale");
}

std::vector<const Candidate*> currentFirst(const Candidates& plans,
                                           const std::shared_ptr<const Problem>& now) {
    std::vector<const Candidate*> ordered;
    for (const Candidate& plan : plans.all())
        ordered.push_back(&plan);
    std::ranges::stable_sort(ordered, {}, [&now](const Candidate* plan) { return placeOf(*plan, now); });
    return ordered;
}

const Candidate* bestPlan(const Candidates& plans, const std::shared_ptr<const Problem>& now) {
    const std::vector<const Candidate*> ordered = currentFirst(plans, now);
    const auto fits =
        std::ranges::find_if(ordered, [](const Candidate* plan) { return plan->evaluation.feasible; });
    return fits != ordered.end() ? *fits : ordered.empty() ? nullptr : ordered.front();
}

std::vector<int> fastestPlans(const Candidates& plans, const std::shared_ptr<const Problem>& now,
                              std::size_t most) {
    std::vector<int> ids;
    for (const Candidate* plan : currentFirst(plans, now))
        if (ids.size() < most && plan->evaluation.feasible)
            ids.push_back(plan->id);
    return ids;
}

QString withStale(const QString& text, const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    return isEarlier(plan, now) ? QCoreApplication::translate("PlanOrder", "%1, %2").arg(text, staleWord())
                                : text;
}

QString apartTitle(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    switch (placeOf(plan, now)) {
    case PlanPlace::EarlierState:
        return QCoreApplication::translate("PlanOrder", "The plan is stale");
    case PlanPlace::Elsewhere:
        return QCoreApplication::translate("PlanOrder", "The plan is not of this project");
    case PlanPlace::Own:
    case PlanPlace::OfOthers:
        break;
    }
    return {};
}

QString apartText(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    switch (placeOf(plan, now)) {
    case PlanPlace::EarlierState:
        return QCoreApplication::translate(
            "PlanOrder", "The plan answers an earlier state of the project. Run the search again.");
    case PlanPlace::Elsewhere:
        return QCoreApplication::translate(
                   "PlanOrder", "The plan came with %1 and answers another question than this project asks.")
            .arg(plan.origin);
    case PlanPlace::Own:
    case PlanPlace::OfOthers:
        break;
    }
    return {};
}

} // namespace pw
