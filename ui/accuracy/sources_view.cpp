// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/sources_view.h"

#include "ui/accuracy/accuracy_delegate.h"
#include "ui/accuracy/logged_machine_dialog.h"
#include "ui/accuracy/plan_of_log.h"
#include "ui/accuracy/source_table_model.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/message_bar.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

const FigureColumns kSourceColumns = {
    {SourceTableModel::Mark, 26},   {SourceTableModel::Source, 120}, {SourceTableModel::Runs, 50},
    {SourceTableModel::Median, 60}, {SourceTableModel::Spread, 46},  {SourceTableModel::P90, 58},
    {SourceTableModel::Bias, 66},   {SourceTableModel::Order, 60},   {SourceTableModel::Memory, 64},
    {SourceTableModel::Fits, 70},   {SourceTableModel::Refused, 66},
};
// What a narrow table gives up first.
const std::vector<int> kSourceHideOrder = {SourceTableModel::Refused, SourceTableModel::Fits,
                                           SourceTableModel::Order, SourceTableModel::Spread};

} // namespace

SourcesView::SourcesView(AccuracyContext& context, QWidget* parent)
    : View(parent), m_context(context), m_model(new SourceTableModel(context.accuracy, this)),
      m_sorted(new QSortFilterProxyModel(this)), m_message(new MessageBar), m_pages(new QStackedWidget),
      m_table(new QTableView), m_empty(new EmptyState(QStringLiteral("chart"))) {
    setObjectName(QStringLiteral("accuracySourcesView"));
    setAccessibleName(tr("Sources"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    makeTable();
    makeTools();
    makeProgress();
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(m_pages, 1);
    column->addWidget(m_progress);
    setFocusProxy(m_table);
    AccuracyStudy& study = context.accuracy;
    connect(m_empty, &EmptyState::clicked, context.commands.action("accuracy.load"), &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, this,
            [&study] { study.isRunning() ? study.stop() : study.resume(); });
    connect(&study, &AccuracyStudy::changed, this, &SourcesView::refresh);
    connect(&study, &AccuracyStudy::progressed, this, &SourcesView::refresh);
    connect(&study, &AccuracyStudy::chosenChanged, this, &SourcesView::showChosen);
    connect(&study, &AccuracyStudy::failed, this, [this](const QString& lead, const Error& error) {
        Q_EMIT raiseRequested();
        m_message->setError(lead, error);
    });
    connect(&study, &AccuracyStudy::machineAsked, this, &SourcesView::askMachine);
    refresh();
}

void SourcesView::makeTable() {
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(AccuracySortRole);
    m_sorted->setDynamicSortFilter(true);
    m_table->setObjectName(QStringLiteral("accuracy.sources"));
    m_table->setAccessibleName(tr("Sources"));
    m_table->setModel(m_sorted);
    prepareFigureTable(m_table, new AccuracyDelegate(m_table), kSourceColumns, SourceTableModel::Source);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->horizontalHeader()->setSectionResizeMode(SourceTableModel::Mark, QHeaderView::Fixed);
    m_table->sortByColumn(SourceTableModel::Mark, Qt::AscendingOrder); // as they were loaded
    RowMenu menu = tableMenu(m_table, "accuracy sources");
    menu.commands = &m_context.commands;
    menu.fill = [this](QMenu& entries) {
        if (!m_remove->isHidden()) // the chosen table is one's own
            entries.addAction(m_remove->icon(), m_remove->text(), m_remove, &QPushButton::click);
    };
    offerMenu(m_table, std::move(menu));
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SourcesView::takeSelection);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &SourcesView::takeSelection);
}

void SourcesView::makeTools() {
    auto* tools = new QWidget(this); // the dock takes it, where there is one
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_remove = new QPushButton(icon(QStringLiteral("remove"), IconTone::Text2), tr("Remove"));
    m_remove->setObjectName(QStringLiteral("accuracy.remove"));
    m_remove->setAccessibleName(tr("Remove the chosen table"));
    m_remove->setToolTip(tr("Forgets the chosen table of your own runs; its file stays"));
    connect(m_remove, &QPushButton::clicked, this,
            [this] { m_context.accuracy.removeSource(m_context.accuracy.chosen()); });
    auto* load = new QPushButton(icon(QStringLiteral("import"), IconTone::Text2), tr("Load runs..."));
    load->setObjectName(QStringLiteral("accuracy.load"));
    load->setAccessibleName(tr("Load measured runs"));
    load->setToolTip(m_context.commands.action("accuracy.load")->toolTip());
    connect(load, &QPushButton::clicked, m_context.commands.action("accuracy.load"), &QAction::trigger);
    for (QPushButton* button : {m_remove, load}) {
        button->setFixedHeight(24);
        row->addWidget(button);
    }
    setTitleTools(tools);
}

