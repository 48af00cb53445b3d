// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/spoken_changes.h"

#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"

#include <cmath>
#include <utility>

namespace pw {

SpokenChanges::SpokenChanges(const AppContext& context, QWidget* parent)
    : Announcer(parent), m_context(context) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &SpokenChanges::flush);
    connect(&m_context.runner, &SearchRunner::started, this, [this] { say(tr("The search runs.")); });
    connect(&m_context.runner, &SearchRunner::finished, this, [this] { say(searchText()); });
    connect(&m_context.document, &Document::replaced, this, [this] {
        m_seen.reset();
        m_waiting.clear();
        forget();
    });
    connect(&m_context.whatIf, &WhatIf::followed, this, &SpokenChanges::sayEdited);
    // One that the user chose is said where that was done.
    connect(&m_context.selection, &Selection::planChanged, &m_soon, qOverload<>(&QTimer::start));
    m_seen = planInView();
}

void SpokenChanges::say(const QString& sentence) {
    m_waiting << sentence;
    setAccessibleName(m_waiting.join(QLatin1Char(' ')));
    m_soon.start();
}

void SpokenChanges::flush() {
    m_seen = planInView();
    if (!std::exchange(m_waiting, {}).isEmpty())
        sayAlert(*this);
}

std::optional<SpokenChanges::Seen> SpokenChanges::planInView() const {
    const Candidate* plan = m_context.whatIf.subject();
    return plan ? std::optional(Seen{plan->id, plan->evaluation.iteration}) : std::nullopt;
}

// An edit beside the plan that it was made from; what an undo led back to, alone.
void SpokenChanges::sayEdited() {
    const std::optional<Seen> before = std::exchange(m_seen, planInView());
    if (!before || !m_seen || *before == *m_seen)
        return;
    const Candidate* plan = m_context.whatIf.subject();
    const QString title = planTitle(*plan), time = iterationText(plan->evaluation.iteration);
    if (!plan->evaluation.feasible)
        return say(tr("%1 does not fit.").arg(title));
    const Candidate* base = m_context.whatIf.base();
    if (!base)
        return say(tr("%1: %2 an iteration.").arg(title, time));
    const double change = plan->evaluation.iteration / base->evaluation.iteration - 1.0;
    const QString share = shareText(std::abs(change)), other = planTitle(*base);
    say(change < 0.0   ? tr("%1: %2 an iteration, %3 shorter than %4.").arg(title, time, share, other)
        : change > 0.0 ? tr("%1: %2 an iteration, %3 longer than %4.").arg(title, time, share, other)
                       : tr("%1: %2 an iteration, as long as %3.").arg(title, time, other));
}

// How it ended.
QString SpokenChanges::searchText() const {
    const SearchRunner& runner = m_context.runner;
    if (runner.failure())
        return tr("The search did not run. %1").arg(sentence(*runner.failure()));
    if (runner.refused())
        return tr("No plan. %1").arg(sentence(*runner.refused()));
    const Candidate* best = m_context.candidates.find(runner.bestId());
    if (!best)
        return tr("Search: %1. No plan.").arg(runner.endWord());
    const QString found =
        tr("Search: %1. Best: %2, %3.")
            .arg(runner.endWord(), planTitle(*best), iterationText(best->evaluation.iteration));
    const Seconds bound = runner.boundFor(*best);
    return bound.value <= 0.0 ? found
                              : tr("%1 At most %2 could be gained.")
                                    .arg(found, shareText(1.0 - bound / best->evaluation.iteration));
}

} // namespace pw
