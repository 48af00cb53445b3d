// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plans/plan_columns.h"

#include "ui/base/theme.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/candidates.h"

#include <QFontMetrics>
#include <QHeaderView>
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
    PlanTableModel::Launch,  PlanTableModel::Measured, PlanTableModel::Origin, PlanTableModel::Note,
    PlanTableModel::Differs, PlanTableModel::Tokens,   PlanTableModel::Rank,   PlanTableModel::Expected,
    PlanTableModel::Beside,  PlanTableModel::Bubble,   PlanTableModel::Chance};

} // namespace

void widenColumns(QHeaderView& header) {
    for (const Width& width : kWidths)
        header.resizeSection(width.column, width.pixels);
}

void hideColumns(QTableView& table, int room) {
    int wanted = 0;
    for (const Width& width : kWidths)
        wanted += width.pixels;
    for (const PlanTableModel::Column column : kHideOrder) {
        const bool hide = wanted > room;
        table.setColumnHidden(column, hide);
        if (hide)
            wanted -= std::find_if(std::begin(kWidths), std::end(kWidths), [column](const Width& w) {
                          return w.column == column;
                      })->pixels;
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
