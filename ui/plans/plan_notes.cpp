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

namespace pw {

void notePlan(AppContext& context, int id, const QString& note) {
    const Candidate* candidate = context.candidates.find(id);
    if (!candidate || candidate->note == note)
        return;
    KeptPlan kept;
    for (const KeptPlan& known : context.document.project()->plans)
        if (known.name == s(candidate->name) && known.problemHash == candidate->problem->hash())
            kept = known;
    if (kept.name.empty()) {
        kept.name = s(candidate->name);
        kept.problemHash = candidate->problem->hash();
        kept.entry = keptEntry(*candidate->problem, candidate->plan, candidate->evaluation);
    }
    kept.note = s(note);
    kept.pinned = true;
    const QString step = QCoreApplication::translate("KeptPlans", "Note on %1").arg(planTitle(*candidate));
    if (context.document.apply(keepPlan(*context.document.project(), kept), step))
        context.candidates.setNote(id, note);
}

void followNotes(AppContext& context) {
    std::vector<std::pair<int, QString>>
        notes; // setNote reports each change, and listeners may look at the list
    for (const KeptPlan& kept : context.document.project()->plans)
        for (const Candidate& candidate : context.candidates.all())
            if (kept.name == s(candidate.name) && kept.problemHash == candidate.problem->hash())
                notes.emplace_back(candidate.id, q(kept.note));
    for (const auto& [id, note] : notes)
        context.candidates.setNote(id, note);
}

} // namespace pw
