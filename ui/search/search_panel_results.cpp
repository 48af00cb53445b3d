// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"
#include "core/answers/target_question.h"
#include "core/edit/edit.h"
#include "core/problem/memory_span.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/manual_link.h"
#include "ui/commands/commands.h"
#include "ui/search/rejection_bar.h"
#include "ui/search/search_panel.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/memory_room.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/name_list.h"

#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>

#include <algorithm>
#include <optional>

namespace pw {

namespace {

// What the bound speaks of, or why there is none.
QString boundHelp(const SearchRunner& runner) {
    const auto& outcome = runner.outcome();
    if (!outcome) // the scope comes with the end
        return runner.progress().bound.value > 0.0
                   ? SearchPanel::tr("What it speaks of is said when the search has ended")
                   : SearchPanel::tr("No bound is known yet");
    if (const Bound& bound = outcome->bound; bound.value.value > 0.0)
        return bound.kind.empty()
                   ? SearchPanel::tr("Proven for: %1").arg(q(bound.scope.text()))
                   : SearchPanel::tr("Proven for: %1 (%2)").arg(q(bound.scope.text()), q(bound.kind));
    if (outcome->plans.empty())
        return outcome->status == SearchStatus::Infeasible
                   ? SearchPanel::tr("There is no bound, since no plan fits")
                   : SearchPanel::tr("There is no bound, since no plan was found");
    if (const ExporterRow* target = runner.demanded().target)
        return SearchPanel::tr(
                   "No bound is known for the plans that %1 can run: nothing is proven of all of them")
            .arg(q(target->label));
    if (!outcome->covered)
        return SearchPanel::tr("No bound is known that speaks of plans like the best one found");
    return SearchPanel::tr("The search has proven no bound");
}

} // namespace

// A search that could not run leaves what the one before had found: its end and the figures are of different
// states then.
void SearchPanel::refreshStale() {
    const auto problem = m_context.document.problem();
    const bool stale = m_context.runner.isStale(problem), endStale = m_context.runner.isEndStale(problem);
    if (!stale && !endStale)
        return m_stale->clear();
    const bool mayRun = m_context.commands.action("search.run")->isEnabled();
    m_stale->setMessage(MessageBar::Tone::Stale, tr("Stale."), staleText(stale, endStale),
                        endStale && mayRun ? tr("Run again") : QString());
}

// What differs: the project, or only what is asked of plans. Short, as the button stands beside it.
QString SearchPanel::staleText(bool stale, bool endStale) const {
    const SearchRunner& runner = m_context.runner;
    const auto problem = m_context.document.problem();
    const auto isOf = [&problem](const std::shared_ptr<const Problem>& from) {
        return problem && from && from->hash() == problem->hash();
    };
    if (!endStale)
        return isOf(runner.problem()) ? tr("The figures below are of other plans than are asked for.")
                                      : tr("The figures below are of an earlier state.");
    if (stale)
        return isOf(runner.asked()) ? tr("Of another question.") : tr("Of an earlier state.");
    return isOf(runner.asked()) ? tr("It asked for others.") : tr("It was another state.");
}

void SearchPanel::refreshFigures() {
    const SearchRunner& runner = m_context.runner;
    const SearchProgress& p = runner.progress();
    const bool hasBest = p.best.value > 0.0, hasBound = p.bound.value > 0.0;
    const Candidate* best = m_context.candidates.find(runner.bestId());
    m_values[0]->setText(best      ? markedIteration(best->evaluation)
                         : hasBest ? iterationText(p.best)
                                   : tr("none"));
    const Candidate* known = best ? m_context.candidates.bestLike(*best) : nullptr;
    const bool beaten = known && known->id != best->id;
    const double chance = best ? chanceToFit(*best->problem, best->evaluation) : 1.0;
    m_notes[0]->setText(
        !best    ? QString()
        : beaten ? tr("%1; %2 is faster").arg(planTitle(*best).toLower(), planTitle(*known).toLower())
        : best->evaluation.feasible && chance < kLikelyToFit
            ? tr("%1, %2 to fit").arg(planTitle(*best).toLower(), chanceOfFitText(chance))
            : planTitle(*best).toLower());
    m_values[0]->setToolTip(beaten ? tr("Of this search. Of all plans known %1 is the fastest: %2")
                                         .arg(planTitle(*known).toLower(), markedIteration(known->evaluation))
                                   : tr("Of this search"));
    m_values[1]->setText(hasBound ? iterationText(p.bound) : tr("none"));
    const auto& outcome = runner.outcome();
    const bool anyShape = outcome && outcome->bound.scope.family == ProofScope::Family::AnyShape;
    m_notes[1]->setText(!hasBound ? QString() : anyShape ? tr("any shape of plan") : tr("over the Space"));
    const bool proven = outcome && outcome->status == SearchStatus::Optimal;
    constexpr double kNothing = 5e-4; // which would read as 0.0 %
    const double gap = hasBest && hasBound ? p.best / p.bound - 1.0 : 1.0;
    const bool nearly = !proven && gap >= 0.0 && gap < kNothing;
    m_values[2]->setText(!hasBest || !hasBound ? tr("none") : nearly ? tr("< 0.1 %") : shareText(gap));
    m_notes[2]->setText(!hasBest ? QString()
                        : proven ? tr("proven optimal")
                        : nearly ? tr("no more can be gained")
                                 : tr("not proven optimal"));
    m_values[1]->setToolTip(boundHelp(runner));
    m_values[2]->setToolTip(!hasBound ? boundHelp(runner)
                            : hasBest ? tr("How much longer the best plan takes than the lower bound")
                                      : QString());
}

// Of an earlier state it would read as said of this one.
QStringList SearchPanel::reasons(bool stale) const {
    const SearchRunner& runner = m_context.runner;
    QStringList reasons;
    if (stale)
        return reasons;
    const bool failed = !runner.isRunning() && runner.failure();
    if (const std::optional<Error>& error = failed ? runner.failure() : runner.refused()) {
        reasons << (failed ? errorText(*error) : sentence(*error)).toHtmlEscaped() + explainLink(error->code);
        for (const Error& reason : error->reasons)
            reasons << errorText(reason).toHtmlEscaped();
    } else if (runner.outcome() && runner.outcome()->status == SearchStatus::Infeasible) {
        for (const Wording& reason : runner.outcome()->reasons)
            reasons << sentence(reason).toHtmlEscaped();
        if (!reasons.isEmpty())
            reasons.last() += explainLink("search.infeasible");
    }
    return reasons;
}

std::vector<std::string> SearchPanel::leaveOut() const {
    const SearchRunner& runner = m_context.runner;
    const auto problem = m_context.document.problem();
    const ExporterRow* target = runner.demanded().target;
    const std::optional<Error>& refused = runner.refused();
    if (runner.isRunning() || !refused || refused->code != "search.left_out" || !problem || !target)
        return {};
    return questionFor(problem, *target).leftOut;
}

void SearchPanel::searchWithout() {
    std::vector<std::string> names = m_context.document.project()->forbidden;
    for (const std::string& kind : leaveOut())
        names.push_back(kind);
    const Result<Project> edited = setForbidden(*m_context.document.project(), names);
    if (edited && m_context.document.apply(edited, tr("Leave out %1").arg(namesText(names))))
        m_context.runner.start();
}

void SearchPanel::refreshCounts() {
    const SearchRunner& runner = m_context.runner;
    const SearchProgress& p = runner.progress();
    m_evaluated->setText(p.evaluated == 1 ? tr("1 plan evaluated")
                                          : tr("%1 plans evaluated").arg(countText(p.evaluated)));
    m_rejected->setCounts(p.rejected);
    m_ruledOut->setText(tr("%1 rejected").arg(countText(m_rejected->total())));
    const auto& outcome = runner.outcome();
    QStringList says;
    if (outcome)
        for (const Diagnostic& note : outcome->notes)
            says << sentence(note).toHtmlEscaped() + explainLink(note.code);
    m_says->setText(says.join(QStringLiteral("<br>")));
    m_says->setVisible(!says.isEmpty());
    m_ruledOut->setToolTip(
        tr("Plans, and parts that no plan was made of") +
        (outcome && outcome->cacheLookups > 0
             ? QLatin1Char('\n') + tr("Cache hits %1")
                                       .arg(shareText(static_cast<double>(outcome->cacheHits) /
                                                      static_cast<double>(outcome->cacheLookups)))
             : QString()));
}

void SearchPanel::refreshBestList() {
    struct Row {
        int id;
        QString text;
    };
    std::vector<Row> rows;
    const std::vector<int>& found = m_context.runner.found();
    for (auto id = found.rbegin(); id != found.rend(); ++id)
        if (const Candidate* candidate = m_context.candidates.find(*id))
            rows.push_back({*id, QStringLiteral("%1   %2   %3")
                                     .arg(planTitle(*candidate), markedIteration(candidate->evaluation),
                                          planSummary(candidate->plan))});
    // Whoever goes through the list stays where they are as long as it says the same.
    bool same = m_best->count() == static_cast<int>(rows.size());
    for (int i = 0; same && i < m_best->count(); ++i) {
        const Row& row = rows[static_cast<std::size_t>(i)];
        same = m_best->item(i)->data(Qt::UserRole).toInt() == row.id && m_best->item(i)->text() == row.text;
    }
    if (!same) {
        const QSignalBlocker quietly(m_best);
        m_best->clear();
        for (const Row& row : rows) {
            auto* item = new QListWidgetItem(row.text, m_best);
            item->setData(Qt::UserRole, row.id);
            item->setSizeHint({0, 22});
        }
        m_best->setFixedHeight(22 * std::clamp(m_best->count(), 1, 3));
        m_best->setVisible(m_best->count() > 0);
    }
    showChosenPlan();
}

// One that is not in the list leaves the keys where they are.
void SearchPanel::showChosenPlan() {
    const QSignalBlocker quietly(m_best);
    for (int i = 0; i < m_best->count(); ++i) {
        QListWidgetItem* item = m_best->item(i);
        if (item->data(Qt::UserRole).toInt() != m_context.selection.plan())
            continue;
        if (!item->isSelected())
            m_best->setCurrentItem(item, QItemSelectionModel::ClearAndSelect);
        return;
    }
    m_best->clearSelection();
}

} // namespace pw
