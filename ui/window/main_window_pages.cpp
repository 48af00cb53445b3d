// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/commands.h"
#include "ui/plans/plan_table_model.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"
#include "ui/window/main_window.h"
#include "ui/window/start_page.h"
#include "ui/window/status_line.h"

#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>

namespace pw {

// Which page is in view: the start page, or one of the layouts of docks, each made when it is first shown.

void MainWindow::showStartPage(bool on) {
    if (on)
        m_start->refresh();
    m_open = !on;
    m_inAccuracy = m_inCompare = m_inSweep = false;
    m_status->setProjectOpen(m_open);
    showPage();
    refreshTitle();
    refreshRun();
}

void MainWindow::showAccuracy(bool on) {
    m_inAccuracy = on;
    m_inCompare = m_inCompare && !on;
    m_inSweep = m_inSweep && !on;
    if (on) {
        accuracyDocks();
        if (!m_accuracy.isStarted())
            m_accuracy.start(publishedRunTables());
    } else if (!m_open) {
        m_start->refresh();
    }
    showPage();
}

void MainWindow::showSweep(bool on) {
    m_inSweep = on;
    m_inAccuracy = m_inAccuracy && !on;
    m_inCompare = m_inCompare && !on;
    if (on)
        sweepDocks().dock(QStringLiteral("sweepHeat"))->widget()->setFocus();
    else if (!m_open)
        m_start->refresh();
    showPage();
}

DockArea& MainWindow::made(DockArea*& area, const DockLayout& layout, const QString& name,
                           const QByteArray& asLeft) {
    if (area)
        return *area;
    area = new DockArea(m_context, layout);
    area->setAccessibleName(name);
    if (!asLeft.isEmpty())
        area->restoreLayout(asLeft);
    auto* page = new QScrollArea; // where the screen has less room than the docks need
    page->setObjectName(QLatin1String(layout.name) + QStringLiteral(".page"));
    page->setFrameShape(QFrame::NoFrame);
    page->setWidgetResizable(true);
    page->setFocusPolicy(Qt::NoFocus);
    page->setWidget(area);
    m_pages->addWidget(page);
    logErrors(m_log, *area);
    auto* view = menuBar()->findChild<QMenu*>(QStringLiteral("menu.View"));
    for (QDockWidget* dock : area->docks())
        view->addAction(dock->toggleViewAction());
    return *area;
}

DockArea& MainWindow::docks() {
    return made(m_docks, planningLayout(), tr("Planning"), m_settings.layout);
}

DockArea& MainWindow::compareDocks() {
    return made(m_compareDocks, compareLayout(), tr("Compare"), m_settings.compareLayout);
}

DockArea& MainWindow::accuracyDocks() {
    return made(m_accuracyDocks, accuracyLayout(), tr("Accuracy"), m_settings.accuracyLayout);
}

DockArea& MainWindow::sweepDocks() {
    return made(m_sweepDocks, sweepLayout(), tr("Sweep"), m_settings.sweepLayout);
}

std::vector<DockArea*> MainWindow::areas() const {
    std::vector<DockArea*> all;
    for (DockArea* area : {m_docks, m_compareDocks, m_accuracyDocks, m_sweepDocks})
        if (area)
            all.push_back(area);
    return all;
}

void MainWindow::showCompare(bool on) {
    m_inCompare = on && m_open;
    m_inAccuracy = m_inAccuracy && !on;
    m_inSweep = m_inSweep && !on;
    if (m_inCompare)
        compareDocks().dock(QStringLiteral("compare"))->widget()->setFocus();
    showPage();
}

void MainWindow::comparePlans() {
    std::vector<int> ids;
    if (const auto* table = docks().findChild<QTableView*>(QStringLiteral("plans.table")))
        for (const QModelIndex& row : table->selectionModel()->selectedRows())
            ids.push_back(row.data(PlanTableModel::IdRole).toInt());
    const Candidate* current = m_candidates.find(m_selection.plan());
    if (ids.size() < CompareSet::kLeast && current) {
        const Candidate* other = m_candidates.baseOf(*current);
        if (!other)
            other = m_candidates.bestLike(*current);
        for (const Candidate& candidate : m_candidates.all())
            if (!other || other->id == current->id)
                other = candidate.id == current->id ? nullptr : &candidate;
        ids = {current->id};
        if (other)
            ids.insert(ids.begin(), other->id); // the base of the comparison
    }
    m_compare.setPlans(ids);
    showCompare(true);
}

void MainWindow::showPage() {
    DockArea* page = m_inAccuracy  ? &accuracyDocks()
                     : m_inSweep   ? &sweepDocks()
                     : m_inCompare ? &compareDocks()
                     : m_open      ? &docks()
                                   : nullptr;
    m_pages->setCurrentWidget(page ? page->parentWidget()->parentWidget() : m_start); // its scroll area
    m_figures->setVisible(m_open && !m_inAccuracy && !m_inSweep);
    m_accuracyBar->setVisible(m_inAccuracy);
    m_status->setInAccuracy(m_inAccuracy);
    m_commands->action("view.accuracy")->setChecked(m_inAccuracy);
    m_commands->action("view.sweep")->setChecked(m_inSweep);
    m_commands->action("view.compare")->setChecked(m_inCompare);
    for (const DockArea* area : areas())
        for (QDockWidget* dock : area->docks())
            dock->toggleViewAction()->setVisible(area == page);
}

} // namespace pw
