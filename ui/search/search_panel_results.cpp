// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_search.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/manual_link.h"
#include "ui/search/rejection_bar.h"
#include "ui/search/search_panel.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/name_list.h"

#include <QLabel>
#include <QListWidget>
#include <QSignalBlocker>

#include <algorithm>
#include <optional>

namespace pw {

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
    m_notes[0]->setText(
        !best    ? QString()
        : beaten ? tr("%1; %2 is faster").arg(planTitle(*best).toLower(), planTitle(*known).toLower())
                 : planTitle(*best).toLower());
    m_values[0]->setToolTip(beaten ? tr("Of this search. Of all plans known %1 is the fastest: %2")
                                         .arg(planTitle(*known).toLower(), markedIteration(known->evaluation))
                                   : tr("Of this search"));
    m_values[1]->setText(hasBound ? iterationText(p.bound) : tr("none"));
    const auto& outcome = runner.outcome();
    const bool anyShape = outcome && outcome->bound.scope.family == ProofScope::Family::AnyShape;
    m_notes[1]->setText(!hasBound ? QString() : anyShape ? tr("any shape of plan") : tr("over the Space"));
    m_values[2]->setText(hasBest && hasBound ? shareText(p.best / p.bound - 1.0) : tr("none"));
    const bool proven = outcome && outcome->status == SearchStatus::Optimal;
    m_notes[2]->setText(!hasBest ? QString() : proven ? tr("proven optimal") : tr("not proven optimal"));
    if (outcome)
        m_values[1]->setToolTip(
            tr("Proven for: %1 (%2)").arg(q(outcome->bound.scope.text()), q(outcome->bound.kind)));
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
    const QSignalBlocker quietly(m_best);
    m_best->clear();
    const std::vector<int>& found = m_context.runner.found();
    for (auto id = found.rbegin(); id != found.rend(); ++id) {
        const Candidate* candidate = m_context.candidates.find(*id);
        if (!candidate)
            continue;
        auto* item =
            new QListWidgetItem(QStringLiteral("%1   %2   %3")
                                    .arg(planTitle(*candidate), markedIteration(candidate->evaluation),
                                         planSummary(candidate->plan)),
                                m_best);
        item->setData(Qt::UserRole, *id);
        item->setSizeHint({0, 22});
        if (*id == m_context.selection.plan())
            m_best->setCurrentItem(item);
    }
    m_best->setFixedHeight(22 * std::clamp(m_best->count(), 1, 3));
    m_best->setVisible(m_best->count() > 0);
}

} // namespace pw
