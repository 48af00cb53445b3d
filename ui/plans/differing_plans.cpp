// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/differing_plans.h"

#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>
#include <string>

namespace pw {

namespace {

QString shortText(Difference by) {
    switch (by) {
    case Difference::HalfTheGpus:
        return QCoreApplication::translate("DifferingPlans", "half the GPUs");
    case Difference::FewerGpus:
        return QCoreApplication::translate("DifferingPlans", "fewer GPUs");
    case Difference::LessMemory:
        return QCoreApplication::translate("DifferingPlans", "less memory");
    case Difference::SurerToFit:
        return QCoreApplication::translate("DifferingPlans", "surer to fit");
    case Difference::OtherSchedule:
        return QCoreApplication::translate("DifferingPlans", "another schedule");
    case Difference::FewerStages:
        return QCoreApplication::translate("DifferingPlans", "fewer stages");
    case Difference::EqualStages:
        return QCoreApplication::translate("DifferingPlans", "equal stages");
    }
    return {};
}

} // namespace

QHash<int, DifferingPlan> differingPlans(const std::vector<Candidate>& plans,
                                         const std::function<PlanTraits(const Candidate&)>& traits) {
    struct Question {
        std::vector<int> ids; // the fastest plan, then those that may differ
        std::vector<PlanTraits> traits;
    };
    std::map<std::string, Question> questions; // by hash
    for (const Candidate& c : plans) {
        if (!c.evaluation.feasible)
            break; // none behind it fits either
        if (c.foreign)
            continue;
        Question& question = questions[c.problem->hash()];
        if (!question.ids.empty() && !c.base.isEmpty())
            continue;
        question.ids.push_back(c.id);
        question.traits.push_back(traits(c));
    }
    QHash<int, DifferingPlan> found;
    for (const auto& [hash, question] : questions) {
        const std::vector<std::vector<Difference>> all = differencesFromFirst(question.traits);
        for (std::size_t i = 1; i < all.size(); ++i)
            if (!all[i].empty())
                found.insert(question.ids[i], {question.traits[0], question.traits[i], all[i]});
    }
    return found;
}

QHash<int, DifferingPlan> differingPlans(const std::vector<Candidate>& plans) {
    return differingPlans(plans,
                          [](const Candidate& c) { return traitsOf(*c.problem, c.plan, c.evaluation); });
}

QString differingText(const DifferingPlan& plan) {
    QStringList words;
    for (const Difference by : plan.by)
        words << shortText(by);
    return QCoreApplication::translate("DifferingPlans", "+%1: %2")
        .arg(shareText(plan.slower()), words.join(QStringLiteral(", ")));
}

QString differingTip(const DifferingPlan& plan, const QString& fastest) {
    QStringList lines;
    for (const Difference by : plan.by)
        lines << sentence(wordingOf(by, plan.beside, plan.traits));
    lines << QCoreApplication::translate("DifferingPlans", "It takes %1 longer than plan %2.")
                 .arg(shareText(plan.slower()), fastest);
    return lines.join(QLatin1Char('\n'));
}

} // namespace pw
