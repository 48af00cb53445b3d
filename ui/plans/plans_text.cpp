// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plans_text.h"

#include "ui/base/convert.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plans_view.h"
#include "ui/problems/fixes.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/search_runner.h"
#include "ui/widgets/empty_state.h"

#include <QRegularExpression>

#include <algorithm>

namespace pw {

QString shownText(int shown, int all, bool brushed, bool filtered) {
    if (all == 0)
        return {};
    if (brushed)
        return PlansView::tr("%1 of %2 shown, brushed").arg(shown).arg(all);
    if (filtered || shown == all)
        return PlansView::tr("%1 of %2 shown").arg(shown).arg(all);
    return all - shown == 1
               ? PlansView::tr("%1 of %2 shown, 1 near tie folded").arg(shown).arg(all)
               : PlansView::tr("%1 of %2 shown, %3 near ties folded").arg(shown).arg(all).arg(all - shown);
}

bool noPlanFits(const AppContext& context) {
    const auto problem = context.document.problem();
    const auto& outcome = context.runner.outcome();
    return problem && outcome && outcome->status == SearchStatus::Infeasible &&
           context.runner.problem()->hash() == problem->hash();
}

QString foundText(const AppContext& context) {
    const auto& outcome = context.runner.outcome();
    if (!outcome || outcome->plans.empty())
        return {};
    const auto best = static_cast<int>(outcome->plans.size()),
               besides = static_cast<int>(outcome->differing.size());
    if (besides == 0)
        return PlansView::tr("Best plans of the last search: %1.").arg(best);
    return PlansView::tr(
               "Best plans of the last search: %1. Plans that it met besides and that differ from the "
               "fastest: "
               "%2.")
        .arg(best)
        .arg(besides);
}

QString waitingText(const AppContext& context) {
    const int waiting = waitingPlans(context);
    if (waiting == 0)
        return {};
    if (!context.document.problem())
        return waiting == 1
                   ? PlansView::tr("1 kept plan waits for the problems to be solved; Problems lists them.")
                   : PlansView::tr("%1 kept plans wait for the problems to be solved; Problems lists them.")
                         .arg(waiting);
    return waiting == 1
               ? PlansView::tr("1 kept plan is of other settings, and is shown again once cluster, model and "
                               "settings are as they were for it.")
               : PlansView::tr("%1 kept plans are of other settings, and are shown again once cluster, model "
                               "and settings are as they were for them.")
                     .arg(waiting);
}

QString staleText(const AppContext& context) {
    const auto problem = context.document.problem();
    const auto& plans = context.candidates.all();
    const auto stale =
        std::ranges::count_if(plans, [&](const Candidate& c) { return isEarlier(c, problem); });
    if (stale == 0)
        return {};
    return stale == std::ssize(plans) ? PlansView::tr("These plans answer an earlier state of the project.")
           : stale == 1
               ? PlansView::tr("1 of these plans answers an earlier state of the project.")
               : PlansView::tr("%1 of these plans answer an earlier state of the project.").arg(stale);
}

bool anyAnswers(const AppContext& context) {
    const auto problem = context.document.problem();
    return std::ranges::any_of(context.candidates.all(),
                               [&](const Candidate& c) { return !Candidates::isStale(c, problem); });
}

QString elsewhereText(const AppContext& context) {
    const auto problem = context.document.problem();
    QStringList files;
    int count = 0;
    for (const Candidate& candidate : context.candidates.all()) {
        if (placeOf(candidate, problem) != PlanPlace::Elsewhere)
            continue;
        ++count;
        if (!files.contains(candidate.origin))
            files << candidate.origin;
    }
    const QString from = files.join(QStringLiteral(", "));
    return count == 0 ? QString()
           : count == 1
               ? PlansView::tr("1 of these plans came with %1 and answers another question.").arg(from)
               : PlansView::tr("%1 of these plans came with %2 and answer another question.")
                     .arg(QString::number(count), from);
}

void sayWhyNoPlans(EmptyState& page, const AppContext& context) {
    const QString waiting = waitingText(context);
    const bool running = context.runner.isRunning();
    const bool complete = context.document.problem() != nullptr;
    const QString name = q(context.document.project()->name);
    const bool infeasible = noPlanFits(context);
    page.setText(running                          ? PlansView::tr("Searching")
                 : infeasible                     ? PlansView::tr("No plan fits")
                 : !waiting.isEmpty() && complete ? PlansView::tr("No plans of these settings")
                                                  : PlansView::tr("No plans yet"),
                 running              ? PlansView::tr("The first plan appears here as soon as one fits.")
                 : infeasible         ? context.runner.endText()
                 : !waiting.isEmpty() ? waiting
                 : complete           ? (name.isEmpty() ? PlansView::tr("The problem is complete.")
                                                        : PlansView::tr("The problem is complete: %1.").arg(name))
                                      : PlansView::tr(
                                            "A cluster and a model are needed first; Problems lists what is missing."));
    const std::optional<Fix> fix = infeasible ? fixOfMemory(*context.document.project()) : std::nullopt;
    page.setButton(!complete || running ? QString()
                   : fix                ? PlansView::tr("%1, and run").arg(fix->text)
                                        : PlansView::tr("Run  F5"),
                   QStringLiteral("run"), true);
}

void sayWhyNoneShown(EmptyState& page, int all, const QString& filter) {
    page.setText(PlansView::tr("0 of %1 shown").arg(all),
                 filter.isEmpty() ? PlansView::tr("No plan lies in the brushed range of the plots.")
                 : filter.contains(QRegularExpression(QStringLiteral("[<>=]")))
                     ? PlansView::tr("No plan matches \u201c%1\u201d. Shares and memory are in %, tokens in "
                                     "thousands.")
                           .arg(filter)
                     : PlansView::tr("No plan matches \u201c%1\u201d.").arg(filter));
    page.setButton(filter.isEmpty() ? PlansView::tr("Clear brush") : PlansView::tr("Clear filter"),
                   QStringLiteral("close"));
}

} // namespace pw
