// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/current_plan.h"

#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"

namespace pw {

CurrentPlan::CurrentPlan(const AppContext& context, QObject* parent) : QObject(parent) {
    const auto follow = [this, context] {
        if (const auto& previewed = context.whatIf.shown())
            return show(previewed);
        const Candidate* candidate = context.candidates.find(context.selection.plan());
        if (!candidate)
            return show(nullptr);
        const bool stale = Candidates::isStale(*candidate, context.document.problem());
        show(context.candidates.shown(candidate->id, stale));
    };
    connect(&context.selection, &Selection::planChanged, this, follow);
    connect(&context.candidates, &Candidates::changed, this, follow);
    connect(&context.document, &Document::changed, this, follow);
    connect(&context.whatIf, &WhatIf::previewed, this, follow);
    follow();
}

void CurrentPlan::show(std::shared_ptr<const ShownPlan> plan) {
    if (m_plan == plan)
        return;
    m_plan = std::move(plan);
    Q_EMIT changed();
}

} // namespace pw
