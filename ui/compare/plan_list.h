// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QStackedWidget;
class QTableView;

namespace pw {

// The plans beside the comparison: a row dragged onto the lanes, or Enter on it, takes its plan in.
class PlanList : public View {
    Q_OBJECT

public:
    explicit PlanList(AppContext& context, QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }

private:
    void refresh();

    AppContext& m_context;
    QTableView* m_table;
    QStackedWidget* m_pages;
};

} // namespace pw
