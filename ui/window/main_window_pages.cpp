// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/commands.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/plans_view.h"
#include "ui/session/plan_order.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/message_bar.h" // keep: a bar is a widget, which a forward declaration does not say
#include "ui/widgets/stray_focus.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"
#include "ui/window/logged_events.h"
#include "ui/window/main_window.h"
#include "ui/window/perspective_bar.h"
#include "ui/window/settings.h"
#include "ui/window/start_page.h"
#include "ui/window/status_line.h"
#include "ui/window/tour.h"
#include "ui/window/way_back.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>

#include <optional>
#include <utility>

namespace pw {

// Which page is in view: the start page, or one of the layouts of docks, each made when it is first shown.

void MainWindow::showStartPage(bool on) {
    const FocusUntold focus;
    if (on)
        m_start->refresh();
    m_open = !on;
    m_inAccuracy = m_inSweep = false;
    m_status->setProjectOpen(m_open);
    showPage();
    refreshTitle();
    refreshRun();
}

void MainWindow::beginTour() {
    if (!m_open && !openFile(samplesFolder() + QStringLiteral("/projects/measured-16.pwx")))
        return; // which has been said
    m_inAccuracy = m_inSweep = false;
    showPage();
    if (!m_tour)
        m_tour = new Tour(*m_commands, this);
    m_tour->begin(docks());
}

void MainWindow::showAccuracy(bool on) {
    const FocusUntold focus;
    m_inAccuracy = on;
    m_inSweep = m_inSweep && !on;
    if (on) {
        accuracyDocks();
        if (!m_accuracy.isStarted())
            m_accuracy.start(publishedRunTables());
    } else if (!m_open) {
        m_start->refresh();
    }
    showPage();
    focusFront();
}

void MainWindow::showSweep(bool on) {
    const FocusUntold focus;
    m_inSweep = on;
    m_inAccuracy = m_inAccuracy && !on;
    if (on)
        sweepDocks().dock(QStringLiteral("sweepHeat"))->widget()->setFocus();
    else if (!m_open)
        m_start->refresh();
    showPage();
}

DockArea& MainWindow::made(DockArea*& area, const DockLayout& layout, const QString& name) {
    if (area)
        return *area;
    area = new DockArea(m_context, layout);
    area->setAccessibleName(name);
    connect(area, &DockArea::newsArrived, m_status, &StatusLine::say);
    area->restoreLayouts(m_settings.layouts);
    if (auto* plans = area->findChild<PlansView*>())
        plans->restoreColumns(m_settings.layouts.value(QLatin1String(kPlanColumns)));
    auto* page = new QScrollArea; // where the screen has less room than the docks need
    page->setObjectName(QLatin1String(layout.name) + QStringLiteral(".page"));
    page->setFrameShape(QFrame::NoFrame);
    page->setWidgetResizable(true);
    page->setFocusPolicy(Qt::NoFocus);
    page->setWidget(area);
    m_pages->addWidget(page);
    logErrors(m_log, *area);
    QMenu* shown = shownViews();
    for (QDockWidget* dock : area->docks())
        shown->addAction(dock->toggleViewAction());
    return *area;
}

// A menu of its own: with some twenty of them View would be higher than a small screen.
QMenu* MainWindow::shownViews() {
    auto* view = menuBar()->findChild<QMenu*>(QStringLiteral("menu.View"));
    auto* shown = view->findChild<QMenu*>(QStringLiteral("menu.View.shown"));
    if (!shown) {
        shown = view->addMenu(tr("Shown &views"));
        shown->setObjectName(QStringLiteral("menu.View.shown"));
    }
    return shown;
}

DockArea& MainWindow::docks() {
    const bool first = !m_docks;
    DockArea& area = made(m_docks, planningLayout(), tr("Planning"));
    if (first) {
        connect(&area, &DockArea::arrangedAs, this, &MainWindow::showPage);
        new WayBack(area.docks(), m_selection, &area);
    }
    return area;
}

DockArea& MainWindow::accuracyDocks() {
    return made(m_accuracyDocks, accuracyLayout(), tr("Accuracy"));
}

DockArea& MainWindow::sweepDocks() {
    return made(m_sweepDocks, sweepLayout(), tr("Sweep"));
}

std::vector<DockArea*> MainWindow::areas() const {
    std::vector<DockArea*> all;
    for (DockArea* area : {m_docks, m_accuracyDocks, m_sweepDocks})
        if (area)
            all.push_back(area);
    return all;
}

void MainWindow::showPerspective(Perspective perspective) {
    if (!m_open)
        return;
    m_inAccuracy = m_inSweep = false;
    docks().arrange(static_cast<int>(perspective));
    showPage();
}

Perspective MainWindow::perspective() {
    return static_cast<Perspective>(docks().arranged());
}

void MainWindow::choosePerspective(Perspective perspective) {
    constexpr const char* kFirst[] = {"topology", "timeline", "compare"}; // has the focus
    const FocusUntold focus;
    m_perspectiveChosen = true;
    // Rows that were compared already may have got company by hand since.
    if (const std::vector<int> ids = chosenPlans();
        perspective == Perspective::Compare && ids.size() >= CompareSet::kLeast &&
        ids.size() <= CompareSet::kMost &&
        (ids != m_toCompare || m_compare.lanes().size() < CompareSet::kLeast)) {
        m_toCompare = ids;
        m_compare.setPlans(ids);
    }
    showPerspective(perspective);
    docks().dock(QLatin1String(kFirst[static_cast<int>(perspective)]))->widget()->setFocus();
}

// Who draws and gets a first plan wants to see it, unless he has said where he wants to be.
void MainWindow::followPlans() {
    const bool has = !m_candidates.all().empty();
    const bool had = std::exchange(m_hadPlans, has);
    if (!has || had || !m_open || m_perspectiveChosen || perspective() != Perspective::Draw)
        return;
    const QWidget* focused = focusWidget();
    const FocusUntold untold;
    docks().arrange(static_cast<int>(Perspective::Look));
    if (!focused || !isInSight(*focused))
        docks().dock(QStringLiteral("plans"))->widget()->setFocus();
}

bool MainWindow::hasGoneElsewhere() const {
    const QWidget* now = focusWidget();
    return now && m_focusAtStart && now != m_focusAtStart &&
           !m_docks->dock(QStringLiteral("plans"))->isAncestorOf(now);
}

void MainWindow::showProperties() {
    if (!m_open || !m_docks || perspective() != Perspective::Draw)
        return;
    QDockWidget *search = docks().dock(QStringLiteral("search")),
                *properties = docks().dock(QStringLiteral("properties"));
    if (docks().tabifiedDockWidgets(search).contains(properties) && isInSight(*search) &&
        !search->isAncestorOf(QApplication::focusWidget()))
        docks().toFront(properties);
}

// The rows that stand chosen in the table.
std::vector<int> MainWindow::chosenPlans() {
    std::vector<int> ids;
    if (const auto* table = docks().findChild<QTableView*>(QStringLiteral("plans.table")))
        for (const QModelIndex& row : table->selectionModel()->selectedRows())
            ids.push_back(row.data(PlanTableModel::IdRole).toInt());
    return ids;
}

void MainWindow::comparePlans() {
    std::vector<int> ids = m_toCompare = chosenPlans();
    const Candidate* current = m_candidates.find(m_selection.plan());
    if (ids.size() < CompareSet::kLeast && current) {
        ids = {current->id};
        if (const Candidate* other = comparedWith(m_candidates, *current, m_document.problem()))
            ids.insert(ids.begin(), other->id); // the base of the comparison
    }
    const FocusUntold focus;
    m_compare.setPlans(ids);
    showPerspective(Perspective::Compare);
    docks().dock(QStringLiteral("compare"))->widget()->setFocus();
}

void MainWindow::focusFront() {
    if (const DockArea* area = areaInView()) {
        for (const DockPlace& place : area->arrangement().places)
            if (QDockWidget* dock = area->dock(QLatin1String(place.name)); isInSight(*dock))
                return focusView(*dock, Qt::OtherFocusReason);
    } else if (QWidget* first = nextInSight(*this, true)) {
        first->setFocus(Qt::OtherFocusReason);
    }
}

// The dock of the page in view that the part lies in, closed or not; null: none.
QDockWidget* MainWindow::dockAround(const QWidget* part) const {
    const DockArea* area = areaInView();
    for (QDockWidget* dock : area ? area->docks() : QList<QDockWidget*>())
        if (part && dock->isAncestorOf(part))
            return dock;
    return nullptr;
}

// Qt asks for what comes next also when what has the focus is hidden or turned off, as a bar is by its own
// button. On a page that would be a strange control, which the next Enter presses: the view goes on instead.
bool MainWindow::focusNextPrevChild(bool next) {
    const QWidget* const gone = focusWidget();
    if (gone && !(gone->isVisible() && gone->isEnabled()) &&
        (m_pages->parentWidget()->isAncestorOf(gone) || m_message->isAncestorOf(gone))) {
        if (QDockWidget* dock = dockAround(gone); dock && isInSight(*dock))
            focusView(*dock, Qt::OtherFocusReason);
        else
            focusFront();
        if (focusWidget() != gone)
            return true;
    }
    QWidget* to = nextInSight(*this, next);
    if (to)
        to->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    return to != nullptr;
}

void MainWindow::showPage() {
    DockArea* page = m_inAccuracy ? &accuracyDocks()
                     : m_inSweep  ? &sweepDocks()
                     : m_open     ? &docks()
                                  : nullptr;
    m_pages->setCurrentWidget(page ? page->parentWidget()->parentWidget() : m_start); // its scroll area
    m_figures->setVisible(m_open && !m_inAccuracy && !m_inSweep);
    m_accuracyBar->setVisible(m_inAccuracy);
    m_status->setInAccuracy(m_inAccuracy);
    m_commands->action("view.accuracy")->setChecked(m_inAccuracy);
    m_commands->action("view.sweep")->setChecked(m_inSweep);
    const bool planning = page && page == m_docks;
    if (m_tour && !planning)
        m_tour->end();
    const std::optional<Perspective> shown = planning ? std::optional(perspective()) : std::nullopt;
    for (const auto& [id, which] : {std::pair("view.draw", Perspective::Draw),
                                    {"view.look", Perspective::Look},
                                    {"view.compare", Perspective::Compare}})
        m_commands->action(id)->setChecked(shown == which);
    if (shown && shown != Perspective::Compare)
        m_beforeCompare = *shown;
    m_perspectives->setShown(shown);
    m_perspectives->setVisible(m_open);
    for (const DockArea* area : areas())
        for (QDockWidget* dock : area->docks())
            dock->toggleViewAction()->setVisible(area == page);
}

} // namespace pw
