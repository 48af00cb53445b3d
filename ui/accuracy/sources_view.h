// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"
#include "ui/session/view.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace pw {

class EmptyState;
class MessageBar;
class SourceTableModel;

// One row a source, never pooled. The current row is the chosen source; further selected ones stand out by
// shape among the points. Tables of own runs are loaded here.
class SourcesView : public View {
    Q_OBJECT

public:
    explicit SourcesView(AccuracyContext& context, QWidget* parent = nullptr);
    QTableView* table() const { return m_table; }
    MessageBar* message() const { return m_message; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeTable();
    void makeTools();
    void makeProgress();
    void refresh();
    void takeSelection();
    void showChosen();
    void askMachine(const QStringList& logs);

    AccuracyContext& m_context;
    SourceTableModel* m_model;
    QSortFilterProxyModel* m_sorted;
    MessageBar* m_message;
    QStackedWidget* m_pages;
    QTableView* m_table;
    EmptyState* m_empty;
    QWidget* m_progress;
    QProgressBar* m_bar;
    QLabel* m_progressText;
    QPushButton* m_stop;
    QPushButton* m_remove;
    bool m_wasRunning = false;
    bool m_showing = false; // the table follows the study, not the user
};

} // namespace pw
