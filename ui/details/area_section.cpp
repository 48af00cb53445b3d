// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/area_section.h"

#include "core/timeline/area.h"
#include "ui/base/format.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/time_axis.h"
#include "ui/widgets/figure_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr int kAreaRow = 20, kHead = 22;
enum Column { Kind, Count, Sum, Shortest, Mean, Longest, ColumnCount };

// One unit for all lengths of the table, so that they can be compared at a glance.
struct Unit {
    const char* name;
    double nanoseconds;
};
Unit unitFor(std::int64_t longest) {
    return longest >= 10'000'000'000 ? Unit{"s", 1e9}
           : longest >= 10'000       ? Unit{"ms", 1e6}
                                     : Unit{"\u00b5s", 1e3};
}

QString lengthText(double nanoseconds, const Unit& unit) {
    const double value = nanoseconds / unit.nanoseconds;
    return decimalText(value, value >= 1000.0 ? 0 : value >= 100.0 ? 1 : 2);
}

} // namespace

AreaSection::AreaSection(CurrentPlan& plan, TimeRange& range, QWidget* parent)
    : QWidget(parent), m_plan(plan), m_range(range), m_title(new QWidget), m_name(new QLabel),
      m_bubble(new QLabel), m_table(new QTableWidget) {
    setObjectName(QStringLiteral("details.area"));
    m_title->setFixedHeight(24);
    m_title->setAutoFillBackground(true);
    m_name->setFont(bodyFont(500));
    m_name->setObjectName(QStringLiteral("details.areaName"));
    m_bubble->setObjectName(QStringLiteral("details.areaBubble"));
    auto* head = new QHBoxLayout(m_title);
    head->setContentsMargins(10, 0, 10, 0);
    head->addWidget(m_name, 1);
    head->addWidget(m_bubble);
    m_table->setObjectName(QStringLiteral("details.areaTable"));
    m_table->setAccessibleName(tr("Bars of the area"));
    m_table->setColumnCount(ColumnCount);
    quietTable(m_table, kAreaRow, kHead);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFont(smallFont());
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionsClickable(false);
    header->setMinimumSectionSize(20);
    header->setFont(smallFont());
    header->setStyleSheet(QStringLiteral("QHeaderView::section { padding: 0px 4px; }"));
    for (int column = Count; column < ColumnCount; ++column)
        m_table->setColumnWidth(column, column == Count ? 42 : 48);
    header->setSectionResizeMode(Kind, QHeaderView::Stretch);
    offerRowMenu(m_table, "area");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_table);
    connect(&plan, &CurrentPlan::changed, this, &AreaSection::refresh);
    connect(&range, &TimeRange::selectedChanged, this, &AreaSection::refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &AreaSection::recolour);
    recolour();
    refresh();
}

void AreaSection::recolour() {
    const Theme& t = theme();
    setOwnColour(*m_title, QPalette::Window, t.head);
    setOwnColour(*m_bubble, QPalette::WindowText, t.text2);
}

void AreaSection::refresh() {
    const auto& plan = m_plan.plan();
    const bool shown = plan && m_range.hasSelected();
    setVisible(shown);
    if (!shown)
        return;
    const int last = static_cast<int>(plan->timeline->tracks.size()) - 1;
    const bool rows = m_range.firstTrack() >= 0 && m_range.lastTrack() <= last;
    const int from = rows ? m_range.firstTrack() : 0, to = rows ? m_range.lastTrack() : last;
    const AreaStatistics area = areaStatistics(*plan->timeline, from, to, m_range.selected());
    const auto stageOf = [&](int track) {
        return plan->timeline->tracks[static_cast<std::size_t>(track)].stage;
    };
    m_name->setText(from == to
                        ? tr("%1 of stage %2").arg(spanText(m_range.selected().span())).arg(stageOf(from))
                        : tr("%1 of stages %2 to %3")
                              .arg(spanText(m_range.selected().span()))
                              .arg(stageOf(from))
                              .arg(stageOf(to)));
    m_bubble->setText(tr("%1 idle").arg(shareText(area.bubble())));

    std::int64_t longest = area.idle;
    for (const KindStatistics& kind : area.byKind)
        longest = std::max(longest, kind.sum);
    const Unit unit = unitFor(longest);
    m_table->setHorizontalHeaderLabels({tr("Lengths in %1").arg(QString::fromUtf8(unit.name)), tr("Bars"),
                                        tr("Sum"), tr("Min"), tr("Mean"), tr("Max")});
    for (int column = 0; column < ColumnCount; ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter | (column == Kind ? Qt::AlignLeft : Qt::AlignRight));
    m_table->setRowCount(0);
    const auto addRow = [&](const QStringList& texts) {
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(texts.value(column));
            item->setTextAlignment(Qt::AlignVCenter | (column == Kind ? Qt::AlignLeft : Qt::AlignRight));
            item->setFont(smallFont());
            m_table->setItem(row, column, item);
        }
    };
    for (int k = 0; k < kBarKinds; ++k) {
        const KindStatistics& kind = area.byKind[static_cast<std::size_t>(k)];
        if (kind.count == 0)
            continue;
        addRow({kindName(static_cast<BarKind>(k)), countText(static_cast<std::int64_t>(kind.count)),
                lengthText(static_cast<double>(kind.sum), unit),
                lengthText(static_cast<double>(kind.min), unit), lengthText(kind.mean(), unit),
                lengthText(static_cast<double>(kind.max), unit)});
    }
    addRow({tr("Idle"), {}, lengthText(static_cast<double>(area.idle), unit), {}, {}, {}});
    m_table->setFixedHeight(kHead + kAreaRow * m_table->rowCount() + 2);
}

} // namespace pw
