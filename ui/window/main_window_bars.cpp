// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"
#include "ui/accuracy/accuracy_bar.h"
#include "ui/base/config_folder.h"
#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/commands/key_sheet.h"
#include "ui/commands/quick_open.h"
#include "ui/commands/shortcut_editor.h"
#include "ui/diagnostics/diagnostics_dialog.h"
#include "ui/export/export_dialog.h"
#include "ui/export/picture.h"
#include "ui/session/plan_order.h"
#include "ui/topology/kind_dialog.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/stray_focus.h"
#include "ui/widgets/value_field.h"
#include "ui/window/about.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"
#include "ui/window/dock_table.h"
#include "ui/window/file_actions.h"
#include "ui/window/key_figures.h"
#include "ui/window/locator.h"
#include "ui/window/main_window.h"
#include "ui/window/perspective_bar.h"
#include "ui/window/status_line.h"

#include <QActionGroup>
#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <QUndoStack>

namespace pw {

// Menus, tool bar and what the commands do: the part of MainWindow that only wires.

void MainWindow::makeMenus() {
    for (const char* name : menuOrder()) {
        // Their first letters differ in English; in a language where two are the same, Alt steps through.
        QMenu* menu = menuBar()->addMenu(QLatin1Char('&') + QCoreApplication::translate("Menus", name));
        menu->setObjectName(QStringLiteral("menu.") + QLatin1String(name));
        m_commands->fill(menu, name);
        menu->menuAction()->setVisible(!menu->isEmpty());
    }
    // A command that waits for something to be chosen says so there.
    menuBar()->findChild<QMenu*>(QStringLiteral("menu.Cluster"))->setToolTipsVisible(true);
    auto* file = menuBar()->findChild<QMenu*>(QStringLiteral("menu.File"));
    auto* recent = new QMenu(tr("Open &recent"), file);
    file->insertMenu(m_commands->action("file.save"), recent);
    const auto fill = [this, recent] { m_files->fillRecent(recent); };
    fill();
    connect(m_files, &FileActions::recentChanged, this, fill);

    auto* view = menuBar()->findChild<QMenu*>(QStringLiteral("menu.View"));
    view->addSeparator(); // the docks follow

    m_title = new QLabel;
    m_title->setObjectName(QStringLiteral("projectTitle"));
    m_title->setContentsMargins(0, 0, 12, 0);
    m_title->setFixedHeight(menuBar()->sizeHint().height());
    m_title->setForegroundRole(QPalette::PlaceholderText);
    menuBar()->setCornerWidget(m_title);
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setFixedHeight(40);
    bar->layout()->setContentsMargins(0, 0, 0, 0);
    // One widget with a layout of its own: a tool bar does not centre widgets of different heights.
    auto* tools = new QWidget;
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(2);
    bar->addWidget(tools);
    const auto addButton = [this, row](const char* id) {
        auto* button = new QToolButton;
        button->setDefaultAction(m_commands->action(id));
        button->setIconSize({16, 16});
        button->setFixedSize(28, 28);
        button->setObjectName(QStringLiteral("toolBar.") + QLatin1String(id));
        nameAfter(button, m_commands->action(id));
        row->addWidget(button);
    };
    const auto addGap = [row] {
        auto* line = new QWidget;
        line->setFixedSize(1, 22);
        line->setAutoFillBackground(true);
        line->setBackgroundRole(QPalette::Mid);
        row->addSpacing(6);
        row->addWidget(line);
        row->addSpacing(6);
    };
    for (const char* id : {"file.new", "file.open", "file.save"})
        addButton(id);
    addGap();
    for (const char* id : {"edit.undo", "edit.redo"})
        addButton(id);
    addGap();
    m_run = new QPushButton(icon(QStringLiteral("run"), IconTone::OnAccent), tr("Run  F5"));
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("toolBar.run"));
    m_run->setAccessibleName(tr("Run search"));
    m_run->setToolTip(m_commands->action("search.run")->toolTip());
    m_stop = new QPushButton(icon(QStringLiteral("stop")), QString());
    m_stop->setObjectName(QStringLiteral("toolBar.stop"));
    m_stop->setAccessibleName(tr("Stop search"));
    m_stop->setToolTip(m_commands->action("search.stop")->toolTip());
    m_pause = new QPushButton(icon(QStringLiteral("pause")), QString());
    m_pause->setCheckable(true);
    m_pause->setObjectName(QStringLiteral("toolBar.pause"));
    m_pause->setAccessibleName(tr("Pause search"));
    m_pause->setToolTip(m_commands->action("search.pause")->toolTip());
    connect(m_pause, &QPushButton::toggled, this, [this](bool on) { // screen readers do not click
        if (on != m_runner.isPaused())
            m_commands->action("search.pause")->trigger();
    });
    connect(m_run, &QPushButton::clicked, m_commands->action("search.run"), &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, m_commands->action("search.stop"), &QAction::trigger);
    row->addWidget(m_run);
    row->addSpacing(4);
    row->addWidget(m_pause);
    row->addSpacing(4);
    row->addWidget(m_stop);
    addGap();
    for (const char* id : {"nav.back", "nav.forward"})
        addButton(id);
    addGap();
    auto* figures = new KeyFigures(m_context);
    connect(figures, &KeyFigures::problemClicked, this, [this](const QString& where) {
        if (QDockWidget* problems = docks().dock(QStringLiteral("problems")))
            docks().reveal(problems);
        m_selection.requestFocus(where); // the view that can mend it comes before that
    });
    connect(figures, &KeyFigures::noPlanClicked, m_commands->action("view.search"), &QAction::trigger);
    m_accuracyBar = new AccuracyBar(m_context);
    row->addWidget(figures, 1);
    row->addWidget(m_accuracyBar, 1);
    row->addStretch();
    m_perspectives = new PerspectiveBar(*m_commands);
    connect(m_perspectives, &PerspectiveBar::chosen, this, &MainWindow::choosePerspective);
    row->addWidget(m_perspectives);
    row->addSpacing(8);
    m_find = new QPushButton(icon(QStringLiteral("find"), IconTone::Text2), tr("Find  Ctrl+K"));
    m_find->setObjectName(QStringLiteral("toolBar.find"));
    m_find->setAccessibleName(tr("Find device, stage, plan, view"));
    m_find->setToolTip(m_commands->action("nav.locate")->toolTip());
    connect(m_find, &QPushButton::clicked, m_commands->action("nav.locate"), &QAction::trigger);
    row->addWidget(m_find);
    m_figures = figures;
}

