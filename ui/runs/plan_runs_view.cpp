// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/plan_runs_view.h"

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/runs/run_rows_model.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/in_sight.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <utility>

namespace pw {

namespace {

constexpr int kRow = 22;

} // namespace

PlanRunsView::PlanRunsView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_plan(context, this), m_again(context, this),
      m_residuals(new RunRowsModel(2, 10, this)), m_slower(new RunRowsModel(0, 1, this)),
      m_message(new MessageBar), m_empty(new EmptyState(QStringLiteral("clock"))),
      m_pages(new QStackedWidget), m_run(new QComboBox), m_beside(new QComboBox), m_search(new QPushButton),
      m_summary(new QLabel), m_outcome(new QLabel), m_nothing(new QLabel) {
    setObjectName(QStringLiteral("planRuns"));
    setAccessibleName(tr("Plan runs"));
    m_table = makeTable("planRuns.residuals", tr("Residuals by stage and operation"), m_residuals);
    m_list = makeTable("planRuns.slower", tr("Slower than predicted"), m_slower);
    m_list->setWordWrap(true); // its sentences
    m_list->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_list->horizontalHeader()->setStretchLastSection(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (QLabel* label : {m_summary, m_outcome, m_nothing}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setContentsMargins(10, 4, 10, 4);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_summary->setObjectName(QStringLiteral("planRuns.summary"));
    m_outcome->setObjectName(QStringLiteral("planRuns.outcome"));
    m_outcome->setFont(bodyFont(QFont::DemiBold));
    m_nothing->setText(
        tr("No pass, transfer, sum of gradients or optimizer step was slower than predicted by "
           "5 % of its own time and 0.5 % of the step."));
    auto* right = new QWidget;
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(0);
    rightColumn->addWidget(m_summary);
    rightColumn->addWidget(m_nothing);
    rightColumn->addWidget(m_list, 1);
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->setObjectName(QStringLiteral("planRuns.splitter"));
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_table);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({600, 400}); // all of the first run's figures at 1366 px
    auto* page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    column->addWidget(splitter, 1);
    m_empty->setButton(tr("Lay a run over its plan..."), QStringLiteral("import"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_message);
    layout->addWidget(m_outcome); // stays when the search brings another plan into view
    layout->addWidget(m_pages, 1);

    PlanRuns& runs = context.runs;
    connect(m_empty, &EmptyState::clicked, context.commands.action("runs.load"), &QAction::trigger);
    connect(m_message, &MessageBar::actionClicked, &runs, &PlanRuns::acceptOffer);
    connect(&runs, &PlanRuns::reading, this, [this](bool going) {
        setSubtitle(going ? tr("reading") : QString());
        if (going)
            m_message->clear();
    });
    connect(&runs, &PlanRuns::loaded, this, [this] {
        m_message->clear();
        Q_EMIT raiseRequested();
    });
    connect(&runs, &PlanRuns::offered, this, [this, &runs] {
        m_message->setMessage(MessageBar::Tone::Info, tr("Of another question."), runs.offerText(),
                              tr("Open its plan beside"));
        Q_EMIT raiseRequested();
    });
    connect(&runs, &PlanRuns::failed, this, [this](const Error& error) {
        if (isInSight(*this)) // else the window says it, where the user is
            m_message->setError(PlanRuns::failedLead(), error);
    });
    connect(&runs, &PlanRuns::changed, this, &PlanRunsView::refresh);
    connect(&m_plan, &CurrentPlan::changed, this, &PlanRunsView::refresh);
    connect(&m_again, &SearchAgain::changed, this, &PlanRunsView::showAgain);
    connect(&context.document, &Document::changed, this, &PlanRunsView::showAgain);
    connect(&context.runner, &SearchRunner::started, this, &PlanRunsView::showAgain);
    connect(&context.runner, &SearchRunner::finished, this, &PlanRunsView::showAgain);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this] {
        m_table->viewport()->update();
        m_list->viewport()->update();
    });
    refresh();
}

QWidget* PlanRunsView::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(10, 4, 10, 4);
    row->setSpacing(8);
    const auto choice = [&](QComboBox* box, const char* name, const QString& text) {
        auto* label = new QLabel(text);
        label->setBuddy(box);
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(text);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(label);
        row->addWidget(box);
    };
    choice(m_run, "planRuns.run", tr("Run"));
    choice(m_beside, "planRuns.beside", tr("Compared with"));
    auto* load = new QPushButton(tr("Load..."));
    load->setObjectName(QStringLiteral("planRuns.load"));
    load->setIcon(icon(QStringLiteral("import")));
    auto* close = new QPushButton(tr("Remove"));
    close->setObjectName(QStringLiteral("planRuns.remove"));
    close->setToolTip(tr("Forgets the run; its file stays."));
    m_search->setObjectName(QStringLiteral("planRuns.searchAgain"));
    m_search->setIcon(icon(QStringLiteral("sliders")));
    row->addWidget(load);
    row->addWidget(close);
    row->addStretch();
    row->addWidget(m_search);
    connect(load, &QPushButton::clicked, m_context.commands.action("runs.load"), &QAction::trigger);
    connect(close, &QPushButton::clicked, this,
            [this] { m_context.runs.remove(m_run->currentData().toInt()); });
    connect(m_run, &QComboBox::activated, this,
            [this] { m_context.runs.show(m_run->currentData().toInt()); });
    connect(m_beside, &QComboBox::activated, this, [this] {
        if (m_plan.plan())
            m_context.runs.setBeside(m_plan.plan()->id, m_beside->currentData().toInt());
    });
    connect(m_search, &QPushButton::clicked, this, [this] {
        if (const auto run = m_plan.plan() ? m_context.runs.shown(m_plan.plan()->id) : nullptr)
            m_again.start(run);
    });
    return bar;
}

