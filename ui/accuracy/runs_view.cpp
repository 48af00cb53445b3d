// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/runs_view.h"

#include "ui/accuracy/accuracy_delegate.h"
#include "ui/accuracy/run_table_model.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace pw {

namespace {

const FigureColumns kRunColumns = {
    {RunTableModel::Run, 92},       {RunTableModel::ModelName, 116}, {RunTableModel::Devices, 168},
    {RunTableModel::Parallel, 76},  {RunTableModel::Schedule, 104},  {RunTableModel::Measured, 80},
    {RunTableModel::Predicted, 80}, {RunTableModel::Error, 112},     {RunTableModel::Quality, 56},
};
// What a narrow table gives up first.
const std::vector<int> kRunHideOrder = {RunTableModel::Quality, RunTableModel::Parallel,
                                        RunTableModel::Schedule};

} // namespace

RunsView::RunsView(AccuracyContext& context, QWidget* parent)
    : View(parent), m_context(context), m_model(new RunTableModel(context.accuracy, this)),
      m_filter(new RunFilter(this)), m_pages(new QStackedWidget), m_table(new QTableView),
      m_empty(new EmptyState(QStringLiteral("table"))), m_filterLine(new QLineEdit) {
    setObjectName(QStringLiteral("accuracyRunsView"));
    setAccessibleName(tr("Runs"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_filter->setSourceModel(m_model);
    makeTable();
    makeTools();
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    setFocusProxy(m_table);
    bindCommands();
    connect(m_empty, &EmptyState::clicked, m_filterLine, &QLineEdit::clear);
    connect(&context.accuracy, &AccuracyStudy::changed, this, &RunsView::refresh);
    connect(&context.accuracy, &AccuracyStudy::chosenChanged, this, &RunsView::refresh);
    connect(&context.accuracy, &AccuracyStudy::progressed, this, &RunsView::refresh);
    connect(&context.accuracy, &AccuracyStudy::runChanged, this, &RunsView::showRun);
    refresh();
}

void RunsView::makeTable() {
    m_table->setObjectName(QStringLiteral("accuracy.runs"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(m_filter);
    prepareFigureTable(m_table, new AccuracyDelegate(m_table), kRunColumns, RunTableModel::ModelName);
    m_table->sortByColumn(RunTableModel::Error, Qt::DescendingOrder);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    m_context.accuracy.setRun(m_model->runAt(m_filter->mapToSource(current)));
            });
    offerRowMenu(m_table, "accuracy", m_context.commands);
    connect(m_table, &QTableView::doubleClicked, m_context.commands.action("accuracy.open"),
            &QAction::trigger);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &RunsView::refreshSpans);
    connect(m_filter, &QAbstractItemModel::layoutChanged, this, &RunsView::refreshSpans);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, &RunsView::refreshSpans);
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &RunsView::refreshSpans);
}

void RunsView::makeTools() {
    auto* tools = new QWidget(this); // the dock takes it, where there is one
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    m_filterLine->setObjectName(QStringLiteral("accuracy.filter"));
    m_filterLine->setAccessibleName(tr("Filter runs"));
    m_filterLine->setPlaceholderText(tr("Filter runs"));
    m_filterLine->setToolTip(tr("Words that appear in the row, reasons of refused ones included"));
    m_filterLine->addAction(icon(QStringLiteral("filter"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_filterLine->setClearButtonEnabled(true);
    m_filterLine->setFixedSize(200, 22);
    connect(m_filterLine, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilter(text);
        refresh();
    });
    row->addWidget(m_filterLine);
    setTitleTools(tools);
}

void RunsView::bindCommands() {
    Commands& c = m_context.commands;
    AccuracyStudy& study = m_context.accuracy;
    c.attach("accuracy", this);
    c.bind("accuracy.open", this, [&study] { study.requestOpen(study.run()); });
    c.bind("accuracy.leaveOut", this,
           [&study] { study.setLeftOut(study.run(), !study.isLeftOut(study.run())); });
    c.bind("accuracy.filter", this, [this] {
        m_filterLine->setFocus();
        m_filterLine->selectAll();
    });
}

void RunsView::refresh() {
    const AccuracyStudy& study = m_context.accuracy;
    const int all = m_model->rowCount(), shown = m_filter->rowCount();
    if (all == 0) {
        m_empty->setText(study.isRunning() ? tr("Predicting") : tr("No runs"),
                         study.isRunning() ? QString() : tr("Choose a source, or load runs of your own."));
        m_empty->setButton({}, {});
        setSubtitle(QString());
    } else {
        int everywhere = 0;
        for (const StudySource& source : study.sources())
            everywhere += static_cast<int>(source.rows.size());
        const bool byError = m_table->horizontalHeader()->sortIndicatorSection() == RunTableModel::Error;
        setSubtitle(tr("%1 of %2%3")
                        .arg(countText(shown), countText(everywhere),
                             byError ? tr(", largest error first") : QString()));
        if (shown == 0) {
            m_empty->setText(tr("0 of %1 shown").arg(all),
                             tr("No run matches \u201c%1\u201d.").arg(m_filterLine->text()));
            m_empty->setButton(tr("Clear filter"), QStringLiteral("close"));
        }
    }
    m_pages->setCurrentIndex(all == 0 || shown == 0 ? 1 : 0);
    refreshSpans();
    showRun();
}

void RunsView::refreshSpans() {
    m_table->clearSpans();
    for (int row = 0; row < m_filter->rowCount(); ++row)
        if (!m_filter->index(row, RunTableModel::Measured).data(ReasonRole).toString().isEmpty())
            m_table->setSpan(row, RunTableModel::Measured, 1,
                             RunTableModel::Error - RunTableModel::Measured + 1);
}

void RunsView::showRun() {
    const QModelIndex at = m_filter->mapFromSource(m_model->indexOf(m_context.accuracy.run()));
    if (!at.isValid()) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
        return;
    }
    if (m_table->currentIndex().row() == at.row() && m_table->selectionModel()->isRowSelected(at.row()))
        return;
    m_table->selectRow(at.row());
    m_table->scrollTo(at);
}

void RunsView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    hideFigureColumns(m_table, kRunColumns, kRunHideOrder, width());
}

} // namespace pw
