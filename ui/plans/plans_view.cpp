// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plans_view.h"

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/plans/kept_plans.h"
#include "ui/plans/plan_columns.h"
#include "ui/plans/plan_delegate.h"
#include "ui/plans/plan_filter.h"
#include "ui/plans/plan_table_model.h"
#include "ui/plans/plans_text.h"
#include "ui/plots/plan_axis.h"
#include "ui/problems/fixes.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QStyle>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <unordered_set>

namespace pw {

PlansView::PlansView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_model(new PlanTableModel(context, this)),
      m_filter(new PlanFilter(this)), m_stale(new MessageBar), m_pages(new QStackedWidget),
      m_table(new QTableView), m_empty(new EmptyState(QStringLiteral("run"))),
      m_hidden(new EmptyState(QStringLiteral("filter"))), m_filterLine(new QLineEdit), m_count(new QLabel) {
    setObjectName(QStringLiteral("plansView"));
    setAccessibleName(tr("Plans"));
    setFocusProxy(m_table); // arrows and the Menu key, for who comes by Alt and a number
    m_filter->setSourceModel(m_model);
    makeTable();
    makeTools();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_stale);
    column->addWidget(m_pages, 1);
    for (QWidget* page :
         {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_hidden)})
        m_pages->addWidget(page);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    bindCommands();

    connect(m_empty, &EmptyState::clicked, this, [this] {
        if (const std::optional<Fix> fix =
                noPlanFits(m_context) ? fixOfMemory(*m_context.document.project()) : std::nullopt)
            m_context.document.apply(fix->edit(*m_context.document.project()), fix->text);
        m_context.commands.action("search.run")->trigger();
    });
    PlanBrush& brush = PlanBrush::of(m_context.candidates);
    connect(m_hidden, &EmptyState::clicked, m_filterLine, &QLineEdit::clear);
    connect(m_hidden, &EmptyState::clicked, &brush, &PlanBrush::clear);
    connect(&brush, &PlanBrush::changed, this, [this, &brush] {
        if (brush.isEmpty())
            m_filter->setAccepts({});
        else
            m_filter->setAccepts([this, &brush](int id) {
                const Candidate* plan = m_context.candidates.find(id);
                return plan && brush.passes(*plan);
            });
        refresh();
    });
    const QAction* run = m_context.commands.action("search.run");
    connect(m_stale, &MessageBar::actionClicked, run, &QAction::trigger);
    connect(run, &QAction::enabledChanged, this, &PlansView::showStale);
    connect(&m_context.candidates, &Candidates::changed, this, &PlansView::refresh);
    connect(&m_context.document, &Document::changed, this, &PlansView::refresh);
    connect(&m_context.runner, &SearchRunner::started, this, &PlansView::refresh);
    connect(&m_context.runner, &SearchRunner::finished, this, &PlansView::refresh);
    connect(&m_context.runner, &SearchRunner::replaced, this, &PlansView::refresh);
    connect(&m_context.selection, &Selection::planChanged, this, &PlansView::showCurrent);
    connect(&m_context.whatIf, &WhatIf::kept, this, [this] { // the plan in view
        Q_EMIT raiseRequested();
        showCurrent();
        m_table->scrollTo(m_table->currentIndex());
    });
    connect(&ThemeControl::instance(), &ThemeControl::changed, m_table->viewport(),
            qOverload<>(&QWidget::update));
    refresh();
}

