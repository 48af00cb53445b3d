// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/differences_view.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/compare/difference_model.h"
#include "ui/session/compare_set.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr int kRow = 22, kMostWords = 4, kSide = 8; // px: a row of one line, beside what stands in a cell
constexpr int kWords = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap;
constexpr int kFigures = 74, kChange = 74, kName = 150, kLeastName = 90; // px of columns

bool isWords(const QModelIndex& index) {
    return index.column() == 0 || index.data(FieldModel::DiffersRole).isValid();
}

// Words take as many lines as their column makes of them.
void fitRows(QTableView* table) {
    const QAbstractItemModel* model = table->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        int most = kRow;
        for (int column = 0; column < model->columnCount(); ++column) {
            const QModelIndex index = model->index(row, column);
            if (!isWords(index))
                continue;
            const QFontMetrics metrics(qvariant_cast<QFont>(index.data(Qt::FontRole)));
            const QRect room(0, 0, std::max(1, table->columnWidth(column) - 2 * kSide), 0);
            most = std::max(most,
                            metrics.boundingRect(room, kWords, index.data().toString()).height() + kRow / 4);
        }
        table->setRowHeight(row, most);
    }
}

// Figures with digits of one width; a change has its bar around a zero line in front of the figure.
class DifferenceDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& t = theme();
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        painter->fillRect(option.rect, chosen ? t.accentGround : t.panel);
        if (index.data(DifferenceModel::TotalRole).toBool())
            painter->fillRect(option.rect.left(), option.rect.top(), option.rect.width(), 1, t.line);
        if (chosen && index.column() == 0)
            painter->fillRect(option.rect.left(), option.rect.top(), 3, option.rect.height(), t.accent);
        const QRect room = option.rect.adjusted(kSide, 0, -kSide, 0);
        painter->setFont(qvariant_cast<QFont>(index.data(Qt::FontRole)));
        painter->setPen(qvariant_cast<QColor>(index.data(Qt::ForegroundRole)));
        const QString text = index.data(Qt::DisplayRole).toString();
        const QVariant change = index.data(DifferenceModel::ChangeRole);
        if (!change.isValid()) {
            if (isWords(index))
                painter->drawText(room, kWords, text);
            else
                paintFigures(*painter, room, Qt::AlignRight, text);
            return;
        }
        paintFigures(*painter, room, Qt::AlignRight, text);
        const double scale = index.data(DifferenceModel::ScaleRole).toDouble();
        const int bars = room.width() - 58;
        if (bars < 12 || scale <= 0.0 || index.data(DifferenceModel::TotalRole).toBool())
            return;
        const int zero = room.left() + bars / 2;
        const int length = static_cast<int>(
            std::lround(std::clamp(change.toDouble() / scale, -1.0, 1.0) * (bars / 2.0 - 2.0)));
        const QRect bar(std::min(zero, zero + length), room.center().y() - 4, std::abs(length), 9);
        painter->fillRect(bar, change.toDouble() < 0.0 ? t.ok : t.err);
        painter->fillRect(zero, option.rect.top() + 3, 1, option.rect.height() - 6, t.text3);
    }
};

QTableView* figureTable(const QString& name, const QString& accessible, QAbstractItemModel* model) {
    auto* table = new QTableView;
    table->setObjectName(name);
    table->setAccessibleName(accessible);
    table->setModel(model);
    table->setItemDelegate(new DifferenceDelegate(table));
    quietTable(table, kRow);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel); // a row may be higher than the view
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    QObject::connect(table->horizontalHeader(), &QHeaderView::sectionResized, table,
                     [table] { fitRows(table); });
    return table;
}

} // namespace

DifferencesView::DifferencesView(AppContext& context, QWidget* parent)
    : View(parent), m_set(context.compare), m_differences(new DifferenceModel(m_set, this)),
      m_fields(new FieldModel(m_set, this)), m_pages(new QStackedWidget), m_words(new QLabel),
      m_table(figureTable(QStringLiteral("compare.differences"), tr("Differences"), m_differences)),
      m_fieldTable(figureTable(QStringLiteral("compare.fields"), tr("Plans' properties"), m_fields)) {
    setObjectName(QStringLiteral("differencesView"));
    setAccessibleName(tr("Differences"));
    setSubtitle(tr("largest first"));
    m_words->setObjectName(QStringLiteral("compare.words"));
    m_words->setWordWrap(true);
    m_words->setContentsMargins(10, 8, 10, 8);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* page = new QWidget;
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_words);
    column->addWidget(m_table, 5);
    column->addWidget(m_fieldTable, 4);
    auto* empty = new EmptyState(QStringLiteral("table"));
    empty->setText(tr("Nothing to compare"), tr("What differs between plans stands here, largest first."));
    m_pages->addWidget(empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    offerRowMenu(m_table, "differences", context.commands);
    offerRowMenu(m_fieldTable, "plan fields", context.commands);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                const bool cause = current.isValid() && current.row() + 1 < m_differences->rowCount();
                m_set.setChosen(cause ? current.row() : -1);
            });
    connect(&m_set, &CompareSet::changed, this, &DifferencesView::refresh);
    connect(&m_set, &CompareSet::chosenChanged, this, &DifferencesView::showChosen);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this] {
        m_table->viewport()->update();
        m_fieldTable->viewport()->update();
    });
    refresh();
}

void DifferencesView::refresh() {
    const Comparison* comparison = m_set.comparison();
    m_pages->setCurrentIndex(comparison ? 1 : 0);
    if (!comparison)
        return;
    QStringList lines;
    for (const std::string& words : comparison->sentences)
        if (lines.size() < kMostWords)
            lines << sentence(words) + QLatin1Char('.');
    m_words->setText(lines.join(QLatin1Char('\n')));
    for (QTableView* table : {m_table, m_fieldTable}) {
        QHeaderView* header = table->horizontalHeader();
        header->setSectionResizeMode(QHeaderView::Stretch);
        header->setSectionResizeMode(0, QHeaderView::Fixed);
        header->resizeSection(0, 118);
        const auto plans = static_cast<int>(comparison->names.size());
        for (int plan = 0; table == m_table && plan < plans;
             ++plan) { // the changes, with their bars, get the rest
            header->setSectionResizeMode(1 + plan, QHeaderView::Fixed);
            header->resizeSection(1 + plan, plans == 2 ? kFigures : 62);
        }
        // More than one column of changes does not fit beside the figures: then the table scrolls.
        for (int change = 1 + plans; table == m_table && plans > 2 && change < 2 * plans; ++change) {
            header->setSectionResizeMode(change, QHeaderView::Fixed);
            header->resizeSection(change, 110);
        }
    }
    fitNames();
    fitRows(m_table);
    fitRows(m_fieldTable);
    showChosen();
}

// Of two plans the changes keep room for their figures: the names beside them give way.
void DifferencesView::fitNames() {
    const Comparison* comparison = m_set.comparison();
    if (!comparison)
        return;
    const int rest = width() - m_table->verticalScrollBar()->sizeHint().width() - 2 * kFigures - kChange;
    m_table->horizontalHeader()->resizeSection(
        0, comparison->names.size() == 2 ? std::clamp(rest, kLeastName, kName) : kName);
}

void DifferencesView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    fitNames();
}

void DifferencesView::showChosen() {
    if (m_set.chosen() < 0) {
        m_table->clearSelection();
        m_table->setCurrentIndex({});
    } else if (m_table->currentIndex().row() != m_set.chosen()) {
        m_table->selectRow(m_set.chosen());
    }
}

} // namespace pw
