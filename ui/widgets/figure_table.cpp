// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/figure_table.h"

#include "ui/base/theme.h"
#include "ui/widgets/eliding_header.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace pw {

void quietTable(QTableView* table, int rowHeight, int headerHeight) {
    table->setHorizontalHeader(new ElidingHeader(Qt::Horizontal, table));
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(std::min(rowHeight, 20));
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setFixedHeight(headerHeight);
    table->horizontalHeader()->setHighlightSections(false);
}

void prepareFigureTable(QTableView* table, QAbstractItemDelegate* delegate, const FigureColumns& columns,
                        int stretched) {
    quietTable(table, 22);
    table->setItemDelegate(delegate);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView* header = table->horizontalHeader();
    header->setMinimumSectionSize(24);
    for (const FigureColumn& width : columns)
        header->resizeSection(width.column, width.pixels);
    header->setSectionResizeMode(stretched, QHeaderView::Stretch);
    table->setSortingEnabled(true);
    QObject::connect(&ThemeControl::instance(), &ThemeControl::changed, table->viewport(),
                     qOverload<>(&QWidget::update));
}

int stepRow(QAbstractItemView* table, int by) {
    const int rows = table->model()->rowCount();
    if (rows == 0)
        return -1;
    const QModelIndex current = table->currentIndex();
    const int now = current.isValid() ? current.row() : by > 0 ? -1 : rows;
    const int next = (now + by + rows) % rows;
    table->setCurrentIndex(table->model()->index(next, 0)); // with the whole row, as the tables select
    return next;
}

void hideFigureColumns(QTableView* table, const FigureColumns& columns, const std::vector<int>& order,
                       int room) {
    int wanted = 0;
    for (const FigureColumn& width : columns)
        wanted += width.pixels;
    for (const int column : order) {
        const bool hide = wanted > room;
        table->setColumnHidden(column, hide);
        if (!hide)
            continue;
        for (const FigureColumn& width : columns)
            wanted -= width.column == column ? width.pixels : 0;
    }
}

} // namespace pw