void SourcesView::makeProgress() {
    m_progress = new QWidget;
    auto* row = new QHBoxLayout(m_progress);
    row->setContentsMargins(10, 4, 10, 4);
    row->setSpacing(10);
    m_bar = new QProgressBar;
    m_bar->setObjectName(QStringLiteral("accuracy.progress"));
    m_bar->setAccessibleName(tr("Runs predicted"));
    m_bar->setTextVisible(false);
    m_progressText = new QLabel;
    m_progressText->setForegroundRole(QPalette::PlaceholderText);
    m_stop = new QPushButton;
    m_stop->setObjectName(QStringLiteral("accuracy.stop"));
    m_stop->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    row->addWidget(m_progressText);
    row->addWidget(m_bar, 1);
    row->addWidget(m_stop);
}

void SourcesView::refresh() {
    const AccuracyStudy& study = m_context.accuracy;
    const bool running = study.isRunning();
    if (running && !std::exchange(m_wasRunning, running))
        m_message->clear(); // of the load before
    m_wasRunning = running;
    m_progress->setVisible(running || study.waiting() > 0);
    m_bar->setVisible(running);
    m_bar->setRange(0, study.rowsAll());
    m_bar->setValue(study.rowsDone());
    m_progressText->setText(
        running ? tr("%1 of %2 runs predicted").arg(countText(study.rowsDone()), countText(study.rowsAll()))
                : tr("Stopped, %1 tables not predicted").arg(study.waiting()));
    m_stop->setText(running ? tr("Stop") : tr("Go on"));
    m_stop->setAccessibleName(running ? tr("Stop predicting") : tr("Go on predicting"));
    m_stop->setIcon(icon(running ? QStringLiteral("stop") : QStringLiteral("run")));
    const bool none = study.sources().empty();
    m_pages->setCurrentIndex(none ? 1 : 0);
    if (none) {
        m_empty->setText(
            running ? tr("Predicting published runs") : tr("No measured runs"),
            running ? tr("Each is predicted as the plan that it was.")
                    : tr("Load training logs, or a table in the 46-column form that validate reads."));
        m_empty->setButton(running ? QString() : tr("Load runs..."), QStringLiteral("import"), true);
    }
    setSubtitle(none ? QString() : tr("each by itself"));
    showChosen();
}

void SourcesView::takeSelection() {
    if (m_showing)
        return;
    const QModelIndex current = m_sorted->mapToSource(m_table->currentIndex());
    std::vector<int> compared;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        if (const int source = m_sorted->mapToSource(index).row(); source != current.row())
            compared.push_back(source);
    if (current.isValid())
        m_context.accuracy.setChosen(current.row());
    m_context.accuracy.setCompared(std::move(compared));
}

void SourcesView::showChosen() {
    const StudySource* chosen = m_context.accuracy.source(m_context.accuracy.chosen());
    m_remove->setVisible(chosen && chosen->own);
    const QModelIndex at = m_sorted->mapFromSource(m_model->index(m_context.accuracy.chosen(), 0));
    if (!at.isValid() || m_table->currentIndex().row() == at.row())
        return;
    const QScopedValueRollback following(m_showing, true);
    m_table->selectRow(at.row());
}

// What the logs do not say; without an answer they are not loaded.
void SourcesView::askMachine(const QStringList& logs) {
    AccuracyStudy& study = m_context.accuracy;
    const LoggedMachine& last = study.lastMachine();
    const Candidate* own =
        planOfLog(m_context.document.disk(), m_context.candidates, m_context.document.problem(), logs);
    const Candidate* plan = own ? own : m_context.candidates.find(m_context.selection.plan());
    const LoggedMachine drawn = plan ? LoggedMachineDialog::ranked(*plan->problem, plan->plan)
                                     : LoggedMachineDialog::drawn(m_context.document.project()->cluster);
    auto* dialog = new LoggedMachineDialog(logs, last.gpu.empty() || own ? drawn : last, drawn, window());
    if (own)
        dialog->setNote(tr("Its arguments are those of %1: the machines stand in the order of its ranks.")
                            .arg(planTitle(*own)));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [&study, dialog, logs] { study.loadFiles(logs, dialog->machine()); });
    dialog->open();
}

void SourcesView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    hideFigureColumns(m_table, kSourceColumns, kSourceHideOrder, width());
}

} // namespace pw
