// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plan_columns.h"

#include "ui/base/theme.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/candidates.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QHeaderView>
#include <QMenu>
#include <QMetaEnum>
#include <QTableView>

#include <algorithm>

namespace pw {

namespace {

struct Width {
    PlanTableModel::Column column;
    int pixels;
};
constexpr Width kWidths[] = {
    {PlanTableModel::Pin, 28},         {PlanTableModel::Name, 72},      {PlanTableModel::Ties, 44},
    {PlanTableModel::Iteration, 156},  {PlanTableModel::Expected, 128}, {PlanTableModel::Beside, 104},
    {PlanTableModel::Tokens, 80},      {PlanTableModel::Bubble, 116},   {PlanTableModel::Idle, 64},
    {PlanTableModel::PeakMemory, 190}, {PlanTableModel::Chance, 96},    {PlanTableModel::Stages, 220},
    {PlanTableModel::Schedule, 92},    {PlanTableModel::Launch, 96},    {PlanTableModel::Trainers, 116},
    {PlanTableModel::Measured, 92},    {PlanTableModel::Rank, 48},      {PlanTableModel::Origin, 76},
    {PlanTableModel::Note, 120},       {PlanTableModel::Differs, 150},
};
// What a narrow table gives up first.
constexpr PlanTableModel::Column kHideOrder[] = {
    PlanTableModel::Launch, PlanTableModel::Measured, PlanTableModel::Origin, PlanTableModel::Note,
    PlanTableModel::Rank,   PlanTableModel::Tokens,   PlanTableModel::Bubble, PlanTableModel::Expected,
    PlanTableModel::Beside, PlanTableModel::Differs,  PlanTableModel::Chance};

} // namespace

void widenColumns(QHeaderView& header) {
    for (const Width& width : kWidths)
        header.resizeSection(width.column, width.pixels);
}

void PlanColumns::fit(QTableView& table, int room) const {
    int wanted = 0;
    for (const Width& width : kWidths)
        if (const auto own = m_wanted.find(width.column); own == m_wanted.end() || own->second)
            wanted += width.pixels;
    for (const PlanTableModel::Column column : kHideOrder) {
        const auto own = m_wanted.find(column);
        const bool hide = own == m_wanted.end() ? wanted > room : !own->second;
        table.setColumnHidden(column, hide);
        if (hide && own == m_wanted.end())
            wanted -= std::ranges::find(kWidths, column, &Width::column)->pixels;
    }
}

void PlanColumns::offer(QMenu& menu, const QTableView& table, const std::function<void()>& changed) {
    for (const Width& width : kWidths) {
        const int column = width.column;
        if (std::ranges::find(kHideOrder, column) == std::end(kHideOrder))
            continue;
        QAction* action = menu.addAction(table.model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!table.isColumnHidden(column));
        QObject::connect(action, &QAction::toggled, &menu, [this, column, changed](bool on) {
            m_wanted[column] = on;
            changed();
        });
    }
    menu.addSeparator();
    QAction* forget = menu.addAction(QCoreApplication::translate("PlansView", "As many as have &room"), &menu,
                                     [this, changed] {
                                         m_wanted.clear();
                                         changed();
                                     });
    forget->setEnabled(!m_wanted.empty());
}

QByteArray PlanColumns::kept() const {
    QByteArrayList words;
    for (const auto& [column, shown] : m_wanted)
        words << QByteArray(QMetaEnum::fromType<PlanTableModel::Column>().valueToKey(column)) +
                     (shown ? "=1" : "=0");
    return words.join(' ');
}

void PlanColumns::restore(const QByteArray& kept) {
    m_wanted.clear();
    for (const QByteArray& word : kept.split(' ')) {
        const qsizetype sign = word.indexOf('=');
        const int column =
            QMetaEnum::fromType<PlanTableModel::Column>().keyToValue(word.left(std::max<qsizetype>(sign, 0)));
        if (std::ranges::find(kHideOrder, column) != std::end(kHideOrder))
            m_wanted[column] = word.mid(sign + 1) == "1";
    }
}

// Plans are mostly numbers; names, and plans of other projects, get room as far as there is any: not that of
// the stages, which take what is left.
int namesWidth(const QHeaderView& header, const Candidates& plans, int room) {
    constexpr int kWidest = 184, kPadding = 20, kLeastStages = 110;
    const QFontMetrics metrics(bodyFont(QFont::Medium));
    int wanted = kWidths[PlanTableModel::Name].pixels;
    for (const Candidate& candidate : plans.all())
        if (candidate.named && wanted < kWidest)
            wanted =
                std::min(kWidest, std::max(wanted, metrics.horizontalAdvance(candidate.name) + kPadding));
    room -= kLeastStages;
    for (const Width& column : kWidths)
        if (column.column != PlanTableModel::Name && column.column != PlanTableModel::Stages)
            room -= header.sectionSize(column.column); // 0 where it is hidden
    return std::max(kWidths[PlanTableModel::Name].pixels, std::min(wanted, room));
}

} // namespace pw