void PlansView::makeTable() {
    m_table->setObjectName(QStringLiteral("plans.table"));
    m_table->setAccessibleName(tr("Plans"));
    m_table->setModel(m_filter);
    m_table->setItemDelegate(new PlanDelegate(m_table));
    quietTable(m_table, 20);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_table->setDragDropMode(QAbstractItemView::DragOnly); // onto a floating comparison
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* header = m_table->horizontalHeader();
    header->setMinimumSectionSize(28);
    header->setSectionsMovable(true);
    widenColumns(*header);
    m_nameWidth = header->sectionSize(PlanTableModel::Name);
    header->setSectionResizeMode(PlanTableModel::Pin, QHeaderView::Fixed);
    header->setSectionResizeMode(PlanTableModel::Stages, QHeaderView::Stretch);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(PlanTableModel::Iteration, Qt::AscendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!current.isValid() || m_placing)
                    return;
                // The table selects after this: a row of several must not be selected alone meanwhile.
                m_choosing = true;
                const int id = current.data(PlanTableModel::IdRole).toInt();
                if (id != m_context.selection.plan())
                    m_context.selection.leaveStage();
                m_context.selection.setPlan(id);
                m_choosing = false;
            });
    offerRowMenu(m_table, "plans", m_context.commands);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this, &PlansView::offerColumns);
    auto* whole = new QShortcut(QKeySequence(Qt::Key_Escape), m_table);
    whole->setContext(Qt::WidgetShortcut);
    connect(whole, &QShortcut::activated, this, [this] { m_context.selection.leaveStage(); });
    // A screen reader chooses a row without making it the current one.
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_table->selectionModel()->selectedRows();
        if (rows.size() == 1 && !m_placing)
            m_context.selection.setPlan(rows.front().data(PlanTableModel::IdRole).toInt());
    });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == PlanTableModel::Pin)
            togglePin(index.data(PlanTableModel::IdRole).toInt());
        else if (index.column() == PlanTableModel::Ties && index.data(PlanTableModel::TiesRole).toInt() > 0)
            toggleTies();
        else
            m_context.selection.leaveStage(); // a plan is looked at as a whole first
    });
    connect(m_filter, &QAbstractItemModel::modelReset, this, &PlansView::refreshSpans);
    connect(m_filter, &QAbstractItemModel::layoutChanged, this, &PlansView::refreshSpans);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, &PlansView::refreshSpans);
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &PlansView::refreshSpans);
}

