// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/near_ties.h"

#include "ui/base/convert.h"
#include "ui/plans/differing_plans.h"
#include "ui/session/candidates.h"
#include "ui/session/plan_text.h"

namespace pw {

double peakShare(const Candidate& c) {
    const DeviceMemory* fullest = fullestDevice(c.evaluation);
    return fullest ? fullest->peak.total() / fullest->capacity : 0.0;
}

QString structureOf(const Candidate& c) {
    QString text = q(stagePattern(*c.problem, c.plan));
    for (const Pipeline& pipeline : c.plan.pipelines) {
        text += QStringLiteral("; %1 %2 %3 %4:")
                    .arg(static_cast<int>(pipeline.schedule.kind))
                    .arg(static_cast<int>(pipeline.schedule.rule))
                    .arg(pipeline.microbatchSize)
                    .arg(pipeline.count);
        for (const Stage& stage : pipeline.stages)
            text += QStringLiteral(" %1x%2").arg(stage.tp).arg(stage.dp());
    }
    return text;
}

NearTies nearTies(const std::vector<Candidate>& plans, const QHash<int, DifferingPlan>& differing,
                  const std::function<const QString&(const Candidate&)>& structure,
                  const std::function<const QStringList&(const Candidate&)>& trainers) {
    NearTies found;
    std::vector<const Candidate*> leaders;
    for (const Candidate& c : plans) {
        if (!c.evaluation.feasible || &c == plans.data() + NearTies::kMost)
            break; // those behind one that does not fit do not fit either
        if (c.foreign)
            continue;
        bool numbered = false; // as a project kept it that gave it no name
        c.name.toInt(&numbered);
        const bool own = c.pinned || (c.named && !numbered) || !c.base.isEmpty() || !c.note.isEmpty() ||
                         differing.contains(c.id);
        const Candidate* leader = nullptr;
        for (auto at = leaders.rbegin(); !own && at != leaders.rend(); ++at) {
            const Candidate& other = **at;
            if (other.evaluation.iteration.value * (1.0 + NearTies::kTime) < c.evaluation.iteration.value)
                break;
            if (structure(other) == structure(c) && peakShare(other) <= peakShare(c) + NearTies::kMemory &&
                (other.problem == c.problem || other.problem->hash() == c.problem->hash()) &&
                trainers(other) == trainers(c))
                leader = &other; // the fastest of those that would do
        }
        if (!leader) {
            leaders.push_back(&c);
            continue;
        }
        found.leader.insert(c.id, leader->id);
        ++found.count[leader->id];
    }
    return found;
}

} // namespace pw
