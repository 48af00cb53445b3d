// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/base/config_folder.h"
#include "ui/base/error_text.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/help/help.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plans_view.h"
#include "ui/plans/saved_table.h"
#include "ui/session/plan_order.h"
#include "ui/topology/user_catalogue.h"
#include "ui/widgets/cut_texts.h"
#include "ui/widgets/field_guard.h"
#include "ui/widgets/key_guard.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/stray_focus.h"
#include "ui/window/dialog_focus.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_table.h"
#include "ui/window/file_actions.h"
#include "ui/window/last_view.h"
#include "ui/window/logged_events.h"
#include "ui/window/screen_fit.h"
#include "ui/window/start_page.h"
#include "ui/window/status_line.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_settings(Settings::load()), m_whatIf(m_document, m_candidates, m_selection),
      m_compare(m_document, m_candidates), m_runner(m_document, m_candidates), m_tournament(m_document),
      m_commands(new Commands(this)), m_context{{m_document, m_selection, m_timeRange, m_candidates, m_whatIf,
                                                 m_compare, m_runner, m_tournament, m_planRuns, m_linkTraffic,
                                                 m_givenAnswers, *m_commands},
                                                m_accuracy},
      m_files(new FileActions(m_document, m_settings, this)),
      m_help(new Help(*m_commands, *this, m_settings.manualGeometry)), m_message(new MessageBar),
      m_lost(new MessageBar), m_crashed(new MessageBar), m_pages(new QStackedWidget),
      m_start(new StartPage(*m_commands, m_selection, m_settings)), m_status(new StatusLine(m_context)),
      m_beforeCompare(Perspective::Look) {
    setObjectName(QStringLiteral("mainWindow"));
    dropStrayFocus();
    new FieldGuard(this);
    new KeyGuard(this);
    new DialogFocus(this, [this] { focusFront(); });
    new CutTexts(this);
    new MenuKey(this);
    new WindowFit(this);
    setAcceptDrops(true);
    setMinimumSize(640, 420); // what the tool bar needs; docks that have too little room scroll
    resize(1600, 1000);
    m_pages->addWidget(m_start);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_crashed->setObjectName(QStringLiteral("crashReport"));
    column->addWidget(m_crashed);
    column->addWidget(m_lost);
    column->addWidget(m_pages, 1);
    setCentralWidget(middle);
    setStatusBar(m_status);
    m_message->layOver(m_status); // the foot of the page has the tabs of docks
    makeMenus();
    makeToolBar();
    bindCommands();
    bindViewCommands();
    connectFiles();
    connectState();
    connectRuns();
    logEvents(m_log, m_context, *m_files, m_autosave, m_improver, this);
    logErrors(m_log, *this); // those of docks when these are made
    m_runner.setTrace(&m_log.searches());
    m_tournament.setTrace(&m_log.comparisons());
    m_log.write(LogLevel::Info, QStringLiteral("window"), QStringLiteral("starts: ") + versionLine());
    restoreGeometry(m_settings.geometry);
    fitToScreen(*this); // of a smaller screen than the one it was left on, perhaps
    const QString ownKinds = QDir(configFolder()).filePath(QStringLiteral("devices.json"));
    if (const Status read = UserCatalogue::instance().load(ownKinds); !read)
        showError(tr("Your device kinds were not read."), read.error());
    showStartPage(true);
    refreshTitle();
    refreshRun();
}

MainWindow::~MainWindow() {
    // The views go first: they observe the values that are members here.
    delete takeCentralWidget();
    if (QWidget* focus = focusWidget(); focus && m_message->isAncestorOf(focus))
        focus->clearFocus(); // else the bar hands it on to views that are gone
    setStatusBar(nullptr);
}

void MainWindow::setTheme(ThemeMode mode) {
    m_settings.theme = mode;
    ThemeControl::instance().apply(*qApp, mode);
}

void MainWindow::setTextSize(int percent) {
    m_settings.textSize = percent;
    m_settings.save();
    m_message->setMessage(MessageBar::Tone::Info, tr("Text size."),
                          tr("Text and figures are drawn at %1 % from the next start on.").arg(percent));
}

// Before anything is told of the next project: views would work out what the old plans are in it.
void MainWindow::forgetProject() {
    m_opening = true;
    m_awaitsPlan = false;
    m_whatIf.hold();
    m_runner.forget();
    m_tournament.forget();
    m_improver.forget();
    m_selection.setPlan(-1);
    m_selection.setStage(-1);
    m_selection.setItems({});
    m_selection.setDevice({});
    m_compare.setPlans({});
    m_toCompare.clear();
    m_planRuns.forget();
    m_candidates.clear();
    m_message->clear();
}

void MainWindow::projectOpened() {
    const FocusUntold focus;
    m_opening = false;
    docks(); // its views follow what is restored
    restoreDemand(m_context);
    keepDemand();
    restoreKept(m_context);
    restoreEarlier(m_context);
    m_whatIf.restore();
    restoreSearch(m_context);
    restoreCompared(m_context);
    std::vector<std::shared_ptr<const Problem>> earlier; // of which plans are there
    for (const Candidate& plan : m_candidates.all())
        if (std::ranges::find(earlier, plan.problem) == earlier.end())
            earlier.push_back(plan.problem);
    m_givenAnswers.restore(earlier);
    restoreView(m_context);
    if (const Candidate* best = bestPlan(m_candidates, m_document.problem());
        best && !m_candidates.find(m_selection.plan()))
        m_selection.setPlan(m_candidates.find(m_runner.bestId()) ? m_runner.bestId() : best->id);
    m_history.forget();
    showStartPage(false);
    m_perspectiveChosen = false;
    showPerspective(m_candidates.all().empty() ? Perspective::Draw : Perspective::Look);
    docks().dock(QStringLiteral("topology"))->widget()->setFocus(Qt::OtherFocusReason);
}

