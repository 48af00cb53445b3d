// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_panel.h"

#include "core/base/parallel.h"
#include "core/sweep/expansion.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/session/document.h"
#include "ui/sweep/slurm_fields.h"
#include "ui/sweep/sweep_pages.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_words.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <cmath>

namespace pw {

namespace {

constexpr int kBarParts = 1000;
constexpr int kMostListed = 200; // failures

QLabel* quietLabel() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

SweepPanel::SweepPanel(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_study(SweepStudy::of(context.document)), m_message(new MessageBar),
      m_path(new ElidedLabel), m_name(new ElidedLabel), m_counts(quietLabel()), m_left(quietLabel()),
      m_slurmNote(quietLabel()), m_bar(new QProgressBar), m_processes(new QSpinBox),
      m_run(makeButton("sweep.run", QStringLiteral("run"), tr("Run here"),
                       tr("Works off what is open on this machine"))),
      m_stop(makeButton("sweep.stop", QStringLiteral("stop"), tr("Stop"), tr("Ends it; results stay"))),
      m_submit(makeButton("sweep.submit", QStringLiteral("export"), tr("Submit"),
                          tr("Submits what is open to Slurm, as job arrays"))),
      m_cancel(makeButton("sweep.cancel", QStringLiteral("close"), tr("Cancel"),
                          tr("Cancels what is queued on Slurm; results stay"))),
      m_slurmOptions(makeButton("sweep.slurmOptions", QStringLiteral("sliders"), tr("Options"),
                                tr("Shows what is told to Slurm: partition, time, how it is reached"))),
      m_retry(makeButton("sweep.retry", QStringLiteral("undo"), tr("Try again"),
                         tr("Works off what is open on this machine, the failed tasks too"))),
      m_openPlan(makeButton("sweep.openPlan", QStringLiteral("next"), tr("Open its plan"), QString())),
      m_slurm(new SlurmFields), m_failedCount(new QLabel), m_failed(new QListWidget), m_task(new QLabel),
      m_figures(quietLabel()) {
    setObjectName(QStringLiteral("sweepPanel"));
    setAccessibleName(tr("Sweep"));
    auto* room = new QScrollArea; // failures and figures may need more than there is
    room->setFrameShape(QFrame::NoFrame);
    room->setWidgetResizable(true);
    room->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    room->setFocusPolicy(Qt::NoFocus);
    room->setWidget(makeContent());
    room->viewport()->setAutoFillBackground(false);
    buildSweepPages(*this, context, room, nullptr, false);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_message);
    SweepStudy& study = m_study;
    context.commands.attach("sweep", this);
    connect(m_run, &QPushButton::clicked, this,
            [this, &study] { m_program.run(study.path(), m_processes->value(), false); });
    connect(m_retry, &QPushButton::clicked, this,
            [this, &study] { m_program.run(study.path(), m_processes->value(), true); });
    connect(m_stop, &QPushButton::clicked, &m_program, &SweepProgram::stop);
    connect(m_submit, &QPushButton::clicked, this, [this, &study] {
        m_slurm->write(study.path());
        m_program.submit(study.path(), m_slurm->words());
    });
    connect(m_cancel, &QPushButton::clicked, this,
            [this, &study] { m_program.cancel(study.path(), m_slurm->through()); });
    connect(m_slurmOptions, &QPushButton::toggled, m_slurm, &QWidget::setVisible);
    connect(m_slurm, &SlurmFields::changed, this, &SweepPanel::refreshEngines);
    connect(m_openPlan, &QPushButton::clicked, this,
            [&study] { study.isMakingPlan() ? study.stopPlan() : study.requestPlan(); });
    connect(m_failed, &QListWidget::currentRowChanged, this, [this, &study](int row) {
        if (const QListWidgetItem* item = m_failed->item(row))
            study.setChosen(item->data(Qt::UserRole).toInt());
    });
    connect(&m_program, &SweepProgram::started, this, [this] {
        if (m_message->text() != m_trouble)
            m_message->clear(); // of the run before
        refreshEngines();
    });
    connect(&m_program, &SweepProgram::ended, this, &SweepPanel::ended);
    connect(&study, &SweepStudy::opened, this, [this, &study] {
        m_message->clear();
        if (study.isOpen())
            m_slurm->read(study.path());
        refresh();
    });
    connect(&study, &SweepStudy::changed, this, &SweepPanel::refresh);
    connect(&study, &SweepStudy::chosenChanged, this, &SweepPanel::refreshChosen);
    connect(&study, &SweepStudy::planProgress, this, &SweepPanel::refreshChosen);
    connect(&study, &SweepStudy::failed, this,
            [this](const QString& lead, const Error& error) { m_message->setError(lead, error); });
    if (study.isOpen())
        m_slurm->read(study.path());
    refresh();
}

QPushButton* SweepPanel::makeButton(const char* name, const QString& iconName, const QString& text,
                                    const QString& help) {
    auto* button = new QPushButton(icon(iconName, IconTone::Text2), text);
    button->setObjectName(QLatin1String(name));
    button->setAccessibleName(text);
    button->setToolTip(help);
    button->setFixedHeight(24);
    return button;
}

QWidget* SweepPanel::makeContent() {
    m_name->setFont(headingFont());
    m_name->setObjectName(QStringLiteral("sweep.name"));
    m_name->setTextFormat(Qt::PlainText);
    m_path->setForegroundRole(QPalette::PlaceholderText);
    m_counts->setObjectName(QStringLiteral("sweep.counts"));
    m_left->setObjectName(QStringLiteral("sweep.left"));
    m_bar->setObjectName(QStringLiteral("sweep.progress"));
    m_bar->setAccessibleName(tr("Tasks with a result"));
    m_bar->setTextVisible(false);
    m_bar->setMaximum(kBarParts);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addWidget(m_name);
    column->addWidget(m_path);
    column->addWidget(m_bar);
    column->addWidget(m_counts);
    column->addWidget(m_left);
    column->addWidget(makeEngines());
    column->addWidget(makeChosen());
    column->addWidget(makeFailures(), 1);
    column->addStretch();
    content->setFocusProxy(m_run);
    return content;
}

QWidget* SweepPanel::makeEngines() {
    constexpr std::size_t kMost = 1024;
    const auto cores = static_cast<int>(threadsFor(kMost, 0));
    m_processes->setObjectName(QStringLiteral("sweep.processes"));
    m_processes->setAccessibleName(tr("Processes at a time"));
    m_processes->setToolTip(tr("Processes at a time, each with one core"));
    m_processes->setRange(1, std::max(1, cores));
    m_processes->setValue(std::max(1, cores - 1)); // one stays with the window
    m_processes->setFixedSize(56, 24);
    m_slurmNote->setObjectName(QStringLiteral("sweep.slurmNote"));
    m_slurmNote->setText(tr(
        "Slurm is not on this machine (no sbatch). Say under Options how it is reached, or submit the same "
        "folder on its login node: pipewright-cli sweep run DIR --on slurm"));
    m_slurmOptions->setCheckable(true);
    m_slurm->hide();
    auto* engines = new QWidget;
    auto* column = new QVBoxLayout(engines);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(6);
    const auto row = [column](std::initializer_list<QWidget*> widgets) {
        auto* line = new QHBoxLayout;
        line->setSpacing(6);
        for (QWidget* widget : widgets)
            line->addWidget(widget);
        line->addStretch();
        column->addLayout(line);
    };
    row({m_run, m_processes, m_stop});
    row({m_submit, m_cancel, m_slurmOptions});
    column->addWidget(m_slurm);
    column->addWidget(m_slurmNote);
    return engines;
}

QWidget* SweepPanel::makeChosen() {
    m_task->setObjectName(QStringLiteral("sweep.task"));
    m_task->setTextFormat(Qt::PlainText);
    m_task->setWordWrap(true);
    m_figures->setObjectName(QStringLiteral("sweep.taskFigures"));
    m_figures->setTextFormat(Qt::PlainText);
    auto* chosen = new QWidget;
    auto* column = new QVBoxLayout(chosen);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_task);
    column->addWidget(m_figures);
    column->addWidget(m_openPlan, 0, Qt::AlignLeft);
    return chosen;
}

QWidget* SweepPanel::makeFailures() {
    m_failed->setObjectName(QStringLiteral("sweep.failed"));
    m_failed->setAccessibleName(tr("Failed tasks"));
    m_failed->setFrameShape(QFrame::NoFrame);
    m_failed->setWordWrap(true);
    m_failed->setResizeMode(QListView::Adjust);
    m_failed->setTextElideMode(Qt::ElideNone);
    m_failed->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    offerRowMenu(m_failed, "failed tasks", m_context.commands);
    m_failures = new QWidget;
    auto* column = new QVBoxLayout(m_failures);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->addWidget(m_failedCount);
    head->addStretch();
    head->addWidget(m_retry);
    column->addLayout(head);
    column->addWidget(m_failed, 1);
    return m_failures;
}

void SweepPanel::refresh() {
    const SweepStudy& study = m_study;
    if (study.isOpen()) {
        const SweepStatus& status = study.status();
        m_name->setText(q(study.sweep().name));
        m_path->setText(study.path());
        m_bar->setValue(static_cast<int>(kBarParts * status.done / std::max<std::size_t>(1, status.tasks)));
        QString counts =
            tr("%1 of %2 tasks have a result, %3 of them no plan")
                .arg(numberText(status.done), numberText(status.tasks), numberText(status.infeasible));
        counts +=
            QLatin1Char('\n') + tr("%1 begun, %2 failed") // a line of its own: the buttons stay in place
                                    .arg(numberText(status.begun), numberText(status.failed.size()));
        m_counts->setText(counts);
        refreshTrouble();
    }
    refreshEngines();
    refreshFailures();
    refreshChosen();
}

// What goes on being wrong with the folder: told when it begins, and taken back when it is over.
void SweepPanel::refreshTrouble() {
    const SweepStudy& study = m_study;
    QString lead;
    Error trouble;
    if (study.isGone()) {
        lead = tr("The folder is gone.");
        trouble = failure("sweep.folder", s(study.path()),
                          "is no longer there; its results are followed again "
                          "once it is back");
    } else if (!study.damage().empty()) {
        lead = tr("Results are damaged.");
        trouble = study.damage().front();
        if (const std::string folder = s(study.path()) + '/'; trouble.where.starts_with(folder))
            trouble.where.erase(0, folder.size()); // it stands above, and what is wrong has room
    }
    const QString told = lead.isEmpty() ? QString() : errorText(trouble);
    if (told == m_trouble)
        return;
    if (!lead.isEmpty())
        m_message->setError(lead, trouble);
    else if (m_message->text() == m_trouble)
        m_message->clear();
    m_trouble = told;
}

void SweepPanel::refreshEngines() {
    const SweepStudy& study = m_study;
    const bool running = m_program.isRunning();
    const bool open =
        study.isOpen() && study.status().done + study.status().failed.size() < study.status().tasks;
    const bool mayStart = study.isOpen() && !running && !study.isGone();
    const bool here = running && m_program.task() == SweepProgram::Task::Run;
    m_run->setEnabled(mayStart && open);
    m_stop->setEnabled(here);
    m_processes->setEnabled(!here);
    m_retry->setEnabled(mayStart);
    const bool slurm = SweepProgram::hasSlurm() || !m_slurm->through().isEmpty();
    const bool wasSubmitted = QFileInfo::exists(study.path() + QStringLiteral("/jobs.jsonl"));
    m_submit->setEnabled(mayStart && open && slurm);
    m_cancel->setEnabled(mayStart && slurm && wasSubmitted);
    m_slurmNote->setVisible(!slurm && open);
    if (!study.isOpen())
        return;
    const double seconds = study.status().left;
    m_left->setVisible((open || study.isReading()) && !study.isGone());
    if (study.isReading())
        m_left->setText(tr("More results are being read."));
    else if (here && m_program.folder() == study.path())
        m_left->setText(tr("Runs here, processes: %1; some %2 are left.")
                            .arg(m_program.processes())
                            .arg(q(roughTime(seconds / m_program.processes()))));
    else
        m_left->setText(tr("Some %1 of one core are left.").arg(q(roughTime(seconds))));
}

void SweepPanel::refreshFailures() {
    const SweepStudy& study = m_study;
    const std::vector<FailedTask>& failed = study.status().failed;
    m_failures->setVisible(!failed.empty());
    m_failedCount->setText(tr("%1 failed").arg(numberText(failed.size())));
    const int row = m_failed->currentRow();
    const QSignalBlocker blocker(m_failed);
    m_failed->clear();
    for (const FailedTask& task : failed) {
        if (m_failed->count() == kMostListed)
            break;
        const QString why =
            task.log.empty() ? tr("begun %1 times without a result, and nothing was printed").arg(task.begins)
                             : q(task.log);
        auto* item = new QListWidgetItem(tr("Task %1: %2\n%3")
                                             .arg(task.task)
                                             .arg(taskText(study.sweep(), study.tasks()[task.task].at), why));
        item->setData(Qt::UserRole, static_cast<int>(task.task));
        item->setToolTip(q(task.attempt));
        m_failed->addItem(item);
    }
    m_failed->setCurrentRow(std::min(row, m_failed->count() - 1));
}

void SweepPanel::refreshChosen() {
    const SweepStudy& study = m_study;
    const bool is = study.chosen() >= 0;
    m_task->parentWidget()->setVisible(is);
    if (!is)
        return;
    const auto task = static_cast<std::size_t>(study.chosen());
    const SweepRow& row = study.rows()[task];
    m_task->setText(tr("Task %1: %2").arg(task).arg(taskText(study.sweep(), study.tasks()[task].at)));
    QStringList lines;
    for (const SweepFigureRow& figure : sweepFigureTable())
        if (const double value = row.figure(figure.figure); !std::isnan(value))
            lines << QStringLiteral("%1: %2").arg(figureName(figure.figure),
                                                  figureCell(figure.figure, value));
    if (!row.stages.empty())
        lines << tr("GPUs a stage: %1").arg(q(row.stages));
    if (row.standing != TaskStanding::Plan)
        lines << sentence(standingText(row.standing));
    if (!row.reason.empty())
        lines << q(row.reason);
    m_figures->setText(lines.join(QLatin1Char('\n')));
    const bool making = study.isMakingPlan();
    m_openPlan->setVisible(row.standing == TaskStanding::Plan);
    m_openPlan->setText(making ? tr("Stop opening") : tr("Open its plan"));
    m_openPlan->setAccessibleName(m_openPlan->text());
    m_openPlan->setToolTip(m_context.commands.action("sweep.openPlan")->toolTip());
}

void SweepPanel::ended(const QString& said, const std::optional<Error>& error) {
    if (error)
        m_message->setError(m_program.task() == SweepProgram::Task::Run      ? tr("The run ended.")
                            : m_program.task() == SweepProgram::Task::Submit ? tr("Not submitted.")
                                                                             : tr("Not cancelled."),
                            *error);
    else if (!said.isEmpty())
        m_message->setMessage(MessageBar::Tone::Info, tr("Done."), said);
    m_study.look();
    refreshEngines();
}

} // namespace pw
