// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QLabel;
class QModelIndex;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace pw {

class AblationList;
class EmptyState;
class MessageBar;
class TournamentModel;
class TournamentOrder;

// All planners on one problem, a row each, with those that run without a part. A row's plan joins the plans
// when it is opened.
class TournamentView : public View {
    Q_OBJECT

public:
    explicit TournamentView(AppContext& context, QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }
    AblationList* ablations() const { return m_ablations; }
    MessageBar* stale() const { return m_stale; }
    EmptyState* empty() const { return m_empty; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void makeTools();
    QWidget* makeProgress();
    void refresh();
    void refreshEmpty();
    void refreshProgress();
    void refreshSpans();
    void showPlan(const QModelIndex& at);

    AppContext& m_context;
    TournamentModel* m_model;
    TournamentOrder* m_sorted;
    MessageBar* m_stale;
    QStackedWidget* m_pages;
    QTableView* m_table;
    EmptyState* m_empty;
    AblationList* m_ablations;
    QPushButton* m_without;
    QWidget* m_progress;
    QProgressBar* m_bar;
    QLabel* m_progressText;
};

} // namespace pw
