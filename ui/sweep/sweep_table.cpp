// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_table.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_table_model.h"
#include "ui/widgets/figure_table.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace pw {

namespace {

constexpr int kRow = 22, kLeast = 64, kMost = 220, kCellPad = 8; // px

// All text on one line of writing, figures with digits of one width.
class FigureDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem ground = option;
        initStyleOption(&ground, index);
        const QString text = std::exchange(ground.text, QString());
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, option.widget);
        const bool selected = option.state & QStyle::State_Selected;
        painter->setFont(option.font);
        painter->setPen(ground.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        const QRect room = option.rect.adjusted(kCellPad, 0, -kCellPad, 0);
        if (index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight)
            paintFigures(*painter, room, Qt::AlignRight | Qt::AlignVCenter, text);
        else
            painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                              option.fontMetrics.elidedText(text, Qt::ElideMiddle, room.width()));
    }
};

} // namespace

SweepTable::SweepTable(AppContext& context, QWidget* parent)
    : QTableView(parent), m_study(SweepStudy::of(context.document)),
      m_model(new SweepTableModel(m_study, this)) {
    setModel(m_model);
    quietTable(this, kRow);
    setItemDelegate(new FigureDelegate(this));
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->setMinimumSectionSize(40);
    setSortingEnabled(true);
    sortByColumn(0, Qt::AscendingOrder);
    offerRowMenu(this, "sweep tasks", context.commands);
    connect(this, &QTableView::doubleClicked, context.commands.action("sweep.openPlan"), &QAction::trigger);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (current.isValid())
                    m_study.setChosen(m_model->taskAt(current.row()));
            });
    connect(m_model, &QAbstractItemModel::modelReset, this, &SweepTable::sizeColumns);
    connect(&m_study, &SweepStudy::chosenChanged, this, &SweepTable::showChosen);
    sizeColumns();
}

// By the headings, so that no width depends on which rows are looked at.
void SweepTable::sizeColumns() {
    if (m_model->columnCount() != m_sized)
        for (int column = 0; column < m_model->columnCount(); ++column)
            setColumnWidth(column,
                           std::clamp(horizontalHeader()->sectionSizeHint(column) + 8, kLeast, kMost));
    m_sized = m_model->columnCount();
    showChosen();
}

void SweepTable::showChosen() {
    const int row = m_model->rowOf(m_study.chosen());
    if (row < 0)
        return clearSelection();
    if (currentIndex().row() == row && selectionModel()->isRowSelected(row))
        return;
    selectRow(row);
    scrollTo(m_model->index(row, 0));
}

} // namespace pw
