// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/current_plan.h"

#include "ui/base/document.h"
#include "ui/base/selection.h"

namespace pw {

CurrentPlan::CurrentPlan(const AppContext& context, QObject* parent) : QObject(parent) {
    const auto follow = [this, context] {
        const Candidate* candidate = context.candidates.find(context.selection.plan());
        if (!candidate)
            return show(nullptr);
        const bool stale = Candidates::isStale(*candidate, context.document.problem());
        if (m_plan && m_plan->id == candidate->id && m_plan->stale == stale)
            return;
        const auto detail = context.candidates.detail(candidate->id);
        show(detail ? makeShownPlan(*candidate, detail, stale) : nullptr);
    };
    connect(&context.selection, &Selection::planChanged, this, follow);
    connect(&context.candidates, &Candidates::changed, this, follow);
    connect(&context.document, &Document::changed, this, follow);
    follow();
}

void CurrentPlan::show(std::shared_ptr<const ShownPlan> plan) {
    if (m_plan == plan)
        return;
    m_plan = std::move(plan);
    Q_EMIT changed();
}

} // namespace pw
