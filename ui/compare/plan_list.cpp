// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/plan_list.h"

#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/plans/plan_delegate.h"
#include "ui/plans/plan_filter.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/candidates.h"
#include "ui/session/compare_set.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"

#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace pw {

PlanList::PlanList(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_table(new QTableView), m_pages(new QStackedWidget) {
    setObjectName(QStringLiteral("planList"));
    setAccessibleName(tr("Plans to compare"));
    auto* order = new PlanFilter(this); // current plans first; near ties are seen, too
    order->setSourceModel(new PlanTableModel(context, this));
    order->setAccepts([](int) { return true; });
    order->sort(PlanTableModel::Iteration);
    m_table->setObjectName(QStringLiteral("planList.table"));
    m_table->setAccessibleName(tr("Plans to compare"));
    m_table->setModel(order);
    m_table->setItemDelegate(new PlanDelegate(m_table));
    quietTable(m_table, 20);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setDragDropMode(QAbstractItemView::DragOnly);
    QHeaderView* header = m_table->horizontalHeader();
    for (int column = 0; column < PlanTableModel::ColumnCount; ++column) {
        const bool shown = column == PlanTableModel::Name || column == PlanTableModel::Iteration ||
                           column == PlanTableModel::Idle || column == PlanTableModel::Origin;
        m_table->setColumnHidden(column, !shown);
        header->setSectionResizeMode(column, QHeaderView::Stretch);
    }
    auto* empty = new EmptyState(QStringLiteral("table"));
    empty->setText(tr("No plans yet"), tr("Plans appear here as the search finds them."));
    m_pages->addWidget(m_table);
    m_pages->addWidget(empty);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    setMinimumSize(240, 96);
    setFocusProxy(m_table);
    const auto add = [this](const QModelIndex& index) {
        if (index.isValid())
            m_context.compare.add(index.data(PlanTableModel::IdRole).toInt());
    };
    connect(m_table, &QTableView::activated, this, add);
    context.commands.attach("plans to compare", m_table);
    context.commands.bind("compare.add", this, [this, add] { add(m_table->currentIndex()); });
    offerRowMenu(m_table, "plans to compare", context.commands);
    connect(&context.candidates, &Candidates::changed, this, &PlanList::refresh);
    refresh();
}

void PlanList::refresh() {
    const bool any = !m_context.candidates.all().empty();
    m_pages->setCurrentIndex(any ? 0 : 1);
    setSubtitle(any ? tr("drag one onto the lanes, or press Enter") : QString());
}

} // namespace pw