void PlansView::makeTools() {
    auto* tools = new QWidget(this); // the dock takes it, where there is one
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_count->setObjectName(QStringLiteral("plans.count"));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_filterLine->setObjectName(QStringLiteral("plans.filter"));
    m_filterLine->setAccessibleName(tr("Filter plans"));
    m_filterLine->setPlaceholderText(tr("Filter plans"));
    m_filterLine->setToolTip(
        tr("Words, or figures: iteration<15.5 tokens>30 bubble<6 idle<10 memory<90 fit>90 stages=4 "
           "measured>50 top10%. "
           "Shares and memory are in %."));
    m_filterLine->addAction(icon(QStringLiteral("filter"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_filterLine->setClearButtonEnabled(true);
    m_filterLine->setFixedSize(220, 22);
    connect(m_filterLine, &QLineEdit::textChanged, this, [this](const QString& text) {
        // A table goes to another row where its own is filtered out. The plan in view stays that.
        m_placing = true;
        m_filter->setFilter(text);
        m_placing = false;
        refresh();
    });
    auto* exporting = new QPushButton(icon(QStringLiteral("export"), IconTone::Text2), tr("Export..."));
    exporting->setObjectName(QStringLiteral("plans.export"));
    exporting->setAccessibleName(tr("Export the selected plan"));
    exporting->setToolTip(m_context.commands.action("plan.export")->toolTip());
    exporting->setFixedHeight(24);
    QAction* action = m_context.commands.action("plan.export");
    const auto follow = [exporting, action] { exporting->setEnabled(action->isEnabled()); };
    follow();
    connect(action, &QAction::changed, exporting, follow);
    connect(exporting, &QPushButton::clicked, action, &QAction::trigger);
    row->addWidget(m_count);
    row->addWidget(m_filterLine);
    row->addWidget(exporting);
    setTitleTools(tools);
}

void PlansView::bindCommands() {
    Commands& c = m_context.commands;
    c.attach("plans", this);
    c.bind("plans.pin", this, [this] { togglePin(chosenId()); });
    connect(&m_context.candidates, &Candidates::changed, this, &PlansView::namePin);
    connect(&m_context.selection, &Selection::planChanged, this, &PlansView::namePin);
    namePin();
    c.bind("plans.ties", this, [this] { toggleTies(); });
    c.bind("plans.columns", this, [this] { offerColumns({}); });
    c.bind("plans.filter", this, [this] {
        m_filterLine->setFocus();
        m_filterLine->selectAll();
    });
    const auto editCell = [this](PlanTableModel::Column column) {
        const QModelIndex current = m_table->currentIndex();
        if (!current.isValid())
            return;
        Q_EMIT raiseRequested(); // the name is asked for from any view
        m_table->setColumnHidden(column, false);
        const QModelIndex cell = current.siblingAtColumn(column);
        m_table->scrollTo(cell);
        m_table->edit(cell);
    };
    c.bind("plans.note", this, [editCell] { editCell(PlanTableModel::Note); });
    c.bind("plans.rename", this, [editCell] { editCell(PlanTableModel::Name); });
    c.bind("plans.remove", this, [this] { removeChosen(); });
}

void PlansView::togglePin(int id) {
    togglePinned(m_context, id);
    if (const Candidate* plan = m_context.candidates.find(id))
        Q_EMIT newsArrived(plan->pinned ? tr("%1 is pinned.").arg(planTitle(*plan))
                                        : tr("%1 is no longer pinned.").arg(planTitle(*plan)));
}

void PlansView::namePin() {
    const Candidate* plan = m_context.candidates.find(chosenId());
    const bool pinned = plan && plan->pinned;
    QAction* action = m_context.commands.action("plans.pin");
    const QString help =
        pinned ? tr("Takes the pin off the selected plan.")
               : QCoreApplication::translate("Commands", "Keeps the selected plan in the project file.");
    action->setText(pinned ? tr("Unp&in") : QCoreApplication::translate("Commands", "P&in"));
    action->setStatusTip(help);
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(help, action->shortcut().toString(QKeySequence::NativeText)));
}

// All rows that are chosen, or the plan in view where none is. The plan that comes up in their place is in
// view before they go: a table whose row is gone goes to its first one, which a screen reader would name.
void PlansView::removeChosen() {
    std::vector<int> ids;
    int first = m_table->currentIndex().row();
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows()) {
        first = ids.empty() ? row.row() : std::min(first, row.row());
        ids.push_back(row.data(PlanTableModel::IdRole).toInt());
    }
    if (ids.empty())
        ids = {chosenId()};
    const Candidate* plan = m_context.candidates.find(ids.front());
    if (!plan)
        return;
    const QString title = planTitle(*plan);
    const std::unordered_set<int> going(ids.begin(), ids.end());
    int next = -1;
    for (int row = 0; row < m_filter->rowCount() && next < first; ++row)
        if (const int id = m_filter->index(row, PlanTableModel::Name).data(PlanTableModel::IdRole).toInt();
            !going.contains(id))
            next = row;
    const auto comeUp = [this, next] {
        if (next >= 0)
            goToRow(next);
    };
    if (!forgetPlans(m_context, ids, comeUp))
        return; // refused, which has been said: all stays as it is
    if (next < 0 && m_filter->rowCount() > 0)
        goToRow(0); // what was folded away behind them
    Q_EMIT newsArrived(ids.size() == 1 ? tr("%1 is removed.").arg(title)
                                       : tr("%1 plans are removed.").arg(static_cast<int>(ids.size())));
}

// Of the chosen plan, or of the plan that it is a near tie of.
void PlansView::toggleTies() {
    const QModelIndex chosen = m_model->indexOf(chosenId());
    if (!chosen.isValid())
        return;
    int leader = chosen.data(PlanTableModel::LeaderRole).toInt();
    if (leader < 0 && chosen.data(PlanTableModel::TiesRole).toInt() == 0)
        return;
    leader = leader < 0 ? chosenId() : leader;
    const bool unfolded = m_filter->isUnfolded(leader);
    if (unfolded)
        m_context.selection.setPlan(leader);
    m_filter->unfold(leader, !unfolded);
    refresh();
}

int PlansView::chosenId() const {
    return m_context.selection.plan();
}

// Names get room unless the user has set their width.
void PlansView::fitNames() {
    QHeaderView* header = m_table->horizontalHeader();
    if (header->sectionSize(PlanTableModel::Name) != m_nameWidth)
        return;
    const int room = width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    header->resizeSection(PlanTableModel::Name, namesWidth(*header, m_context.candidates, room));
    m_nameWidth = header->sectionSize(PlanTableModel::Name);
}

void PlansView::refresh() {
    fitNames();
    const int all = m_model->rowCount(), shown = m_filter->rowCount();
    const bool brushed = !PlanBrush::of(m_context.candidates).isEmpty();
    m_count->setText(shownText(shown, all, brushed, !m_filter->filter().isEmpty()));
    m_count->setToolTip(foundText(m_context));
    m_filterLine->setEnabled(all > 0);
    if (all == 0)
        sayWhyNoPlans(*m_empty, m_context);
    else if (shown == 0)
        sayWhyNoneShown(*m_hidden, all, m_filterLine->text());
    m_pages->setCurrentIndex(all == 0 ? 1 : shown == 0 ? 2 : 0);
    showStale();
    showCurrent();
}

// The window says when a search can run: only then it is offered.
void PlansView::showStale() {
    const QString stale = staleText(m_context), elsewhere = elsewhereText(m_context);
    if (!stale.isEmpty() && anyAnswers(m_context)) // pinned ones beside those of a new search
        m_stale->setMessage(MessageBar::Tone::Info, tr("Earlier plans."),
                            elsewhere.isEmpty() ? stale : tr("%1 %2").arg(stale, elsewhere));
    else if (!stale.isEmpty())
        m_stale->setMessage(MessageBar::Tone::Stale, tr("Stale."),
                            elsewhere.isEmpty() ? stale : tr("%1 %2").arg(stale, elsewhere),
                            m_context.commands.action("search.run")->isEnabled() ? tr("Run again")
                                                                                 : QString());
    else if (!elsewhere.isEmpty())
        m_stale->setMessage(MessageBar::Tone::Info, tr("Not of this project."), elsewhere);
    else if (const QString waiting = waitingText(m_context);
             !m_context.candidates.all().empty() && !waiting.isEmpty())
        m_stale->setMessage(MessageBar::Tone::Info, tr("Kept."), waiting);
    else
        m_stale->clear();
}

void PlansView::refreshSpans() {
    m_table->clearSpans();
    for (int row = 0; row < m_filter->rowCount(); ++row)
        if (!m_filter->index(row, PlanTableModel::Name).data(PlanTableModel::ReasonRole).toString().isEmpty())
            m_table->setSpan(row, PlanTableModel::Tokens, 1,
                             PlanTableModel::PeakMemory - PlanTableModel::Tokens + 1);
}

void PlansView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    fitColumns();
    if (const QModelIndex current = m_table->currentIndex(); current.isValid())
        m_table->scrollTo(
            current); // the plan in view stays in sight, also where the docks get their sizes late
}

