// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/known_plans.h"

#include "core/accuracy/memory_cases.h"
#include "core/exchange/exports/export.h"
#include "ui/plans/near_ties.h"
#include "ui/session/candidates.h"

#include <unordered_set>

namespace pw {

QString runnerLabel() {
    return QString::fromUtf8(exporterRow("runner")->label);
}

// Every trainer is asked once a plan: half a millisecond on sixteen GPUs. The runner comes last: it takes
// nearly every plan, so that it says least.
const QStringList& KnownPlans::trainers(const Candidate& c) {
    std::optional<QStringList>& names = known(c).trainers;
    if (!names) {
        names.emplace();
        for (const ExporterRow* row : expressibleBy(*c.problem, c.plan))
            if (row->trainer)
                *names << QString::fromUtf8(row->label);
        if (names->removeOne(runnerLabel()))
            *names << runnerLabel();
    }
    return *names;
}

const QString& KnownPlans::structure(const Candidate& c) {
    std::optional<QString>& text = known(c).structure;
    return text ? *text : text.emplace(structureOf(c));
}

double KnownPlans::chance(const Candidate& c) {
    std::optional<double>& value = known(c).chance;
    return value ? *value : value.emplace(chanceToFit(*c.problem, c.evaluation));
}

const PlanTraits& KnownPlans::traits(const Candidate& c) {
    std::optional<PlanTraits>& traits = known(c).traits;
    return traits ? *traits : traits.emplace(traitsOf(*c.problem, c.plan, c.evaluation));
}

void KnownPlans::forgetOthers(const std::vector<int>& ids) {
    const std::unordered_set<int> kept(ids.begin(), ids.end());
    std::erase_if(m_known, [&kept](const auto& known) { return !kept.contains(known.first); });
}

KnownPlans::Known& KnownPlans::known(const Candidate& c) {
    Known& of = m_known[c.id];
    // Names of nodes are part of the question, and trainers find machines by them.
    if (of.key != c.key || of.problem != c.problem->hash())
        of = {c.key, c.problem->hash(), {}, {}, {}, {}};
    return of;
}

} // namespace pw