QTableView* PlanRunsView::makeTable(const char* name, const QString& accessible, RunRowsModel* model) {
    auto* table = new QTableView;
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(accessible);
    table->setModel(model);
    quietTable(table, kRow);
    RowMenu menu = tableMenu(table, "plan runs");
    menu.commands = &m_context.commands;
    menu.stage = [table] { return table->currentIndex().data(RunRowsModel::TrackRole).toInt(); };
    offerMenu(table, std::move(menu));
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PlanRunsView::jump);
    return table;
}

void PlanRunsView::refresh() {
    const int plan = m_plan.plan() ? m_plan.plan()->id : -1;
    const PlanRunPointer run = m_context.runs.shown(plan), other = m_context.runs.beside(plan);
    m_pages->setCurrentIndex(run ? 1 : 0);
    if (!run) {
        m_residuals->setTable({});
        m_slower->setTable({});
        showNoRun();
        return showAgain();
    }
    fillChoices(plan);
    m_residuals->setTable(residualTable(*run, other.get()));
    m_slower->setTable(slowerTable(*run));
    m_list->setColumnWidth(0, 84);
    m_list->setColumnWidth(1, 84);
    m_summary->setText(runSummary(*run));
    m_nothing->setVisible(m_slower->rowCount() == 0);
    m_list->setVisible(m_slower->rowCount() > 0);
    showAgain();
}

// Behind a calibration the plan that it found is in view, and the run stands with the plan that ran.
void PlanRunsView::showNoRun() {
    const PlanRunPointer& run = m_again.run();
    const Candidate* ran = run ? m_context.candidates.find(run->plan) : nullptr;
    if (m_plan.plan() && ran && m_context.runs.shown(ran->id))
        return m_empty->setText(
            tr("This plan has not run"),
            tr("The run %1 stands with plan %2, as it was predicted when it was loaded. Choose that plan to "
               "see it, or lay a run of this plan over it.")
                .arg(run->name, ran->name));
    m_empty->setText(
        m_plan.plan() ? tr("No run of this plan") : tr("No plan selected"),
        tr("Export a plan for the runner, run it, and drop its run.json on the window: what ran stands "
           "beside what was predicted."));
}

void PlanRunsView::fillChoices(int plan) {
    const PlanRunPointer run = m_context.runs.shown(plan), other = m_context.runs.beside(plan);
    m_run->clear();
    m_beside->clear();
    m_beside->addItem(tr("no other run"), -1);
    for (const PlanRunPointer& one : m_context.runs.runsOf(plan)) {
        const QString text = tr("%1, %2").arg(one->name, standingText(*one->record));
        m_run->addItem(text, one->id);
        if (one != run)
            m_beside->addItem(text, one->id);
    }
    m_run->setCurrentIndex(m_run->findData(run->id));
    m_beside->setCurrentIndex(other ? m_beside->findData(other->id) : 0);
    m_beside->setEnabled(m_beside->count() > 1);
}

// What came of the last search again, or why this run cannot ask for one.
void PlanRunsView::showAgain() {
    const PlanRunPointer run = m_plan.plan() ? m_context.runs.shown(m_plan.plan()->id) : nullptr;
    const QString refusal = run ? m_again.refusal(*run) : QString();
    m_search->setEnabled(run && refusal.isEmpty() && !m_again.isRunning());
    m_search->setText(m_again.isHeld(run) ? tr("Calibrate all the same") : tr("Calibrate and search again"));
    m_search->setToolTip(
        refusal.isEmpty() ? tr("Corrects the figures of devices and links by this run, as an edit that can "
                               "be undone, and searches for the best plan on them")
                          : refusal);
    m_outcome->setText(m_again.text().isEmpty() ? refusal : m_again.text());
    m_outcome->setVisible(!m_outcome->text().isEmpty());
}

void PlanRunsView::jump(const QModelIndex& index) {
    const int track = index.data(RunRowsModel::TrackRole).toInt();
    if (index.isValid() && track >= 0)
        m_context.selection.setStage(track);
}

} // namespace pw
