// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/calibrate/own_runs.h"
#include "core/calibrate/training_log.h"
#include "core/exchange/imports/measurements/run_record.h"
#include "core/formats/source.h"
#include "ui/accuracy/run_detail.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/commands/commands.h"
#include "ui/compare/other_project.h"
#include "ui/imports/file_kinds.h"
#include "ui/imports/import_dialog.h"
#include "ui/imports/import_offer.h"
#include "ui/profiles/profiles_panel.h"
#include "ui/published/published_dialog.h"
#include "ui/sweep/new_sweep_dialog.h"
#include "ui/sweep/sweep_study.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dock_table.h"
#include "ui/window/file_actions.h"
#include "ui/window/last_view.h"
#include "ui/window/logged_events.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

#include <QDateTime>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLocale>
#include <QMimeData>
#include <QTimer>

#include <algorithm>

namespace pw {

// What comes into the window from outside: files, drops, and work that a crash has left.

namespace {

// run.json of the runner, which names its schema first.
bool isRun(const QString& path) {
    const Result<std::string> head = readHead(s(path));
    return head && recogniseRun(*head, s(path));
}

// Training logs that show it in their beginning; of others the import says it, which reads all of a file.
bool isTrainingLog(const QString& path) {
    const Result<std::string> head = readHead(s(path));
    return head && !trainerOfLog(*head).empty();
}

// One rank's log of a run that prints into a file a rank: rank 0's with the arguments and no step, or that of
// a rank that ran out of memory before the first.
bool isPartOfLog(const QString& path) {
    const Result<std::string> head = readHead(s(path));
    return head && (listsArguments(*head) || saysOutOfMemory(*head));
}

bool isTableOfRuns(const QString& path) {
    const Result<std::string> head = readHead(s(path));
    return head && isRunTable(*head);
}

} // namespace

bool MainWindow::openFile(const QString& path) {
    if (isSweepFolder(path)) {
        openSweep(path);
        return true;
    }
    // A file that is not there, or no project inside, is said where projects are opened.
    if (isProjectFile(path) || !QFileInfo::exists(path))
        return m_files->open(path);
    takeFiles({path});
    return true;
}

void MainWindow::takeIn(const QStringList& paths) {
    if (paths.size() > 1)
        takeFiles(paths);
    else if (!isProjectFile(paths.front()) || m_files->mayDiscard())
        openFile(paths.front());
}

void MainWindow::takeFiles(const QStringList& paths) {
    QStringList others, logs;
    for (const QString& path : paths)
        if (m_open && isRun(path))
            layRun(path);
        else if (isTrainingLog(path))
            logs << path;
        else if (isTableOfRuns(path))
            loadRuns({path});
        else
            others << path;
    if (!logs.isEmpty()) {
        const auto rest = std::stable_partition(others.begin(), others.end(),
                                                [](const QString& path) { return !isPartOfLog(path); });
        logs.append(QStringList(rest, others.end()));
        others.erase(rest, others.end());
        loadRuns(logs);
    }
    if (!others.isEmpty())
        importFiles(others);
}

void MainWindow::importFiles(const QStringList& paths) {
    auto* dialog = new ImportDialog(m_context, profileStorePath(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::imported, this, [this] {
        m_log.write(LogLevel::Info, QStringLiteral("import"), QStringLiteral("taken over"));
        if (!m_open)
            showStartPage(false);
    });
    connect(dialog, &ImportDialog::projectChosen, this, [this](const QString& path) {
        if (m_files->mayDiscard())
            m_files->open(path);
    });
    connect(dialog, &ImportDialog::projectMade, this, &MainWindow::openPlans);
    connect(dialog, &ImportDialog::runsChosen, this, &MainWindow::loadRuns);
    connect(dialog, &ImportDialog::runChosen, this, [this](const QString& path) {
        if (!m_open)
            showStartPage(false);
        layRun(path);
    });
    connect(dialog, &ImportDialog::readingShown, this,
            [this, dialog] { logReading(m_log, *dialog->reading()); });
    logErrors(m_log, *dialog);
    if (!paths.isEmpty())
        dialog->read(paths);
    dialog->open();
}

// The question that the plans answer becomes a project of its own.
bool MainWindow::openPlans(const Project& project, const std::shared_ptr<const Problem>& problem,
                           const std::vector<Plan>& plans) {
    if (!m_files->adopt(project))
        return false;
    std::vector<FoundPlan> found;
    for (const Plan& plan : plans)
        if (Result<Evaluation> evaluation = evaluate(*problem, plan))
            found.push_back({plan, *std::move(evaluation)});
    m_selection.setPlan(m_candidates.add(problem, found, tr("imported")));
    return true;
}

// One for the window's life: what it has predicted stays.
void MainWindow::showPublished() {
    auto* dialog = findChild<PublishedDialog*>();
    if (!dialog) {
        dialog = new PublishedDialog(this);
        logErrors(m_log, *dialog);
        connect(dialog, &PublishedDialog::openRequested, this, [this](const PublishedProject& chosen) {
            if (openPlans(chosen.project, chosen.problem, chosen.plans))
                m_runner.presetOptions(chosen.options);
        });
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty() || !urls.first().isLocalFile())
        return;
    QStringList paths;
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            paths << url.toLocalFile();
    event->acceptProposedAction();
    // The question about unsaved work must not hold up the program that the file was dragged from.
    QTimer::singleShot(0, this, [this, paths] { takeIn(paths); });
}

void MainWindow::loadRuns(QStringList paths) {
    showAccuracy(true);
    if (paths.isEmpty())
        paths = askForFiles(this, QStringLiteral("runs"), tr("Load measured runs"),
                            tr("Training logs and tables of runs (*.log *.txt *.out *.csv);;All files (*)"));
    if (paths.isEmpty())
        return;
    for (const QString& path : paths)
        m_log.write(LogLevel::Info, path, QStringLiteral("read as measured runs"));
    m_accuracy.loadFiles(paths);
}

void MainWindow::layRun(QString path) {
    if (path.isEmpty())
        path = askForFile(this, QStringLiteral("runs"), tr("Lay a run over its plan"),
                          tr("Runs (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    m_log.write(LogLevel::Info, path, QStringLiteral("read as a run"));
    m_planRuns.load(path);
}

// The run becomes a project of its own, with its plan as the current one.
void MainWindow::openRun(RunRef run) {
    const RunRow* row = m_accuracy.row(run);
    if (!row)
        return;
    const auto judged = [&]() -> Result<std::pair<RunCase, Evaluation>> {
        Result<RunCase> made = runCase(*row, {}, m_accuracy.source(run.source)->layers);
        if (!made)
            return made.error();
        Result<Evaluation> evaluation = evaluate(*made->problem, made->plan);
        if (!evaluation)
            return evaluation.error();
        return std::pair(*std::move(made), *std::move(evaluation));
    }();
    if (!judged)
        return showError(tr("%1 was not opened.").arg(q(row->rowId)), judged.error());
    if (!m_files->adopt(projectOfRun(judged->first, row->rowId)))
        return;
    const int id =
        m_candidates.add(judged->first.problem, {{judged->first.plan, judged->second}}, tr("measured"));
    QStringList assumed;
    for (const std::string& assumption : judged->first.assumptions)
        assumed << q(assumption);
    m_candidates.setNote(id,
                         assumed.isEmpty()
                             ? q(row->source)
                             : tr("%1; assumed: %2").arg(q(row->source), assumed.join(QStringLiteral("; "))));
    m_selection.setPlan(id);
}

void MainWindow::openSweep(const QString& folder) {
    showSweep(true);
    SweepStudy::of(m_document).open(folder);
}

void MainWindow::askForSweep() {
    const QString folder =
        askForFolder(this, QStringLiteral("sweep"), tr("Open a sweep"), SweepStudy::of(m_document).path());
    if (!folder.isEmpty())
        openSweep(folder);
}

void MainWindow::makeSweep() {
    auto* dialog = new NewSweepDialog(m_context, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewSweepDialog::made, this, &MainWindow::openSweep);
    logErrors(m_log, *dialog);
    dialog->open();
}

// The task's question becomes a project of its own.
void MainWindow::openTask(const PlanFile& plans, const QString& name) {
    openPlans(projectOfProblem(*plans.problem, name), plans.problem, plans.plans);
}

bool MainWindow::compareWith(const QString& file) {
    const Result<std::vector<int>> others = addPlansOf(m_context, file);
    if (!others) {
        showError(tr("%1 was not compared.").arg(QFileInfo(file).fileName()), others.error());
        return false;
    }
    std::vector<int> ids;
    if (m_candidates.find(m_selection.plan()))
        ids.push_back(m_selection.plan()); // the base
    ids.insert(ids.end(), others->begin(), others->end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    ids.resize(std::min(ids.size(), CompareSet::kLeast));
    m_compare.setPlans(ids);
    showPerspective(Perspective::Compare);
    return true;
}

void MainWindow::offerLostWork() {
    const std::vector<LostWork> lost = lostWork(m_document.disk());
    m_commands->action("file.restore")->setEnabled(!lost.empty());
    m_commands->action("file.discardLost")->setEnabled(!lost.empty());
    if (lost.empty())
        return m_lost->clear();
    const QDateTime when = QDateTime::fromString(lost.front().when, Qt::ISODate).toLocalTime();
    const QString name =
        lost.front().project.isEmpty() ? tr("a new project") : QFileInfo(lost.front().project).fileName();
    m_lost->setMessage(
        MessageBar::Tone::Info, tr("Unsaved work was found."),
        lost.size() == 1 ? tr("%1, last edited %2.").arg(name, QLocale().toString(when, QLocale::ShortFormat))
                         : tr("%1, last edited %2, and %3 more.")
                               .arg(name, QLocale().toString(when, QLocale::ShortFormat))
                               .arg(lost.size() - 1),
        tr("Restore"));
}

void MainWindow::offerCrashReport() {
    const std::vector<CrashReport> fresh = unofferedCrashReports(s(m_log.crashFolder()));
    if (fresh.empty())
        return;
    const QString end = q(fresh.front().end);
    m_crashed->setMessage(
        MessageBar::Tone::Info, tr("Pipewright broke down last time."),
        fresh.size() == 1 ? end : tr("%1, and %2 more.").arg(end, QString::number(fresh.size() - 1)),
        tr("Show"));
}

bool MainWindow::restore(const LostWork& work) {
    const Result<std::string> text = readFile(s(work.file));
    const std::size_t head = text ? text->find('\n') : std::string::npos;
    if (head == std::string::npos) {
        showError(tr("The unsaved work was not restored."),
                  text ? badInput("autosave.empty", s(work.file), wordingOf(tr("The file holds no work.")))
                       : text.error());
        return false;
    }
    Diagnostics notes;
    Result<Project> project = readProject(text->substr(head + 1), s(work.file), &notes);
    if (!project) {
        showError(tr("The unsaved work was not restored."), project.error());
        return false;
    }
    if (!m_files->mayDiscard())
        return false;
    m_document.adopt(*std::move(project), work.project, std::move(notes));
    m_document.undoStack()->resetClean(); // the file does not have it yet
    projectOpened();
    showPlan(m_context, work.plan); // else what was in view when the file was saved
    m_history.forget();
    m_autosave.flush();
    discard(work, m_document.disk());
    offerLostWork();
    m_status->say(tr("%1 is restored as it was last edited; it is not saved yet.").arg(m_document.title()));
    return true;
}

// Two programs on one file: who opens it later is told, and who saves over the other's work is asked.
void MainWindow::lockProject() {
    if (!m_lock.take(m_document.path()))
        m_message->setMessage(
            MessageBar::Tone::Stale, tr("%1 is open elsewhere.").arg(m_document.title()),
            tr("It is edited by %1. Saving here asks first where the file has changed by then.")
                .arg(m_lock.owner()));
}

} // namespace pw
