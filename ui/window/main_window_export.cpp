// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"
#include "core/cluster/host_name.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/commands/commands.h"
#include "ui/export/export_dialog.h"
#include "ui/session/plan_order.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

#include <QFileInfo>

namespace pw {

// From the plan in view to the files of a trainer.

void MainWindow::exportPlan(const QString& format) {
    const Candidate* candidate = m_candidates.find(m_selection.plan());
    if (!candidate)
        return;
    const auto detail = m_candidates.detail(candidate->id);
    if (!detail)
        return;
    const bool ofLastSearch = m_runner.problem() && !Candidates::isStale(*candidate, m_runner.problem());
    const std::optional<SearchOutcome>& found = m_runner.outcome();
    const SearchOutcome* outcome = ofLastSearch && found ? &*found : nullptr;
    ExportDialog dialog(*candidate, detail->evaluation, outcome, this);
    dialog.setWindowModality(Qt::WindowModal); // the manual stays within reach
    dialog.setOffers(m_candidates.all());
    QStringList warnings;
    if (const QString apart = apartText(*candidate, m_document.problem()); !apart.isEmpty())
        warnings += apart;
    if (const double chance = chanceToFit(*candidate->problem, detail->evaluation);
        detail->evaluation.feasible && chance < kLikelyToFit)
        warnings +=
            tr("Its memory is predicted to fit with a chance of %1 %. Chance to fit, a setting in the Model "
               "view of Draw, asks for plans that are surer.")
                .arg(100.0 * chance, 0, 'f', 0);
    dialog.setProject(QFileInfo(m_document.title()).completeBaseName(), warnings);
    const ExporterRow* asked = m_runner.demand().target; // whoever searched for a trainer exports for it
    if (!format.isEmpty() || asked)
        dialog.selectFormat(format.isEmpty() ? QString::fromUtf8(asked->format) : format);
    connect(&dialog, &ExportDialog::reported, this,
            [this](const QString& folder, const QString& text, bool good) {
                m_log.write(good ? LogLevel::Info : LogLevel::Error, folder,
                            QStringLiteral("export: ") + text);
                m_status->say(text);
            });
    connect(&dialog, &ExportDialog::searchWanted, this, [this](const QString& target) {
        QMetaObject::invokeMethod(
            this, [this, target] { searchToExport(target); }, Qt::QueuedConnection);
    });
    if (std::ranges::any_of(m_document.project()->cluster.nodes,
                            [](const Node& node) { return !isHostName(node.id); }))
        dialog.offerRenames();
    connect(&dialog, &ExportDialog::renameWanted, this, [this](const QString& target) {
        if (m_document.apply(nameForHosts(*m_document.project()), tr("Name nodes as hosts are called")))
            QMetaObject::invokeMethod(
                this, [this, target] { exportPlan(target); }, Qt::QueuedConnection);
    });
    connect(&dialog, &ExportDialog::offerTaken, this, [this](int id, const QString& target) {
        m_selection.setPlan(id);
        QMetaObject::invokeMethod(
            this, [this, target] { exportPlan(target); }, Qt::QueuedConnection);
    });
    dialog.exec();
}

// Whoever wanted files of a trainer that refused the plan goes on where they were: with the best plan that it
// takes, as soon as it is found.
void MainWindow::searchToExport(const QString& format) {
    SearchDemand demand = m_runner.demand();
    demand.target = exporterRow(s(format));
    m_runner.setDemand(demand);
    m_commands->action("search.run")->trigger();
    if (!m_runner.isRunning())
        return; // the panel says why
    m_status->tell(
        tr("Run with is %1 now: searches find what it can run, until another one is chosen in Search.")
            .arg(q(demand.target->label)));
    connect(
        &m_runner, &SearchRunner::finished, this,
        [this, format] {
            if (m_runner.failure() || !m_candidates.find(m_runner.bestId()))
                return; // the panel says why
            m_selection.setPlan(m_runner.bestId());
            QMetaObject::invokeMethod(
                this, [this, format] { exportPlan(format); }, Qt::QueuedConnection);
        },
        Qt::SingleShotConnection);
}

} // namespace pw
