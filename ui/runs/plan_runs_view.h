// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"
#include "ui/runs/search_again.h"
#include "ui/session/view.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace pw {

class EmptyState;
class MessageBar;
class RunRowsModel;

// What ran of the plan in view: residuals by stage and kind of operation, what was slower than predicted and
// why, a second run beside the first, and the search again on the machine as it was measured.
class PlanRunsView : public View {
    Q_OBJECT

public:
    explicit PlanRunsView(AppContext& context, QWidget* parent = nullptr);

private:
    QWidget* makeBar();
    QTableView* makeTable(const char* name, const QString& accessible, RunRowsModel* model);
    void refresh();
    void fillChoices(int plan);
    void showNoRun();
    void showAgain();
    void jump(const QModelIndex& index);

    AppContext& m_context;
    CurrentPlan m_plan;
    SearchAgain m_again;
    RunRowsModel *m_residuals, *m_slower;
    MessageBar* m_message;
    EmptyState* m_empty;
    QStackedWidget* m_pages;
    QComboBox *m_run, *m_beside;
    QPushButton* m_search;
    QLabel *m_summary, *m_outcome, *m_nothing;
    QTableView *m_table = nullptr, *m_list = nullptr;
};

} // namespace pw
