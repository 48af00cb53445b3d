// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"
#include "ui/session/view.h"

class QLineEdit;
class QStackedWidget;
class QTableView;

namespace pw {

class EmptyState;
class RunFilter;
class RunTableModel;

// The runs of the chosen source, largest error first, with those that are not predicted and why.
class RunsView : public View {
    Q_OBJECT

public:
    explicit RunsView(AccuracyContext& context, QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }
    QLineEdit* filterLine() const { return m_filterLine; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void makeTools();
    void bindCommands();
    void refresh();
    void refreshSpans();
    void showRun();

    AccuracyContext& m_context;
    RunTableModel* m_model;
    RunFilter* m_filter;
    QStackedWidget* m_pages;
    QTableView* m_table;
    EmptyState* m_empty;
    QLineEdit* m_filterLine;
};

} // namespace pw
