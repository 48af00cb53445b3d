// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_dialog.h"

#include "core/document/plan_file.h"
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/commands/commands.h"
#include "ui/imports/import_job.h"
#include "ui/imports/import_notes.h"
#include "ui/imports/import_questions.h"
#include "ui/imports/source_pane.h"
#include "ui/imports/store_job.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>

#include <algorithm>
#include <set>
#include <utility>

namespace pw {

// What the dialog does; what it looks like is in import_dialog_parts.cpp.

void ImportDialog::read(const QStringList& paths) {
    m_request.paths = paths;
    startReading();
}

void ImportDialog::addFiles(const QStringList& paths) {
    QStringList all = m_request.paths;
    for (const QString& path : paths)
        if (!all.contains(path))
            all << path;
    read(all); // one that is listed may have changed since
}

bool ImportDialog::isBusy() const {
    return m_job->isRunning() || m_storing->isRunning();
}

void ImportDialog::chooseFiles() {
    const QStringList paths =
        askForFiles(this, QStringLiteral("import"), tr("Choose files to import"), {},
                    m_request.paths.isEmpty() ? QString() : QFileInfo(m_request.paths.front()).path());
    if (!paths.isEmpty())
        addFiles(paths);
}

// A folder stands for its files once they are known.
QStringList ImportDialog::shownPaths() const {
    if (!m_reading || m_reading->stopped)
        return m_request.paths;
    QStringList paths;
    for (const ImportedFile& file : m_reading->files)
        paths << file.path;
    return paths;
}

void ImportDialog::removeFiles() {
    QStringList left = shownPaths();
    for (const QModelIndex& row : m_files->selectionModel()->selectedRows())
        left.removeAll(row.data(Qt::ToolTipRole).toString());
    read(left);
}

void ImportDialog::refreshRemoval() {
    const bool any = m_files->selectionModel()->hasSelection();
    m_remove->setEnabled(any);
    m_remove->setToolTip(any ? tr("Takes the selected files out of the list (Del)")
                             : tr("Select the files that shall go"));
}

QStringList ImportDialog::pathsOf(ImportSort sort) const {
    QStringList paths;
    for (const ImportedFile& file : m_reading->files)
        if (file.sort == sort)
            paths << file.path;
    return paths;
}

bool ImportDialog::isMixed() const {
    std::set<ImportSort> sorts;
    for (const ImportedFile& file : m_reading->files)
        if (file.sort)
            sorts.insert(*file.sort);
    return m_reading->refused() && sorts.size() > 1;
}

void ImportDialog::offerOneSort() {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("import.sorts"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& [sort, text] : {std::pair(ImportSort::Machines, tr("Keep the &machines (%1)")),
                                     {ImportSort::Layers, tr("Keep the measured &layers (%1)")},
                                     {ImportSort::Links, tr("Keep the timed lin&ks (%1)")},
                                     {ImportSort::Model, tr("Keep the m&odel (%1)")}})
        if (const QStringList paths = pathsOf(sort); !paths.isEmpty())
            menu->addAction(text.arg(paths.size()), this, [this, paths] { read(paths); });
    const auto* button = m_bar->findChild<QPushButton*>(QStringLiteral("messageBar.action"));
    menu->popup(button->mapToGlobal(button->rect().bottomLeft()));
}

QString ImportDialog::refusedRun() const {
    if (!m_reading || !m_reading->refused() || m_reading->files.size() != 1)
        return {};
    const ImportedFile& only = m_reading->files.front();
    const bool noLayers = std::any_of(m_reading->notes.begin(), m_reading->notes.end(),
                                      [](const Diagnostic& d) { return d.code == "run.layers"; });
    return noLayers ? only.path : QString();
}

// What the bar's button offers.
void ImportDialog::followBar() {
    if (const QString run = refusedRun(); !run.isEmpty()) {
        QDialog::reject();
        Q_EMIT runChosen(run);
    } else if (m_reading && isMixed()) {
        offerOneSort();
    }
}

void ImportDialog::startReading() {
    m_reading.reset();
    m_offer = {};
    m_bar->clear(); // it spoke of what was in the list
    if (m_request.paths.isEmpty()) {
        m_job->stop();
        m_pace->stop();
        showFiles();
        return refreshState();
    }
    m_request.ranks = m_questions->ranks();
    m_request.collective = m_questions->collective();
    const Project& project = *m_app.document.project();
    m_job->start(m_request, m_questions->asModel() && project.model ? &*project.model : nullptr);
    m_pace->start();
    showFiles();
    refreshState();
}

void ImportDialog::showReading(std::shared_ptr<const ImportReading> reading) {
    m_pace->stop();
    m_reading = std::move(reading);
    const Project& present = *m_app.document.project();
    const Result<Project> ground = groundOf(present, *m_reading);
    m_questions->ask(*m_reading, ground ? *ground : present);
    showFiles();
    if (!m_reading->files.empty())
        m_source->showFile(m_reading->files.front().path);
    refreshOffer();
    // The first mistake of a refused file stands in view.
    if (m_reading->refused() && !m_notes->notes().empty())
        showPlace(q(m_notes->notes().front().where));
    focusWhatIsNext();
    if (!m_reading->refused() && !m_reading->stopped) { // what is refused the bar says
        QStringList said{m_heading->text(), m_figures->text(), m_happens->text(), m_state->text()};
        said.removeAll(QString());
        m_announcer->say(said.join(QStringLiteral(" ")));
    }
    Q_EMIT readingShown();
}

// The file was chosen in another window, and what had the focus may be gone: a keyboard stands somewhere.
void ImportDialog::focusWhatIsNext() {
    activateWindow();
    QWidget* next = m_import->isEnabled() ? static_cast<QWidget*>(m_import) : m_notes;
    if (!m_import->isEnabled() && !m_reading->refused()) { // something is asked
        const QList<QWidget*> fields = m_questions->findChildren<QWidget*>();
        const auto first = std::ranges::find_if(fields, [](const QWidget* field) {
            return (field->focusPolicy() & Qt::TabFocus) != 0 && field->isVisible();
        });
        if (first != fields.end())
            next = *first;
    }
    next->setFocus(Qt::OtherFocusReason);
    if (!focusWidget() || !focusWidget()->isVisible())
        focusNextChild();
}

void ImportDialog::refreshOffer() {
    if (!m_reading)
        return;
    m_offer = m_reading->refused() || m_reading->stopped
                  ? ImportOffer{}
                  : offerOf(*m_app.document.project(), *m_reading,
                            {m_questions->answers(), m_questions->items(), m_questions->useInProject(),
                             m_questions->kinds()});
    Diagnostics notes = m_reading->notes;
    append(notes, m_offer.notes);
    m_notes->setNotes(notes);
    m_notes->setVisible(!notes.empty());
    showPreview();
    refreshState();
}

QString ImportDialog::reasonNotReady() const {
    if (m_request.paths.isEmpty())
        return tr("No file is chosen.");
    if (m_job->isRunning())
        return tr("Reading\u2026");
    if (m_storing->isRunning())
        return tr("Storing\u2026");
    if (!m_reading || m_reading->stopped)
        return tr("Stopped; nothing was imported.");
    if (m_reading->refused())
        return tr("Refused; nothing is imported.");
    if (const QString fault = m_questions->fault(); !fault.isEmpty())
        return fault;
    const auto& open = m_offer.notes;
    const auto questions = std::count_if(open.begin(), open.end(), [](const Diagnostic& d) {
        return d.severity == Severity::Error && isQuestion(d);
    });
    if (questions > 0)
        return questions == 1 ? tr("One thing is asked that no file says.")
                              : tr("%1 things are asked that no file says.").arg(questions);
    if (!m_offer.ready())
        return tr("It cannot be put into this project.");
    return {};
}

void ImportDialog::refreshState() {
    const QString reason = reasonNotReady();
    m_import->setEnabled(reason.isEmpty());
    m_state->setText(reason.isEmpty() ? tr("Nothing is changed until you press Import.") : reason);
    m_progress->setVisible(isBusy());
    m_stop->setVisible(isBusy());
    m_pages->setCurrentIndex(m_request.paths.isEmpty() ? 0 : 1);
    m_pages->setEnabled(!m_storing->isRunning()); // what is being taken stays what it is
    if (isBusy()) {
        const double files = std::max(1, static_cast<int>(m_request.paths.size()));
        const double share =
            m_storing->isRunning() ? m_storing->share() : (m_job->file() + m_job->share()) / files;
        m_progress->setRange(0, share > 0 ? 1000 : 0); // no share yet: it only moves
        m_progress->setValue(static_cast<int>(1000 * share));
    }
    if (m_reading && m_reading->refused()) {
        const auto errors = std::count_if(m_reading->notes.begin(), m_reading->notes.end(),
                                          [](const Diagnostic& d) { return d.severity == Severity::Error; });
        if (isMixed())
            m_bar->setMessage(MessageBar::Tone::Error, tr("Refused."),
                              tr("The files are of several sorts; nothing is imported."),
                              tr("Keep one sort\u2026"));
        else if (!refusedRun().isEmpty())
            m_bar->setMessage(MessageBar::Tone::Error, tr("Refused."),
                              tr("The run gives no layer times; it can be held against its plan instead."),
                              tr("Lay it over its plan"));
        else
            m_bar->setMessage(MessageBar::Tone::Error, tr("Refused."),
                              errors == 1 ? tr("One mistake; nothing is imported.")
                                          : tr("%1 mistakes; nothing is imported.").arg(errors));
    }
    m_asked->setVisible(!m_questions->isEmpty());
    m_questions->setVisible(!m_questions->isEmpty());
}

void ImportDialog::showPlace(const QString& where) {
    if (where.startsWith(QLatin1String("--"))) {
        if (QWidget* first = m_questions->findChild<QComboBox*>())
            first->setFocus(Qt::ShortcutFocusReason);
        else
            m_questions->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    if (!m_reading)
        return;
    for (const ImportedFile& file : m_reading->files) {
        if (!where.startsWith(file.path))
            continue;
        m_source->showFile(file.path);
        if (m_source->goTo(where) || m_reading->refused())
            m_tabs->setCurrentWidget(m_source);
        return;
    }
}

void ImportDialog::takeNow() {
    if (!m_reading || !m_import->isEnabled())
        return;
    m_bar->clear();
    if (std::holds_alternative<Project>(m_reading->content)) {
        const QString path = m_reading->files.front().path;
        QDialog::accept();
        Q_EMIT projectChosen(path);
        return;
    }
    if (std::holds_alternative<TrainingLogs>(m_reading->content)) {
        const QStringList logs = shownPaths();
        QDialog::accept();
        Q_EMIT runsChosen(logs);
        return;
    }
    if (m_offer.stores()) {
        m_storing->start(m_storePath, m_offer.stored, m_offer.storedLinks);
        m_pace->start();
        refreshState();
        return; // finish() follows
    }
    finish();
}

void ImportDialog::finish() {
    Document& document = m_app.document;
    if (const auto* file = std::get_if<PlanFile>(&m_reading->content)) {
        const auto present = document.problem();
        if (!present || present->hash() != file->problem->hash()) {
            const Project project =
                projectOfProblem(*file->problem, QFileInfo(m_reading->files.front().path).completeBaseName());
            const PlanFile kept = *file;
            QDialog::accept();
            Q_EMIT projectMade(project, kept.problem, kept.plans);
            return;
        }
        std::vector<FoundPlan> found;
        for (const Plan& plan : file->plans)
            if (Result<Evaluation> evaluation = evaluate(*present, plan))
                found.push_back({plan, *std::move(evaluation)});
        m_app.selection.setPlan(m_app.candidates.add(present, found, tr("imported")));
    } else if (m_offer.edited && !document.apply(*m_offer.edited, m_offer.step)) {
        return; // said by the window
    }
    if (m_offer.plan && document.problem()) {
        const Result<PlacedPlan> placed =
            placePlan(*m_offer.plan, document.problem(), m_reading->files.front().path);
        if (placed)
            m_app.selection.setPlan(
                m_app.candidates.add(placed->problem, {{placed->plan, placed->evaluation}}, tr("imported")));
    }
    const bool measured = !m_offer.stored.empty(), drawn = m_offer.edited && m_offer.cluster;
    QDialog::accept();
    Q_EMIT imported();
    if (drawn) // another drawing is seen whole
        m_app.commands.action("canvas.fit")->trigger();
    if (measured)
        m_app.selection.requestFocus(QStringLiteral("profiles"));
}

void ImportDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!isBusy() && event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void ImportDialog::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    event->acceptProposedAction();
    addFiles(paths);
}

// Esc stops what runs before it closes.
void ImportDialog::reject() {
    if (m_storing->isRunning())
        return m_storing->stop();
    if (m_job->isRunning()) {
        m_job->stop();
        m_pace->stop();
        return refreshState();
    }
    QDialog::reject();
}

} // namespace pw