void PlansView::fitColumns() {
    m_columns.fit(*m_table, width());
    fitNames();
}

void PlansView::offerColumns(const QPoint& at) {
    QHeaderView* header = m_table->horizontalHeader();
    QMenu* menu = newContextMenu("plan columns", header);
    m_columns.offer(*menu, *m_table, [this] { fitColumns(); });
    menu->popup(header->mapToGlobal(at));
}

void PlansView::restoreColumns(const QByteArray& kept) {
    m_columns.restore(kept);
    fitColumns();
}

void PlansView::showCurrent() {
    if (m_choosing)
        return;
    const QModelIndex chosen = m_model->indexOf(m_context.selection.plan());
    const QModelIndex at = m_filter->mapFromSource(chosen);
    if (const int leader = chosen.data(PlanTableModel::LeaderRole).toInt();
        chosen.isValid() && !at.isValid() && leader >= 0 && !m_filter->isUnfolded(leader)) {
        m_filter->unfold(leader, true); // chosen elsewhere; a filter may hide it all the same
        return refresh();
    }
    const QModelIndex current = m_table->currentIndex();
    if (!at.isValid()) {
        m_table->clearSelection();
        return placeKeys();
    }
    if (current.isValid() && current.row() == at.row() && m_table->selectionModel()->isRowSelected(at.row()))
        return;
    goToRow(at.row());
    m_table->scrollTo(at);
}

// By its name: the first cell is the pin's.
void PlansView::goToRow(int row) {
    m_table->selectionModel()->setCurrentIndex(m_filter->index(row, PlanTableModel::Name),
                                               QItemSelectionModel::ClearAndSelect |
                                                   QItemSelectionModel::Rows);
}

// Where no plan is in view the keys begin at the first one's name: without a place of its own, a table that
// gets the focus goes to its first cell.
void PlansView::placeKeys() {
    if (m_table->currentIndex().isValid() || m_filter->rowCount() == 0)
        return;
    m_placing = true;
    m_table->selectionModel()->setCurrentIndex(m_filter->index(0, PlanTableModel::Name),
                                               QItemSelectionModel::NoUpdate);
    m_placing = false;
}

} // namespace pw
