// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/durations_view.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/time_axis.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kBins = 32;
constexpr int kColumns = 5, kName = 0; // group, bars, and three lengths

QComboBox* choice(const QString& name, const QString& help) {
    auto* box = new ElidingCombo;
    box->setObjectName(name);
    box->setAccessibleName(help);
    box->setToolTip(help);
    box->setFixedHeight(24);
    return box;
}

} // namespace

DurationsView::DurationsView(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)), m_selection(context.selection),
      m_range(context.timeRange) {
    build();
}

DurationsView::DurationsView(CurrentPlan& plan, Selection& selection, TimeRange& range, QWidget* parent)
    : View(parent), m_plan(plan), m_selection(selection), m_range(range) {
    build();
}

void DurationsView::build() {
    setObjectName(QStringLiteral("durations"));
    setAccessibleName(tr("Durations"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_kind = choice(QStringLiteral("durations.kind"), tr("Kind of bar"));
    m_by = choice(QStringLiteral("durations.by"), tr("Groups"));
    m_by->addItem(tr("by stage"));
    m_by->addItem(tr("by kind of device"));
    m_bars = new DurationBars;
    m_table = new QTableWidget(0, kColumns);
    m_table->setObjectName(QStringLiteral("durations.groups"));
    m_table->setAccessibleName(tr("Groups of bars"));
    m_table->setHorizontalHeaderLabels({tr("Group"), tr("Bars"), tr("Min"), tr("Mean"), tr("Max")});
    quietTable(m_table, 20, 22);
    m_table->setFont(smallFont());
    QHeaderView* header = m_table->horizontalHeader();
    header->setFont(smallFont());
    header->setMinimumSectionSize(30);
    header->setStyleSheet(QStringLiteral("QHeaderView::section { padding: 0px 4px; }"));
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(kName, QHeaderView::Stretch);
    for (int column = 0; column < kColumns; ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(
            Qt::AlignVCenter | (column == kName ? Qt::AlignLeft : Qt::AlignRight));

    RowMenu menu = tableMenu(m_table, "durations");
    menu.stage = [this] { return m_by->currentIndex() == static_cast<int>(GroupBy::Stage) ? group() : -1; };
    offerMenu(m_table, std::move(menu));

    auto* page = new QWidget;
    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(10, 5, 10, 1);
    tools->setSpacing(6);
    tools->addWidget(m_kind, 1);
    tools->addWidget(m_by, 1);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(tools);
    column->addWidget(m_bars, 3);
    column->addWidget(m_table, 2);
    auto* empty = new EmptyState(QStringLiteral("chart"));
    empty->setText(tr("No plan selected"), tr("Select a plan to see how long its bars take."));
    m_pages = new QStackedWidget;
    m_pages->addWidget(empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setMinimumSize(240, 140);
    setFocusProxy(m_bars);

    connect(m_kind, &QComboBox::currentIndexChanged, this, &DurationsView::refresh);
    connect(m_by, &QComboBox::currentIndexChanged, this, &DurationsView::planChanged);
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
            [this] { m_bars->show(m_durations, kind(), group(), m_plan.plan() && m_plan.plan()->stale); });
    connect(m_bars, &DurationBars::binClicked, this, &DurationsView::nextBar);
    connect(&m_plan, &CurrentPlan::changed, this, &DurationsView::planChanged);
    connect(&m_range, &TimeRange::visibleChanged, this, &DurationsView::refresh);
    connect(&m_range, &TimeRange::selectedChanged, this, &DurationsView::refresh);
    planChanged();
}

// Kinds that the plan has, and the groups of its rows.
void DurationsView::planChanged() {
    const auto& plan = m_plan.plan();
    m_pages->setCurrentIndex(plan ? 1 : 0);
    m_groupOf.clear();
    m_groups.clear();
    const QVariant before = m_kind->currentData();
    {
        const QSignalBlocker blocker(m_kind);
        m_kind->clear();
        for (int k = 0; plan && k < kBarKinds; ++k) {
            const auto has = [k](const Lane& lane) {
                for (std::size_t i = 0; i < lane.size(); ++i)
                    if (lane.kind(i) == static_cast<BarKind>(k))
                        return true;
                return false;
            };
            if (std::any_of(plan->timeline->tracks.begin(), plan->timeline->tracks.end(),
                            [&](const Track& track) {
                                return std::any_of(track.lanes.begin(), track.lanes.end(), has);
                            }))
                m_kind->addItem(kindName(static_cast<BarKind>(k)), k);
        }
        m_kind->setCurrentIndex(std::max(m_kind->findData(before), 0));
    }
    const bool byStage = m_by->currentIndex() == static_cast<int>(GroupBy::Stage);
    for (std::size_t t = 0; plan && t < plan->timeline->tracks.size(); ++t) {
        const ShownStage* stage = t < plan->stages.size() ? &plan->stages[t] : nullptr;
        QString kindOfDevice = stage ? stage->kind : QString();
        kindOfDevice.remove(0,
                            kindOfDevice.indexOf(QChar(0xD7)) + 1); // "2 x A100-40": how many does not matter
        const QString name =
            byStage ? tr("Stage %1").arg(plan->timeline->tracks[t].stage) : kindOfDevice.trimmed();
        const auto at = std::find(m_groups.begin(), m_groups.end(), name);
        m_groupOf.push_back(byStage ? static_cast<int>(t) : static_cast<int>(at - m_groups.begin()));
        if (byStage || at == m_groups.end())
            m_groups.push_back(name);
    }
    refresh();
}

TimeWindow DurationsView::window() const {
    return m_range.hasSelected() ? m_range.selected() : m_range.visible();
}

BarKind DurationsView::kind() const {
    return static_cast<BarKind>(m_kind->currentData().toInt());
}

int DurationsView::group() const {
    const QList<QTableWidgetItem*> chosen = m_table->selectedItems();
    return chosen.isEmpty() ? -1 : chosen.front()->data(Qt::UserRole).toInt();
}

void DurationsView::refresh() {
    const auto& plan = m_plan.plan();
    if (!plan) {
        setSubtitle({});
        return;
    }
    std::vector<int> groups = m_groupOf;
    if (m_range.hasSelected() && m_range.firstTrack() >= 0)
        for (int t = 0; t < static_cast<int>(groups.size()); ++t)
            if (t < m_range.firstTrack() || t > m_range.lastTrack())
                groups[static_cast<std::size_t>(t)] = -1;
    m_durations = durationsOf(*plan->timeline, kind(), window(), groups, kBins);
    fillTable();
    m_bars->show(m_durations, kind(), group(), plan->stale);
    const QString where = m_range.hasSelected()                           ? tr("in the area")
                          : m_range.visible().span() < m_range.traceEnd() ? tr("in what the timeline shows")
                                                                          : tr("of the iteration");
    setSubtitle(m_durations.estimated ? tr("%1, \u2234 estimated").arg(where) : where);
}

void DurationsView::fillTable() {
    const int before = group();
    const QSignalBlocker blocker(m_table);
    m_table->clearSelection();
    m_table->setRowCount(static_cast<int>(m_durations.groups.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const DurationGroup& group = m_durations.groups[static_cast<std::size_t>(row)];
        const KindStatistics& bars = group.bars;
        const QString texts[kColumns] = {m_groups[static_cast<std::size_t>(group.group)],
                                         countText(static_cast<std::int64_t>(bars.count)), spanText(bars.min),
                                         spanText(bars.sum / static_cast<std::int64_t>(bars.count)),
                                         spanText(bars.max)};
        for (int column = 0; column < kColumns; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setTextAlignment(Qt::AlignVCenter | (column == kName ? Qt::AlignLeft : Qt::AlignRight));
            item->setData(Qt::UserRole, group.group);
            m_table->setItem(row, column, item);
        }
        if (group.group == before)
            m_table->selectRow(row);
    }
}

void DurationsView::nextBar(int bin) {
    const auto& plan = m_plan.plan();
    if (!plan)
        return;
    std::vector<int> groups = m_groupOf;
    if (const int chosen = group(); chosen >= 0)
        for (int& each : groups)
            each = each == chosen ? each : -1;
    const Selection::Bar now = m_selection.bar();
    const DurationBar next = nextInBin(*plan->timeline, kind(), window(), groups, m_durations, bin,
                                       {now.track, now.lane, now.index});
    if (next.track >= 0)
        m_selection.setBar({next.track, next.lane, next.index});
}

} // namespace pw
