// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_search.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/export/export_dialog.h"
#include "ui/session/candidates.h"

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace pw {

// What the export dialog offers where a target refuses: the best known plan that it takes, what that costs,
// and a search.

namespace {

// "model llama3-8b: it has ...; recipe: fp16, for ...", as they stand in a sentence.
QString reasonsText(const Error& error) {
    QStringList reasons;
    for (const Error& reason : error.reasons)
        reasons << errorText(reason);
    return reasons.join(QStringLiteral("; "));
}

} // namespace

void ExportDialog::setOffers(const std::vector<Candidate>& plans) {
    m_offers.clear();
    m_offerIds.clear();
    for (const Candidate& candidate : plans)
        if (candidate.problem->hash() == m_problem->hash() && candidate.evaluation.feasible) {
            m_offers.push_back({candidate.plan, candidate.evaluation});
            m_offerIds.push_back(candidate.id);
        }
    showOffer();
    m_costRow = 0;
    m_costPlan = 0;
    m_costing->start();
}

void ExportDialog::offerRenames() {
    m_renames = true;
    showOffer();
}

void ExportDialog::lookForCost() {
    if (m_costRow >= m_targets->count())
        return;
    m_costing->start();
    const auto row = static_cast<std::size_t>(m_costRow);
    const ExporterRow& target = exporterTable()[row];
    if (!target.trainer || target.write == nullptr)
        return nextCost();
    if (m_results[row].refusals.empty())
        return showCost(tr("this one"), {});
    if (m_costPlan == m_offers.size())
        return showCost(QStringLiteral("–"), tr("takes none of the plans here"));
    const auto offer =
        bestRunnable(target, m_chosen[row], *m_problem, {m_offers[m_costPlan]}, m_evaluation.iteration);
    ++m_costPlan;
    if (offer) {
        const QString cost = tr("%1 %").arg(signedText(100.0 * offer->slower, 1));
        showCost(cost, tr("the best plan here that it takes: %1 of time").arg(cost));
    }
}

void ExportDialog::nextCost() {
    ++m_costRow;
    m_costPlan = 0;
}

void ExportDialog::showCost(const QString& cost, const QString& words) {
    QListWidgetItem* item = m_targets->item(m_costRow);
    item->setData(CostRole, cost);
    item->setData(CostWordsRole, words);
    showVerdict(m_costRow);
    nextCost();
}

void ExportDialog::showOffer() {
    m_offered = -1;
    const ExportResult* result = current();
    const bool refused = result && !result->refusals.empty();
    const auto row = static_cast<std::size_t>(std::max(0, m_targets->currentRow()));
    if (refused)
        if (const auto offer = bestRunnable(exporterTable()[row], m_chosen[row], *m_problem, m_offers,
                                            m_evaluation.iteration)) {
            m_offered = static_cast<int>(offer->index);
            m_offer->setText(offer->slower >= 0.0
                                 ? tr("Choose the best plan that it takes instead: %1 % slower")
                                       .arg(100.0 * offer->slower, 0, 'f', 1)
                                 : tr("Choose the best plan that it takes instead: %1 % faster")
                                       .arg(-100.0 * offer->slower, 0, 'f', 1));
        }
    m_offer->setVisible(m_offered >= 0);
    const ExporterRow& target = exporterTable()[row];
    const QString label = QString::fromUtf8(target.label);
    // No search finds other names.
    const bool misnamed =
        refused && m_renames &&
        std::ranges::find(result->refusals, kHostNameRefusal, &Refusal::code) != result->refusals.end();
    m_rename->setVisible(misnamed);
    const bool searched = refused && !misnamed && target.trainer && target.write != nullptr;
    const std::optional<Error> never =
        searched ? neverRuns(*questionFor(m_problem, target).problem, target) : std::nullopt;
    m_search->setVisible(searched && !never);
    // What Enter presses: the blue one.
    (misnamed ? m_rename : searched && !never ? m_search : m_export)->setDefault(true);
    m_search->setText(tr("Search for a plan that %1 can run").arg(label));
    m_never->setVisible(never.has_value());
    m_never->setText(never ? tr("%1 can run no plan of this question, so there is none to search for: %2.")
                                 .arg(label, reasonsText(*never))
                           : QString());
}

} // namespace pw