// As the file has it.
void MainWindow::keepDemand() {
    m_keptDemand = m_runner.demand();
    m_document.setNewDemand(false);
}

void MainWindow::refreshTitle() {
    const QString name = !m_open                   ? tr("Pipewright")
                         : m_document.isModified() ? tr("%1, modified").arg(m_document.title())
                                                   : m_document.title();
    m_title->setText(name);
    menuBar()->setCornerWidget(m_title); // again: the menu bar asks for its size then only
    setWindowTitle(m_open ? tr("%1[*] - Pipewright").arg(m_document.title()) : tr("Pipewright"));
    setWindowModified(m_open && m_document.isModified());
    setWindowFilePath(m_document.path());
}

void MainWindow::showImproving() {
    if (m_improver.failure())
        return showError(tr("Not improved."), *m_improver.failure());
    m_message->setMessage(MessageBar::Tone::Info, m_improver.isRunning() ? tr("Improving.") : tr("Improve."),
                          m_improver.text());
    m_saidOfEdit = m_improver.isRunning() ? QString() : m_message->accessibleName();
}

void MainWindow::refreshRun() {
    const bool running = m_runner.isRunning() || m_tournament.isRunning() || m_improver.isRunning();
    const bool mayRun =
        m_open && !running && m_document.problem() != nullptr && m_runner.waitsFor().isEmpty();
    m_commands->action("search.run")->setEnabled(mayRun);
    m_commands->action("search.compare")->setEnabled(mayRun);
    m_commands->action("sweep.new")->setEnabled(m_open && m_document.problem() != nullptr);
    m_commands->action("search.improve")->setEnabled(m_open && !running && m_improver.canStart());
    m_commands->action("search.stop")->setEnabled(running);
    m_run->setEnabled(mayRun);
    m_stop->setEnabled(running);
    m_commands->action("search.pause")->setEnabled(m_runner.isRunning());
    m_commands->action("search.pause")->setChecked(m_runner.isPaused());
    m_pause->setEnabled(m_runner.isRunning());
    m_pause->setChecked(m_runner.isPaused());
    for (const char* id : {"file.save", "file.saveAs", "file.close", "plan.best", "plan.previous",
                           "plan.next", "view.draw", "view.look", "view.compare"})
        m_commands->action(id)->setEnabled(m_open);
    m_commands->action("plan.export")->setEnabled(m_open && m_candidates.find(m_selection.plan()));
    m_commands->action("plan.compare")->setEnabled(m_open && m_candidates.all().size() >= 2);
    m_commands->action("plan.compareFile")->setEnabled(m_open);
    m_commands->action("whatif.keep")->setEnabled(m_open && m_whatIf.canKeep());
    m_commands->action("whatif.revert")->setEnabled(m_open && m_whatIf.canRevert());
}

void MainWindow::stepPlan(int by) {
    const std::vector<const Candidate*> all = currentFirst(m_candidates, m_document.problem());
    if (all.empty())
        return;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [this](const Candidate* c) { return c->id == m_selection.plan(); });
    const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    const std::ptrdiff_t index =
        at == all.end() ? 0 : std::clamp<std::ptrdiff_t>(at - all.begin() + by, 0, last);
    m_selection.setPlan(all[static_cast<std::size_t>(index)]->id);
}

void MainWindow::rememberView() {
    if (const Status kept = keepView(m_context); !kept)
        showError(tr("What is selected was not noted."), kept.error());
}

Facts MainWindow::settingFacts() const {
    return pw::settingFacts(m_settings, m_context);
}

void MainWindow::showError(const QString& lead, const Error& error) {
    m_message->setError(lead, error);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_files->mayDiscard()) {
        event->ignore();
        return;
    }
    if (!m_document.isModified())
        rememberView();
    m_settings.geometry = saveGeometry();
    m_settings.manualGeometry = m_help->geometry();
    for (const DockArea* area : areas())
        m_settings.layouts.insert(area->layouts());
    if (const auto* plans = findChild<PlansView*>())
        m_settings.layouts.insert(QLatin1String(kPlanColumns), plans->columns());
    m_settings.save();
    m_log.write(LogLevel::Info, QStringLiteral("window"), QStringLiteral("closes"));
    event->accept();
}

// The key of a command that is off comes as any other: why nothing runs stands in the tool bar, and is said.
void MainWindow::keyPressEvent(QKeyEvent* event) {
    QAction* run = m_commands->action("search.run");
    if (!m_open || run->isEnabled() || !run->shortcuts().contains(QKeySequence(event->keyCombination())))
        return QMainWindow::keyPressEvent(event);
    finishTyping(); // it may be what the run waits for
    if (run->isEnabled())
        return run->trigger();
    QStringList problems = m_runner.waitsFor();
    for (const Diagnostic& d : m_document.diagnostics())
        if (d.severity == Severity::Error)
            problems << errorText(d);
    if (problems.isEmpty()) // one runs
        return QMainWindow::keyPressEvent(event);
    m_status->say(problems.size() == 1 ? tr("Run waits for 1 problem: %1.").arg(problems.front())
                                       : tr("Run waits for %1 problems, the first of which is: %2.")
                                             .arg(QString::number(problems.size()), problems.front()));
}

bool MainWindow::event(QEvent* event) {
    const bool handled = QMainWindow::event(event);
    if (event->type() == QEvent::Paint && !m_seen) {
        m_seen = true;
        fitToScreen(*this); // its frame is known now
        QTimer::singleShot(0, this, &MainWindow::painted);
    }
    return handled;
}

} // namespace pw