void MainWindow::bindCommands() {
    Commands& c = *m_commands;
    c.bind("file.new", this, [this] { m_files->newProject(); });
    c.bind("file.open", this, [this] { m_files->openWithDialog(); });
    c.bind("file.save", this, [this] { m_files->save(); });
    c.bind("file.saveAs", this, [this] { m_files->saveAs(); });
    c.bind("file.restore", this, [this] {
        if (const std::vector<LostWork> lost = lostWork(m_document.disk()); !lost.empty())
            restore(lost.front());
    });
    c.bind("file.discardLost", this, [this] {
        for (const LostWork& work : lostWork(m_document.disk()))
            discard(work, m_document.disk());
        offerLostWork();
    });
    for (const char* id : {"file.restore", "file.discardLost"})
        c.action(id)->setEnabled(false); // until work is found
    c.bind("file.import", this, [this] { importFiles({}); });
    c.bind("file.importFolder", this, [this] {
        const QString folder =
            askForFolder(this, QStringLiteral("importFolder"), tr("Import the measurements of a folder"));
        if (!folder.isEmpty())
            importFiles({folder});
    });
    c.bind("accuracy.load", this, [this] { loadRuns(); });
    c.bind("runs.load", this, [this] { layRun(); });
    c.bind("file.published", this, [this] { showPublished(); });
    c.bind("sweep.new", this, [this] { makeSweep(); });
    c.bind("sweep.open", this, [this] { askForSweep(); });
    c.bind("file.close", this, [this] {
        if (!m_files->mayDiscard())
            return;
        m_document.reset();
        projectOpened();
        showStartPage(true);
    });
    c.bind("file.quit", this, [this] { close(); });

    QUndoStack* undo = m_document.undoStack();
    c.bind("edit.undo", undo, [this, undo] {
        m_status->say(tr("Undone: %1.").arg(undo->undoText()));
        undo->undo();
    });
    c.bind("edit.redo", undo, [this, undo] {
        m_status->say(tr("Redone: %1.").arg(undo->redoText()));
        undo->redo();
    });
    const auto follow = [undo, &c, noUndo = c.action("edit.undo")->statusTip(),
                         noRedo = c.action("edit.redo")->statusTip()] {
        c.action("edit.undo")->setEnabled(undo->canUndo());
        c.action("edit.redo")->setEnabled(undo->canRedo());
        c.action("edit.undo")->setText(undo->canUndo() ? tr("&Undo %1").arg(undo->undoText()) : tr("&Undo"));
        c.action("edit.redo")->setText(undo->canRedo() ? tr("&Redo %1").arg(undo->redoText()) : tr("&Redo"));
        // One stack has the edits of cluster, model and plans: whoever is at one of them sees what comes
        // next.
        setHelp(*c.action("edit.undo"),
                undo->canUndo() ? tr("Takes back: %1.").arg(undo->undoText()) : noUndo);
        setHelp(*c.action("edit.redo"),
                undo->canRedo() ? tr("Makes again: %1.").arg(undo->redoText()) : noRedo);
    };
    connect(undo, &QUndoStack::indexChanged, this, follow);
    follow();

    c.bind("nav.back", &m_history, [this] { m_history.back(); });
    c.bind("nav.forward", &m_history, [this] { m_history.forward(); });
    const auto followHistory = [this, &c] {
        c.action("nav.back")->setEnabled(m_history.canGoBack());
        c.action("nav.forward")->setEnabled(m_history.canGoForward());
    };
    connect(&m_history, &History::changed, this, followHistory);
    followHistory();

    c.bind("search.run", this, [this] {
        if (leadToWrongField())
            return;
        m_runner.start();
        if (docks().arrangement().has(QStringLiteral("search")))
            docks().reveal(docks().dock(QStringLiteral("search")));
    });
    c.bind("search.compare", this, [this] {
        if (!leadToWrongField())
            m_tournament.start(m_runner.options(), m_runner.demand());
    });
    c.bind("search.pause", this, [this] {
        m_runner.setPaused(!m_runner.isPaused());
        m_status->say(m_runner.isPaused() ? tr("The search is paused.") : tr("The search goes on."));
    });
    c.bind("search.stop", this, [this] {
        m_runner.stop();
        m_tournament.stop();
        m_improver.stop();
    });
    c.bind("search.improve", this,
           [this] { m_improver.start(m_runner.options().wider, m_runner.demand().target); });
    c.bind("plan.best", this, [this] {
        const auto problem = m_document.problem();
        const Candidate* best = bestPlan(m_candidates, problem);
        if (!best)
            return;
        m_selection.setPlan(best->id);
        if (const QString apart = apartText(*best, problem); !apart.isEmpty())
            m_status->say(apart);
    });
    c.bind("plan.export", this, [this] { exportPlan(); });
    c.bind("plan.compare", this, [this] { comparePlans(); });
    c.bind("plan.compareFile", this, [this] {
        const QString file =
            askForFile(this, QStringLiteral("openedProject"), tr("Compare with the plans of a project"),
                       tr("Pipewright projects (*.pwx)"));
        if (!file.isEmpty())
            compareWith(file);
    });
    c.bind("whatif.keep", this, [this] { m_whatIf.keep(); });
    c.bind("whatif.revert", this, [this] { m_whatIf.revert(); });
    c.bind("plan.previous", this, [this] { stepPlan(-1); });
    c.bind("plan.next", this, [this] { stepPlan(1); });
    const QString keysFile = configFolder() + QStringLiteral("/keys.ini");
    applyKeys(c, loadKeys(keysFile));
    c.bind("help.editKeys", this, [this, keysFile] {
        auto* editor = new ShortcutEditor(*m_commands, keysFile, this);
        editor->setAttribute(Qt::WA_DeleteOnClose);
        editor->open();
    });
    c.bind("help.tour", this, [this] { beginTour(); });
    c.bind("help.palette", this, [this] {
        (new QuickOpen(tr("Commands"), tr("Type a command"), commandEntries(*m_commands), this))->open();
    });
    c.bind("nav.locate", this, [this] {
        std::vector<QuickOpen::Entry> entries = placeEntries(m_context, areaInView());
        for (QuickOpen::Entry& command : commandEntries(*m_commands))
            entries.push_back(std::move(command));
        (new QuickOpen(tr("Find"), tr("Find device, stage, plan, view, setting, command"), std::move(entries),
                       this))
            ->open();
    });
    c.bind("help.keys", this, [this] {
        auto* sheet = new KeySheet(this);
        sheet->setAttribute(Qt::WA_DeleteOnClose);
        sheet->open();
    });
    c.bind("cluster.kinds", this, [this] {
        auto* dialog = new KindDialog(m_document, this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    });
    c.bind("help.diagnostics", this, [this] { showDiagnostics(); });
    c.bind("help.about", this, [this] { showAbout(this); });
}

DiagnosticsDialog& MainWindow::showDiagnostics() {
    if (auto* open = findChild<DiagnosticsDialog*>()) {
        open->raise();
        open->activateWindow();
        return *open;
    }
    auto* dialog = new DiagnosticsDialog(m_log, settingFacts(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show(); // beside the window, whose events it follows
    return *dialog;
}

// What is not taken over would be searched without: the search waits for it.
bool MainWindow::leadToWrongField() {
    const auto lead = [this](QLineEdit* field, const QString& why) {
        for (QWidget* widget = field; widget; widget = widget->parentWidget())
            if (auto* dock = qobject_cast<QDockWidget*>(widget))
                docks().reveal(dock);
        field->setFocus(Qt::OtherFocusReason);
        field->selectAll();
        m_message->setMessage(MessageBar::Tone::Stale, tr("Not run."), why);
        return true;
    };
    for (const ValueField* field : findChildren<ValueField*>())
        if (!field->error().isEmpty() && field->isEnabled())
            return lead(field->edit(), tr("%1: %2").arg(field->edit()->accessibleName(), field->error()));
    if (m_runner.waitsFor().isEmpty())
        return false;
    for (QLineEdit* field : docks().dock(QStringLiteral("search"))->findChildren<QLineEdit*>())
        if (field->property("invalid").toBool())
            return lead(field, m_runner.waitsFor());
    return true; // the panel says why
}

void MainWindow::exportPlan(const QString& format) {
    const Candidate* candidate = m_candidates.find(m_selection.plan());
    if (!candidate)
        return;
    const auto detail = m_candidates.detail(candidate->id);
    if (!detail)
        return;
    const bool ofLastSearch = m_runner.problem() && !Candidates::isStale(*candidate, m_runner.problem());
    const SearchOutcome* outcome = ofLastSearch && m_runner.outcome() ? &*m_runner.outcome() : nullptr;
    ExportDialog dialog(*candidate, detail->evaluation, outcome, this);
    dialog.setWindowModality(Qt::WindowModal); // the manual stays within reach
    dialog.setOffers(m_candidates.all());
    QStringList warnings;
    const PlanPlace place = placeOf(*candidate, m_document.problem());
    if (place == PlanPlace::Elsewhere)
        warnings += apartText(*candidate, m_document.problem());
    if (place == PlanPlace::EarlierState)
        warnings += tr("This plan answers an earlier state of the project: %1 sequences of %2 tokens, on the "
                       "cluster as it was then. Run the search again for what the project says now.")
                        .arg(candidate->problem->recipe().gbs)
                        .arg(candidate->problem->recipe().seq);
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

void MainWindow::bindViewCommands() {
    Commands& c = *m_commands;
    bindRowCommands(c, m_selection);
    auto* themes = new QActionGroup(this);
    const auto offer = [this, &c, themes](const char* id, ThemeMode mode) {
        themes->addAction(c.action(id));
        c.action(id)->setChecked(m_settings.theme == mode);
        c.bind(id, this, [this, mode] { setTheme(mode); });
    };
    for (const ThemeRow& row : themeTable())
        offer(row.command, row.mode);
    offer("view.system", ThemeMode::System);
    auto* sizes = new QActionGroup(this);
    for (const int size : kTextSizes) {
        const std::string id = "view.size" + std::to_string(size);
        sizes->addAction(c.action(id.c_str()));
        c.action(id.c_str())->setChecked(m_settings.textSize == size);
        c.bind(id.c_str(), this, [this, size] { setTextSize(size); });
    }
    c.bind("view.draw", this, [this] { choosePerspective(Perspective::Draw); });
    c.bind("view.look", this, [this] { choosePerspective(Perspective::Look); });
    c.bind("view.compare", this, [this] {
        const bool there = areaInView() == m_docks && perspective() == Perspective::Compare;
        choosePerspective(there ? m_beforeCompare : Perspective::Compare);
    });
    c.bind("view.fullScreen", this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    c.bind("view.accuracy", this, [this] { showAccuracy(!m_inAccuracy); });
    c.bind("view.sweep", this, [this] { showSweep(!m_inSweep); });
    for (const char* name :
         {"topology", "model", "problems", "search", "plans", "stageMap", "timeline", "memory", "details"})
        c.bind(("view." + std::string(name)).c_str(), this, [this, name] {
            if (!m_open)
                return;
            const FocusUntold focus;
            if (m_inAccuracy)
                showAccuracy(false);
            if (m_inSweep)
                showSweep(false);
            QDockWidget* dock = docks().dock(QLatin1String(name));
            docks().reveal(dock);
            focusView(*dock, Qt::ShortcutFocusReason);
        });
    c.bind("view.maximise", this, [this] {
        if (DockArea* area = areaInView())
            area->maximise(qobject_cast<QDockWidget*>(focusedView()));
    });
    c.bind("view.restoreLayout", this, [this] {
        if (DockArea* area = areaInView())
            area->restoreDefault();
    });
    c.bind("view.copyImage", this, [this] { copyPicture(*focusedView()); });
    c.bind("view.savePicture", this, [this] {
        QWidget* view = focusedView();
        askAndSavePicture(view, view->objectName(),
                          [this](const QString& lead, const Error& error) { showError(lead, error); });
    });
}

DockArea* MainWindow::areaInView() const {
    for (DockArea* area : areas())
        if (m_pages->currentWidget()->isAncestorOf(area))
            return area;
    return nullptr;
}

// Words where they fit, else icons: what stands left of them gives way as far as it can.
void MainWindow::resizeEvent(QResizeEvent* event) {
    constexpr int kRoomForWords = 1100, kRoomForFind = 900, kRoomForSteps = 720;
    QMainWindow::resizeEvent(event);
    m_perspectives->setNarrow(width() < kRoomForWords);
    for (const char* id : {"toolBar.nav.back", "toolBar.nav.forward"}) // Alt+Left and Alt+Right
        findChild<QToolButton*>(QLatin1String(id))->setVisible(width() >= kRoomForSteps);
    m_find->setText(width() < kRoomForFind ? QString() : tr("Find  Ctrl+K"));
}

// The dock with the focus, else the window.
QWidget* MainWindow::focusedView() {
    QDockWidget* dock = dockAround(QApplication::focusWidget());
    return dock ? static_cast<QWidget*>(dock) : this;
}

} // namespace pw
