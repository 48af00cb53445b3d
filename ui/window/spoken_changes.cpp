// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/spoken_changes.h"

#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/compare_set.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"
#include "ui/topology/canvas_edits.h"

#include <QAbstractItemView> // keep: QComboBox::view()
#include <QApplication>
#include <QComboBox>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kNamed = 3; // boxes that an edit added: more are not named

// The boxes that the edit has made, by their names; empty where they are none or many.
QString madeText(const Cluster& before, const Cluster& now) {
    const std::size_t had = before.nodes.size() + before.switches.size();
    const std::size_t has = now.nodes.size() + now.switches.size();
    if (has <= had || has > had + kNamed)
        return {};
    QStringList names = newItems(before, now).values();
    names.sort();
    return names.join(QStringLiteral(", "));
}

QString takesText(const Candidate& plan) {
    const QString title = planTitle(plan);
    if (plan.evaluation.feasible)
        return SpokenChanges::tr("%1: %2 an iteration.").arg(title, iterationText(plan.evaluation.iteration));
    return plan.evaluation.reasons.empty() ? SpokenChanges::tr("%1 does not fit.").arg(title)
                                           : SpokenChanges::tr("%1 does not fit: %2.")
                                                 .arg(title, messageText(plan.evaluation.reasons.front()));
}

QString differenceText(const Candidate& plan, const Candidate& base) {
    const Seconds change(plan.evaluation.iteration.value - base.evaluation.iteration.value);
    const QString title = planTitle(plan), other = planTitle(base);
    const QString time = iterationText(Seconds(std::abs(change.value)));
    return change.value < 0.0   ? SpokenChanges::tr("%1 takes %2 less than %3.").arg(title, time, other)
           : change.value > 0.0 ? SpokenChanges::tr("%1 takes %2 longer than %3.").arg(title, time, other)
                                : SpokenChanges::tr("%1 takes as long as %2.").arg(title, other);
}

} // namespace

SpokenChanges::SpokenChanges(const AppContext& context, QWidget* parent)
    : Announcer(parent), m_context(context) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &SpokenChanges::flush);
    connect(&m_context.runner, &SearchRunner::started, this, [this] { say(tr("The search runs.")); });
    connect(&m_context.runner, &SearchRunner::finished, this, [this] { say(searchText()); });
    connect(&m_context.document, &Document::replaced, this, [this] {
        m_seen.reset();
        m_compared.clear();
        m_waiting.clear();
        forget();
    });
    connect(&m_context.document, &Document::applied, this, &SpokenChanges::sayStep);
    connect(&m_context.whatIf, &WhatIf::followed, this, &SpokenChanges::sayEdited);
    connect(&m_context.compare, &CompareSet::changed, this, &SpokenChanges::sayCompared);
    connect(&m_context.selection, &Selection::planChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, const QWidget* now) { listenTo(now); });
    m_seen = planInView();
}

void SpokenChanges::listenTo(const QWidget* focused) {
    disconnect(m_choice);
    const auto* list = qobject_cast<const QComboBox*>(focused);
    if (!list || list->isEditable()) // letters are told as they are typed
        return;
    m_choice = connect(list, &QComboBox::currentTextChanged, this, [this, list](const QString& text) {
        if (text.isEmpty() || list->view()->isVisible()) // an open list tells its own
            return;
        const QString name = list->accessibleName();
        say(name.isEmpty() ? text + QLatin1Char('.') : QStringLiteral("%1: %2.").arg(name, text));
    });
}

void SpokenChanges::say(const QString& sentence) {
    m_waiting << sentence;
    setAccessibleName(m_waiting.join(QLatin1Char(' ')));
    m_soon.start();
}

// Another plan is in view: said once it is clear which.
void SpokenChanges::flush() {
    const std::optional<Seen> before = std::exchange(m_seen, planInView());
    if (m_seen && (!before || before->id != m_seen->id)) {
        m_waiting << takesText(*m_context.candidates.find(m_seen->id));
        setAccessibleName(m_waiting.join(QLatin1Char(' ')));
    }
    if (!std::exchange(m_waiting, {}).isEmpty())
        sayAlert(*this);
}

std::optional<SpokenChanges::Seen> SpokenChanges::planInView() const {
    const Candidate* plan = m_context.candidates.find(m_context.selection.plan());
    return plan ? std::optional(Seen{plan->id, plan->evaluation.iteration}) : std::nullopt;
}

// What is done to the table of plans is said where that is done, or by the time that comes of it.
void SpokenChanges::sayStep(const ProjectPtr& before, const QString& step) {
    const Project& now = *m_context.document.project();
    if (before->plans != now.plans)
        return;
    const QString made = madeText(before->cluster, now.cluster);
    say(made.isEmpty() ? tr("Done: %1.").arg(step) : tr("Done: %1. New: %2.").arg(step, made));
}

// An edit beside the plan that it was made from; what an undo led back to, alone.
void SpokenChanges::sayEdited() {
    const Candidate* plan = m_context.whatIf.subject();
    if (!plan || !m_seen || *m_seen == *planInView())
        return;
    m_seen = planInView();
    const Candidate* base = m_context.whatIf.base();
    if (!plan->evaluation.feasible || !base)
        return say(takesText(*plan));
    const QString title = planTitle(*plan), time = iterationText(plan->evaluation.iteration);
    const double change = plan->evaluation.iteration / base->evaluation.iteration - 1.0;
    const QString share = shareText(std::abs(change)), other = planTitle(*base);
    say(change < 0.0   ? tr("%1: %2 an iteration, %3 shorter than %4.").arg(title, time, share, other)
        : change > 0.0 ? tr("%1: %2 an iteration, %3 longer than %4.").arg(title, time, share, other)
                       : tr("%1: %2 an iteration, as long as %3.").arg(title, time, other));
}

// Once for each set of plans and base, not again where a figure of one changes.
void SpokenChanges::sayCompared() {
    const CompareSet& set = m_context.compare;
    std::vector<int> ids;
    for (const CompareSet::Lane& lane : set.lanes())
        ids.push_back(lane.id);
    if (set.base() < ids.size())
        std::rotate(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(set.base()), ids.end());
    if (ids == std::exchange(m_compared, ids) || ids.size() < CompareSet::kLeast)
        return;
    const Candidate* base = m_context.candidates.find(ids.front());
    for (std::size_t other = 1; other < ids.size(); ++other)
        if (const Candidate* plan = m_context.candidates.find(ids[other]); plan && base)
            say(differenceText(*plan, *base));
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
