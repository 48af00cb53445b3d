// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/measurement_table.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>

namespace pw {

namespace {

bool isFigure(int column) {
    switch (column) {
    case MeasurementModel::Kind:
    case MeasurementModel::Operator:
    case MeasurementModel::Precision:
    case MeasurementModel::Source:
    case MeasurementModel::Date:
        return false;
    default:
        return true;
    }
}

QString dashed(double value, int decimals) {
    return value > 0 ? decimalText(value, decimals) : QStringLiteral("\u2013");
}

} // namespace

void MeasurementModel::setRows(std::vector<ProfileRow> rows) {
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

int MeasurementModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MeasurementModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant MeasurementModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != SortRole && role != Qt::ToolTipRole)
        return {};
    const ProfileRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool raw = role == SortRole;
    const auto figure = [raw](double value, const QString& text) {
        return raw ? QVariant(value) : QVariant(text);
    };
    switch (index.column()) {
    case Kind:
        return q(row.kind);
    case Layer:
        return figure(row.layer, countText(row.layer));
    case Operator:
        return row.op.empty() ? tr("whole layer") : q(row.shape.empty() ? row.op : row.op + " " + row.shape);
    case Tp:
        return figure(row.tp, countText(row.tp));
    case Mbs:
        return figure(row.mbs, countText(row.mbs));
    case Tokens:
        return figure(static_cast<double>(row.seq), row.seq > 0 ? countText(row.seq) : tr("any"));
    case Precision:
        return row.precision.empty() ? tr("any") : q(row.precision);
    case Forward:
        return figure(row.forward.value, dashed(row.forward.value * 1e3, 3));
    case Backward:
        return figure(row.backward.value, dashed(row.backward.value * 1e3, 3));
    case Memory:
        return figure(row.memory.value, dashed(row.memory.value / (1024.0 * 1024.0), 1));
    case Source:
        return q(row.source);
    case Date:
        return q(row.date);
    default:
        return {};
    }
}

QVariant MeasurementModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Kind:
        return tr("Kind");
    case Layer:
        return tr("Layer");
    case Operator:
        return tr("Operator");
    case Tp:
        return tr("tp");
    case Mbs:
        return tr("mbs");
    case Tokens:
        return tr("Tokens");
    case Precision:
        return tr("Precision");
    case Forward:
        return tr("Forward, ms");
    case Backward:
        return tr("Backward, ms");
    case Memory:
        return tr("Memory, MiB");
    case Source:
        return tr("Source");
    case Date:
        return tr("Date");
    default:
        return {};
    }
}

MeasurementTable::MeasurementTable(QWidget* parent)
    : QWidget(parent), m_model(new MeasurementModel(this)), m_sorted(new QSortFilterProxyModel(this)),
      m_filter(new QLineEdit), m_count(new QLabel), m_none(new QLabel), m_table(new QTableView) {
    m_filter->setObjectName(QStringLiteral("profiles.filter"));
    m_filter->setAccessibleName(tr("Filter measurements"));
    m_filter->setPlaceholderText(tr("Filter measurements"));
    m_filter->addAction(icon(QStringLiteral("filter"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_filter->setClearButtonEnabled(true);
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(MeasurementModel::SortRole);
    m_sorted->setFilterKeyColumn(-1);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_sorted->setFilterFixedString(text);
        refreshCount();
    });
    m_count->setFont(smallFont());
    m_count->setForegroundRole(QPalette::PlaceholderText);
    m_count->setObjectName(QStringLiteral("profiles.count"));
    m_none->setFont(smallFont());
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setMargin(10);
    m_none->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("profiles.measurements"));
    m_table->setAccessibleName(tr("Measurements"));
    m_table->setModel(m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(MeasurementModel::Kind, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(20);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setHighlightSections(false);
    const int widths[] = {128, 52, 96, 40, 48, 60, 72, 88, 94, 96, 220, 80};
    for (int column = 0; column < MeasurementModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, widths[column]);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid())
                    Q_EMIT chosen(
                        m_model->rows()[static_cast<std::size_t>(m_sorted->mapToSource(index).row())]);
            });
    offerRowMenu(m_table, "measurements");
    auto* find = new QShortcut(QKeySequence(QKeySequence::Find), this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_filter, [this] { m_filter->setFocus(Qt::ShortcutFocusReason); });
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 6, 10, 0);
    row->setSpacing(8);
    row->addWidget(m_filter, 1);
    row->addWidget(m_count);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_none);
    column->addWidget(m_table, 1);
}

void MeasurementTable::setRows(std::vector<ProfileRow> rows, std::int64_t more, const QString& whyNone) {
    m_more = more;
    m_none->setText(whyNone);
    m_none->setVisible(rows.empty());
    m_table->setVisible(!rows.empty());
    m_filter->setEnabled(!rows.empty());
    m_model->setRows(std::move(rows));
    refreshCount();
}

void MeasurementTable::refreshCount() {
    const auto all = static_cast<std::int64_t>(m_model->rows().size());
    const QString shown = m_filter->text().isEmpty()
                              ? tr("%1 rows").arg(countText(all))
                              : tr("%1 of %2 shown").arg(countText(m_sorted->rowCount()), countText(all));
    m_count->setText(m_more > 0 ? tr("%1, %2 more in the store").arg(shown, countText(m_more)) : shown);
}

} // namespace pw
