// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/plans/plan_columns.h"
#include "ui/session/view.h"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace pw {

class EmptyState;
class MessageBar;
class PlanFilter;
class PlanTableModel;

// All known plans: sort, filter, pin, choose. The chosen row is Selection's plan.
class PlansView : public View {
    Q_OBJECT

public:
    explicit PlansView(AppContext& context, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    QLineEdit* filterLine() const { return m_filterLine; }
    QByteArray columns() const { return m_columns.kept(); }
    void restoreColumns(const QByteArray& kept); // what columns() gave

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void makeTools();
    void bindCommands();
    void refresh();
    void fitNames();
    void fitColumns();
    void offerColumns(const QPoint& at); // in the header
    void refreshSpans();
    void showStale();
    void showCurrent();
    void goToRow(int row);
    void placeKeys();
    void togglePin(int id);
    void namePin(); // the command says what it does to the chosen plan
    void removeChosen();
    void toggleTies();
    int chosenId() const;

    AppContext& m_context;
    PlanTableModel* m_model;
    PlanFilter* m_filter;
    MessageBar* m_stale;
    QStackedWidget* m_pages;
    QTableView* m_table;
    EmptyState* m_empty;
    EmptyState* m_hidden;
    QLineEdit* m_filterLine;
    QLabel* m_count;
    PlanColumns m_columns;
    int m_nameWidth = 0;     // as the view has set it; another one is the user's
    bool m_choosing = false; // a row is becoming the current one
    bool m_placing = false;  // likewise, but only for the keys
};

} // namespace pw
