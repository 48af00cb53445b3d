// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/commands/commands.h"
#include "ui/diagnostics/diagnostics_dialog.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/saved_table.h"
#include "ui/runs/plan_runs_view.h"
#include "ui/session/plan_order.h"
#include "ui/sweep/sweep_study.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/stray_focus.h"
#include "ui/window/dock_area.h"
#include "ui/window/file_actions.h"
#include "ui/window/last_view.h"
#include "ui/window/main_window.h"
#include "ui/window/start_page.h"
#include "ui/window/status_line.h"

#include <utility>

namespace pw {

// What the window does as files, the project and the planners say that they have changed.

void MainWindow::connectFiles() {
    connect(m_files, &FileActions::opened, this, [this] {
        projectOpened();
        m_status->say(tr("%1 is open.").arg(m_document.title()));
    });
    connect(m_files, &FileActions::reading, this, [this](const QString& name) {
        if (name.isEmpty())
            m_status->clearMessage();
        else
            m_status->showMessage(tr("Reading %1...").arg(name));
    });
    m_document.setCompletion([this](const Project& project) {
        SavedTable saved = withTable(m_context, project);
        m_leftOut = saved.leftOut;
        return std::move(saved.project);
    });
    connect(m_files, &FileActions::saved, this, [this] {
        keepDemand();
        rememberView();
        if (m_leftOut > 0)
            m_message->setMessage(MessageBar::Tone::Info, tr("Saved."),
                                  tr("A project keeps the fastest %1 plans of the table as far as they take "
                                     "no more than %2 MiB; %3 slower ones are not in the file. Pinned plans "
                                     "always are.")
                                      .arg(SavedTable::kMostPlans)
                                      .arg(SavedTable::kMostBytes >> 20U)
                                      .arg(m_leftOut));
        else
            m_status->say(tr("%1 is saved.").arg(m_document.title()));
    });
    connect(m_files, &FileActions::recentChanged, m_start, &StartPage::refresh);
    connect(m_files, &FileActions::chosen, this, [this](const QString& path) { takeIn({path}); });
    connect(m_files, &FileActions::failed, this, &MainWindow::showError);
    connect(m_start, &StartPage::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(m_start, &StartPage::templateRequested, m_files, &FileActions::adopt);
    connect(m_start, &StartPage::refused, this,
            [this](const Error& error) { showError(tr("Refused."), error); });
    connect(m_start, &StartPage::clearRecentRequested, m_files, &FileActions::clearRecent);
    connect(m_start, &StartPage::forgetRecentRequested, m_files, &FileActions::forgetRecent,
            Qt::QueuedConnection); // the card goes
    m_autosave.setPlanInView([this] {
        const Candidate* plan = m_candidates.find(m_selection.plan());
        return plan ? plan->name : QString();
    });
    m_autosave.setCompletion([this, entries = PlanEntries()](const Project& project) mutable {
        return withWork(m_context, project, entries);
    });
    connect(&m_givenAnswers, &GivenAnswers::added, &m_autosave, &Autosave::changed);
    connect(&m_autosave, &Autosave::failed, this,
            [this](const Error& why) { showError(tr("Unsaved work is not kept."), why); });
    connect(m_lost, &MessageBar::actionClicked, m_commands->action("file.restore"), &QAction::trigger);
    connect(m_crashed, &MessageBar::actionClicked, this, [this] {
        m_crashed->clear();
        showDiagnostics().showCrashes();
    });
}

void MainWindow::connectState() {
    connect(&m_accuracy, &AccuracyStudy::openRequested, this, &MainWindow::openRun);
    connect(&SweepStudy::of(m_document), &SweepStudy::planMade, this, &MainWindow::openTask);
    connect(&m_document, &Document::failed, this, [this](const Error& error) {
        showError(tr("Refused."), error);
        m_saidOfEdit = m_message->accessibleName();
    });
    // The plan was only mended where the node was; a search may do better, and answers what a failure means.
    connect(
        &m_whatIf, &WhatIf::nodeDropped, this,
        [this](const QString& node, const QString& plan, const QString& reason) {
            const QString search = tr("Search without %1").arg(node);
            if (reason.isEmpty())
                m_message->setMessage(
                    MessageBar::Tone::Info, tr("Without %1.").arg(node),
                    tr("Only what %1 held has moved. A search without it may find a faster plan.").arg(node),
                    search);
            else
                m_message->setMessage(
                    MessageBar::Tone::Stale, tr("%1 does not fit.").arg(plan),
                    tr("%1 Only what %2 held has moved: a search without it may find one that fits.")
                        .arg(sentence(reason), node),
                    search);
            m_saidOfEdit = m_message->accessibleName();
            m_doneWithout = node;
        });
    connect(m_message, &MessageBar::actionClicked, this, [this] {
        const std::string node = s(std::exchange(m_doneWithout, {}));
        if (node.empty() ||
            !m_document.apply(leaveOut(*m_document.project(), {node}, true), tr("Leave out %1").arg(q(node))))
            return;
        m_commands->action("search.run")->trigger();
    });
    const auto forgetEdit = [this] {
        if (const QString said = std::exchange(m_saidOfEdit, {});
            !said.isEmpty() && m_message->accessibleName() == said)
            m_message->clear();
    };
    connect(&m_document, &Document::changed, this, forgetEdit);
    connect(&m_runner, &SearchRunner::started, this, forgetEdit);
    connect(&m_planRuns, &PlanRuns::reading, m_message, [this](bool going) {
        if (going)
            m_message->clear();
    });
    connect(&m_planRuns, &PlanRuns::failed, this, [this](const Error& error) {
        const auto* view = m_docks ? m_docks->findChild<PlanRunsView*>() : nullptr;
        if (!view || !isInSight(*view))
            showError(PlanRuns::failedLead(), error);
    });
    const auto toProject = [this] { // where the plan runs are
        if (m_open && (m_inAccuracy || m_inSweep))
            showStartPage(false);
    };
    connect(&m_planRuns, &PlanRuns::loaded, this, toProject);
    connect(&m_planRuns, &PlanRuns::offered, this, toProject);
    connect(&m_document, &Document::replaced, this, &MainWindow::forgetProject);
    connect(&m_document, &Document::changed, this, &MainWindow::refreshRun);
    connect(&m_document, &Document::changed, this, [this] {
        followNames(m_context);
        if (m_open && !m_opening && restoreKept(m_context)) {
            m_whatIf.restore();
            restoreSearch(m_context);
            m_givenAnswers.restore();
            if (!m_candidates.find(m_selection.plan()))
                restoreView(m_context);
        }
        followPins(m_context);
        followNotes(m_context);
        lookAtWhatAnswers();
    });
    connect(&m_selection, &Selection::itemsChanged, this, [this, had = false]() mutable {
        const bool has = !m_selection.items().isEmpty();
        if (!std::exchange(had, has) && has)
            showProperties();
    });
    connect(&m_document, &Document::modifiedChanged, this, &MainWindow::refreshTitle);
    connect(&m_document, &Document::pathChanged, this, &MainWindow::refreshTitle);
    connect(&m_document, &Document::pathChanged, this, &MainWindow::lockProject);
    connect(&m_selection, &Selection::planChanged, this, &MainWindow::refreshRun);
    connect(&m_candidates, &Candidates::changed, this, &MainWindow::refreshRun);
    connect(&m_candidates, &Candidates::changed, this, &MainWindow::followPlans);
    connect(&m_whatIf, &WhatIf::followed, this, &MainWindow::refreshRun);
    connect(&m_whatIf, &WhatIf::kept, this, [this](const QString& plan) {
        m_message->setMessage(
            MessageBar::Tone::Info, tr("Added."),
            tr("%1 is pinned in Plans and stays in the project; the next edit makes another plan.")
                .arg(plan));
    });
}

// An edit, or its undo, that asks another question of which plans are known: one of these is looked at, and
// no longer what answers the question before.
void MainWindow::lookAtWhatAnswers() {
    const auto problem = m_document.problem();
    const std::string hash = problem ? problem->hash() : std::string();
    if (std::exchange(m_lastQuestion, hash) == hash || !m_open || m_opening)
        return;
    m_givenAnswers.restore();
    const Candidate* shown = m_candidates.find(m_selection.plan());
    const Candidate* best = shown && isEarlier(*shown, problem) ? bestPlan(m_candidates, problem) : nullptr;
    if (best && placeOf(*best, problem) == PlanPlace::Own)
        m_selection.setPlan(best->id);
}

void MainWindow::connectRuns() {
    connect(&m_runner, &SearchRunner::started, this, &MainWindow::refreshRun);
    connect(&m_runner, &SearchRunner::finished, this, &MainWindow::refreshRun);
    connect(&m_runner, &SearchRunner::pausedChanged, this, &MainWindow::refreshRun);
    connect(&m_runner, &SearchRunner::waitsForChanged, this, &MainWindow::refreshRun);
    connect(&m_runner, &SearchRunner::demandChanged, this, [this] {
        m_document.setNewDemand(m_open && m_runner.demand() != m_keptDemand);
        m_autosave.changed();
    });
    for (const auto& changed : {&Improver::started, &Improver::progressed, &Improver::finished})
        connect(&m_improver, changed, this, &MainWindow::showImproving);
    connect(&m_improver, &Improver::started, this, &MainWindow::refreshRun);
    connect(&m_improver, &Improver::finished, this, &MainWindow::refreshRun);
    connect(&m_tournament, &TournamentRunner::started, this, &MainWindow::refreshRun);
    connect(&m_tournament, &TournamentRunner::finished, this, &MainWindow::refreshRun);
    connect(&m_tournament, &TournamentRunner::forgotten, this, &MainWindow::refreshRun);
    connect(&m_runner, &SearchRunner::finished, this, [this] {
        if (m_runner.found().empty())
            return;
        m_document.setNewPlans(true);
        m_autosave.changed(); // others may have been before
    });
    connect(&m_runner, &SearchRunner::started, this, [this] { m_awaitsPlan = true; });
    // Queued: the button that began it has lost the focus by then, as it is off.
    connect(
        &m_runner, &SearchRunner::started, this, [this] { m_focusAtStart = focusWidget(); },
        Qt::QueuedConnection);
    connect(&m_runner, &SearchRunner::bestFound, this, [this](int id) {
        const FocusUntold focus;
        if (std::exchange(m_awaitsPlan, false) && !hasGoneElsewhere()) // what was asked for is there
            docks().toFront(docks().dock(QStringLiteral("plans")));
        if (!m_candidates.find(m_selection.plan()) && m_candidates.find(id))
            m_selection.setPlan(id);
    });
}

} // namespace pw
