// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"
#include "ui/session/time_range.h"

#include <QWidget>

class QLabel;
class QTableWidget;

namespace pw {

// The dragged area of the timeline in figures: a line a kind of bar with count, sum, shortest, mean and
// longest, and how much of the rows' time is idle. Hidden without an area.
class AreaSection : public QWidget {
    Q_OBJECT

public:
    AreaSection(CurrentPlan& plan, TimeRange& range, QWidget* parent = nullptr);
    const QTableWidget& table() const { return *m_table; }

private:
    void refresh();
    void recolour();

    CurrentPlan& m_plan;
    TimeRange& m_range;
    QWidget* m_title;
    QLabel* m_name;
    QLabel* m_bubble;
    QTableWidget* m_table;
};

} // namespace pw
