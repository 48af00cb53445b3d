// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/figure_table.h"

#include "ui/base/theme.h"

#include <QHeaderView>
#include <QTableView>

namespace pw {

void prepareFigureTable(QTableView* table, QAbstractItemDelegate* delegate, const FigureColumns& columns,
                        int stretched) {
    table->setItemDelegate(delegate);
    table->setFrameShape(QFrame::NoFrame);
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setMinimumSectionSize(20);
    table->verticalHeader()->setDefaultSectionSize(22);
    QHeaderView* header = table->horizontalHeader();
    header->setFixedHeight(24);
    header->setHighlightSections(false);
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
