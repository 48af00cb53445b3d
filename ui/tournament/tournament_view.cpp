// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tournament/tournament_view.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/tournament_runner.h"
#include "ui/tournament/ablation_list.h"
#include "ui/tournament/tournament_delegate.h"
#include "ui/tournament/tournament_model.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/message_bar.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

const FigureColumns kColumns = {
    {TournamentModel::Planner, 206},  {TournamentModel::Standing, 106},  {TournamentModel::Ended, 76},
    {TournamentModel::Time, 70},      {TournamentModel::Candidates, 90}, {TournamentModel::Judged, 58},
    {TournamentModel::Operators, 78}, {TournamentModel::CacheHits, 78},  {TournamentModel::Iteration, 82},
    {TournamentModel::Behind, 62},    {TournamentModel::Gap, 60},        {TournamentModel::PeakMemory, 132},
    {TournamentModel::Schedule, 82},  {TournamentModel::Gpus, 92},
};
// What a narrow table gives up first.
const std::vector<int> kHideOrder = {TournamentModel::Schedule, TournamentModel::Judged,
                                     TournamentModel::Standing, TournamentModel::Candidates};
constexpr int kBarSteps = 1000;
constexpr int kProgressText = 264; // the bar keeps its place whoever searches

} // namespace

TournamentView::TournamentView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_model(new TournamentModel(context, this)),
      m_sorted(new TournamentOrder(this)), m_stale(new MessageBar), m_pages(new QStackedWidget),
      m_table(new QTableView), m_empty(new EmptyState(QStringLiteral("table"))),
      m_ablations(new AblationList(this)) {
    setObjectName(QStringLiteral("tournamentView"));
    setAccessibleName(tr("Planners"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_sorted->setSourceModel(m_model);
    makeTable();
    makeTools();
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_stale);
    column->addWidget(m_pages, 1);
    column->addWidget(makeProgress());
    setFocusProxy(m_table);

    QAction* compare = context.commands.action("search.compare");
    const TournamentRunner& runner = context.tournament;
    context.commands.attach("planners", this);
    context.commands.bind("planners.show", this, [this] { showPlan(m_table->currentIndex()); });
    connect(m_empty, &EmptyState::clicked, compare, &QAction::trigger);
    connect(m_stale, &MessageBar::actionClicked, compare, &QAction::trigger);
    connect(compare, &QAction::changed, this, &TournamentView::refresh);
    connect(&runner, &TournamentRunner::started, this, &View::raiseRequested);
    connect(&runner, &TournamentRunner::started, this, &TournamentView::refresh);
    connect(&runner, &TournamentRunner::progressed, this, &TournamentView::refreshProgress);
    connect(&runner, &TournamentRunner::finished, this, &TournamentView::refresh);
    connect(&runner, &TournamentRunner::forgotten, this, &TournamentView::refresh);
    connect(&context.document, &Document::changed, this, &TournamentView::refresh);
    connect(&context.runner, &SearchRunner::demandChanged, this, &TournamentView::refresh);
    refresh();
}

void TournamentView::makeTable() {
    m_table->setObjectName(QStringLiteral("planners.table"));
    m_table->setAccessibleName(tr("Planners"));
    m_table->setModel(m_sorted);
    prepareFigureTable(m_table, new TournamentDelegate(m_table), kColumns, TournamentModel::Gpus);
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->sortByColumn(TournamentModel::Planner, Qt::AscendingOrder); // as they run
    offerRowMenu(m_table, "planners", m_context.commands);
    connect(m_table, &QTableView::doubleClicked, m_context.commands.action("planners.show"),
            &QAction::trigger);
    connect(m_sorted, &QAbstractItemModel::modelReset, this, &TournamentView::refreshSpans);
    connect(m_sorted, &QAbstractItemModel::layoutChanged, this, &TournamentView::refreshSpans);
    connect(m_sorted, &QAbstractItemModel::dataChanged, this, &TournamentView::refreshSpans);
}

void TournamentView::makeTools() {
    auto* tools = new QWidget(this); // the dock takes it, where there is one
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_without = new QPushButton(icon(QStringLiteral("sliders"), IconTone::Text2), QString());
    m_without->setObjectName(QStringLiteral("planners.without"));
    m_without->setToolTip(tr("Planners that the next comparison also runs without one of their parts"));
    const auto name = [this] {
        const auto count = static_cast<int>(m_ablations->chosen().size());
        m_without->setText(count == 0 ? tr("Without...") : tr("Without... %1").arg(count));
        m_without->setAccessibleName(count == 0 ? tr("Choose parts to run without")
                                                : tr("Choose parts to run without, %1 chosen").arg(count));
    };
    m_ablations->setChosen(m_context.tournament.ablations());
    name();
    connect(m_ablations, &AblationList::changed, this, [this, name] {
        m_context.tournament.setAblations(m_ablations->chosen());
        name();
    });
    connect(m_without, &QPushButton::clicked, this, [this] {
        const auto problem = m_context.document.problem();
        m_ablations->showBelow(m_without, m_context.runner.options().partitions ||
                                              (problem && problem->space().partitions));
    });
    QAction* action = m_context.commands.action("search.compare");
    auto* compare = new QPushButton(icon(QStringLiteral("run"), IconTone::Text2), tr("Compare"));
    compare->setObjectName(QStringLiteral("planners.compare"));
    compare->setAccessibleName(tr("Compare all planners"));
    compare->setToolTip(action->toolTip());
    const auto follow = [compare, action] { compare->setEnabled(action->isEnabled()); };
    follow();
    connect(action, &QAction::changed, compare, follow);
    connect(compare, &QPushButton::clicked, action, &QAction::trigger);
    for (QPushButton* button : {m_without, compare}) {
        button->setFixedHeight(24);
        row->addWidget(button);
    }
    setTitleTools(tools);
}

QWidget* TournamentView::makeProgress() {
    m_progress = new QWidget;
    auto* row = new QHBoxLayout(m_progress);
    row->setContentsMargins(10, 4, 10, 4);
    row->setSpacing(10);
    m_progressText = new QLabel;
    m_progressText->setObjectName(QStringLiteral("planners.progressText"));
    m_progressText->setMinimumWidth(kProgressText);
    m_bar = new QProgressBar;
    m_bar->setObjectName(QStringLiteral("planners.progress"));
    m_bar->setAccessibleName(tr("Progress of the comparison"));
    m_bar->setTextVisible(false);
    auto* stop = new QPushButton(icon(QStringLiteral("stop")), tr("Stop"));
    stop->setObjectName(QStringLiteral("planners.stop"));
    stop->setAccessibleName(tr("Stop comparing"));
    stop->setToolTip(m_context.commands.action("search.stop")->toolTip());
    stop->setFixedHeight(24);
    connect(stop, &QPushButton::clicked, m_context.commands.action("search.stop"), &QAction::trigger);
    row->addWidget(m_progressText);
    row->addWidget(m_bar, 1);
    row->addWidget(stop);
    return m_progress;
}

void TournamentView::refresh() {
    const TournamentRunner& runner = m_context.tournament;
    const bool none = runner.entrants().empty();
    m_pages->setCurrentIndex(none ? 1 : 0);
    if (none)
        refreshEmpty();
    const auto problem = m_context.document.problem();
    const bool otherState = !problem || (!none && problem->hash() != runner.problem()->hash());
    if (!none && (otherState || runner.demanded() != m_context.runner.demand()))
        m_stale->setMessage(MessageBar::Tone::Stale, tr("Stale."),
                            otherState ? tr("This comparison answers an earlier state of the project.")
                                       : tr("Search asks for other plans by now."),
                            m_context.commands.action("search.compare")->isEnabled() ? tr("Compare again")
                                                                                     : QString());
    else
        m_stale->clear();
    refreshProgress();
}

void TournamentView::refreshEmpty() {
    const std::optional<Error>& failure = m_context.tournament.failure();
    const bool complete = m_context.document.problem() != nullptr;
    const bool mayRun = m_context.commands.action("search.compare")->isEnabled();
    if (failure)
        m_empty->setError(tr("Not compared"), *failure);
    else if (!complete)
        m_empty->setText(tr("No planners compared yet"),
                         tr("A cluster and a model are needed first; Problems lists what is missing."));
    else
        m_empty->setText(tr("No planners compared yet"),
                         tr("Every planner searches this problem with its own budget. Costs and judge are "
                            "the same for all."));
    m_empty->setButton(complete && mayRun ? tr("Compare all planners  F6") : QString(),
                       QStringLiteral("run"));
}

void TournamentView::refreshProgress() {
    const TournamentRunner& runner = m_context.tournament;
    const Tournament& tournament = runner.tournament();
    const auto all = static_cast<int>(runner.entrants().size());
    const auto ended = static_cast<int>(tournament.rows.size());
    m_progress->setVisible(runner.isRunning());
    if (runner.isRunning()) {
        const SearchProgress& p = runner.progress();
        const double share =
            runner.current() < 0 || p.workLimit <= 0
                ? 0.0
                : std::min(1.0, static_cast<double>(p.work) / static_cast<double>(p.workLimit));
        m_bar->setRange(0, all * kBarSteps);
        // Where an entrant's limit is not known any more, its share stays what it was.
        const int least = p.workLimit == 0 && p.work > 0 ? m_bar->value() : 0;
        m_bar->setValue(std::max(least, ended * kBarSteps + static_cast<int>(share * kBarSteps)));
        m_progressText->setText(
            runner.current() < 0
                ? tr("%1 of %2").arg(ended).arg(all)
                : tr("%1 of %2: %3")
                      .arg(ended + 1)
                      .arg(all)
                      .arg(q(runner.entrants()[static_cast<std::size_t>(runner.current())].label())));
        m_bar->setAccessibleDescription(m_progressText->text());
        setSubtitle(tr("running"));
        return;
    }
    const auto found = static_cast<int>(tournament.ranked().size());
    setSubtitle(all == 0                             ? QString()
                : tournament.bound.value.value > 0.0 ? tr("%1 of %2 found a plan, bound %3")
                                                           .arg(found)
                                                           .arg(all)
                                                           .arg(iterationText(tournament.bound.value))
                                                     : tr("%1 of %2 found a plan").arg(found).arg(all));
}

void TournamentView::refreshSpans() {
    m_table->clearSpans();
    for (int row = 0; row < m_sorted->rowCount(); ++row)
        if (!m_sorted->index(row, 0).data(TournamentModel::ReasonRole).toString().isEmpty())
            m_table->setSpan(row, TournamentModel::Iteration, 1,
                             TournamentModel::ColumnCount - TournamentModel::Iteration);
}

void TournamentView::showPlan(const QModelIndex& at) {
    const TournamentRow* row = m_model->ended(m_sorted->mapToSource(at).row());
    if (!row || row->outcome.plans.empty())
        return;
    const int id = m_context.candidates.add(m_context.tournament.problem(), {row->outcome.plans.front()},
                                            tr("compared"));
    if (m_context.candidates.find(id)->note.isEmpty())
        m_context.candidates.setNote(id, tr("Best plan of %1").arg(q(row->label())));
    m_context.selection.setPlan(id);
    m_context.selection.leaveStage();
}

void TournamentView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    hideFigureColumns(m_table, kColumns, kHideOrder, width());
}

} // namespace pw
