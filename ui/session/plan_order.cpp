// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_order.h"

#include "core/cluster/cluster_difference.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace pw {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("PlanOrder", text);
}

struct PartWords {
    const char* part; // as differingParts() has it
    const char* words;
};
constexpr PartWords kParts[] = {
    {"model", QT_TRANSLATE_NOOP("PlanOrder", "the model")},
    {"forbidden", QT_TRANSLATE_NOOP("PlanOrder", "what is left out")},
    {"profiles", QT_TRANSLATE_NOOP("PlanOrder", "the measurements")},
    {"constants", QT_TRANSLATE_NOOP("PlanOrder", "the calibration")},
};

// "the cluster (link a-s1: 100 Gbit/s and 200 Gbit/s)".
QString clusterWords(const Cluster& then, const Cluster& now) {
    constexpr qsizetype kMost = 3;
    QStringList differences;
    for (const Wording& difference : clusterDifferences(then, now))
        differences << messageText(difference);
    if (differences.isEmpty())
        return words("the cluster");
    if (differences.size() > kMost)
        differences = differences.first(kMost) << words("more");
    return words("the cluster (%1)").arg(differences.join(QStringLiteral(", ")));
}

// What made another question of the first one, in the words of the fields.
QStringList changesBetween(const Problem& then, const Problem& now) {
    QStringList changes;
    const auto figure = [&](const char* text, std::int64_t before, std::int64_t after) {
        if (before != after)
            changes << words(text).arg(countText(before), countText(after));
    };
    Recipe before = then.recipe();
    const Recipe& after = now.recipe();
    figure(QT_TRANSLATE_NOOP("PlanOrder", "the global batch (%1, now %2)"), before.gbs, after.gbs);
    figure(QT_TRANSLATE_NOOP("PlanOrder", "the sequence length (%1, now %2)"), before.seq, after.seq);
    before.gbs = after.gbs;
    before.seq = after.seq;
    if (before != after)
        changes << words("other settings of the training");
    const std::vector<std::string> parts = differingParts(then, now);
    if (std::ranges::find(parts, "cluster") != parts.end())
        changes << clusterWords(then.topology().cluster(), now.topology().cluster());
    for (const PartWords& row : kParts)
        if (std::ranges::find(parts, row.part) != parts.end())
            changes << words(row.words);
    return changes;
}

const Candidate* firstThatFits(const std::vector<const Candidate*>& plans) {
    const auto fits =
        std::ranges::find_if(plans, [](const Candidate* plan) { return plan->evaluation.feasible; });
    return fits != plans.end() ? *fits : plans.empty() ? nullptr : plans.front();
}

} // namespace

PlanPlace placeOf(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    if (Candidates::isStale(plan, now))
        return plan.foreign ? PlanPlace::Elsewhere : PlanPlace::EarlierState;
    return plan.foreign ? PlanPlace::OfOthers : PlanPlace::Own;
}

bool isEarlier(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    return placeOf(plan, now) == PlanPlace::EarlierState;
}

QString staleWord() {
    return words("stale");
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
    return firstThatFits(currentFirst(plans, now));
}

std::vector<int> fastestPlans(const Candidates& plans, const std::shared_ptr<const Problem>& now,
                              std::size_t most) {
    std::vector<int> ids;
    for (const Candidate* plan : currentFirst(plans, now))
        if (ids.size() < most && plan->evaluation.feasible)
            ids.push_back(plan->id);
    return ids;
}

const Candidate* comparedWith(const Candidates& plans, const Candidate& plan,
                              const std::shared_ptr<const Problem>& now) {
    if (const Candidate* base = plans.baseOf(plan))
        return base;
    if (const Candidate* best = plans.bestLike(plan); best && best->id != plan.id)
        return best;
    std::vector<const Candidate*> others = currentFirst(plans, now);
    std::erase_if(others, [&plan](const Candidate* other) { return other->id == plan.id; });
    return firstThatFits(others);
}

std::vector<double> sharesAhead(const Candidates& plans, const std::shared_ptr<const Problem>& now) {
    std::vector<PlanPlace> places;
    std::map<PlanPlace, int> counts, passed;
    for (const Candidate& plan : plans.all())
        ++counts[places.emplace_back(placeOf(plan, now))];
    std::vector<double> shares;
    shares.reserve(places.size());
    for (const PlanPlace place : places)
        shares.push_back(100.0 * passed[place]++ / counts[place]);
    return shares;
}

QString withStale(const QString& text, const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    return isEarlier(plan, now) ? words("%1, %2").arg(text, staleWord()) : text;
}

QString apartTitle(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    switch (placeOf(plan, now)) {
    case PlanPlace::EarlierState:
        return words("The plan is stale");
    case PlanPlace::Elsewhere:
        return words("The plan is not of this project");
    case PlanPlace::Own:
    case PlanPlace::OfOthers:
        break;
    }
    return {};
}

QString apartText(const Candidate& plan, const std::shared_ptr<const Problem>& now) {
    switch (placeOf(plan, now)) {
    case PlanPlace::EarlierState:
        return now ? words("The plan answers an earlier state of the project; "
                           "since then %1 changed. Run the search again.")
                         .arg(changesBetween(*plan.problem, *now).join(QStringLiteral(", ")))
                   : words("The plan answers an earlier state of the project. Run the search again.");
    case PlanPlace::Elsewhere:
        return words("The plan came with %1 and answers another question than this project asks.")
            .arg(plan.origin);
    case PlanPlace::Own:
    case PlanPlace::OfOthers:
        break;
    }
    return {};
}

} // namespace pw
