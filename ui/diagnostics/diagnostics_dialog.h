// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/diagnostics/bug_report.h"
#include "ui/diagnostics/log_tail.h"

#include <QDialog>
#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QModelIndex;
class QPlainTextEdit;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace pw {

class EmptyState;
class LogFilter;
class LogModel;
class MessageBar;
class WindowLog;

// The log as it grows, the reports of crashes, and the button that puts both with versions and settings on
// the clipboard for a bug report.
class DiagnosticsDialog : public QDialog {
    Q_OBJECT

public:
    DiagnosticsDialog(const WindowLog& log, Facts settings, QWidget* parent = nullptr);
    LogModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }
    void look();        // at what has come since
    void showCrashes(); // the reports of crashes, the latest chosen
    QString report();   // as it is copied

private:
    QWidget* makeLogPage();
    QWidget* makeCrashPage();
    QWidget* makeButtons();
    void showChosen(const QModelIndex& event);
    void showCrash(int row);
    void refresh();

    const WindowLog& m_log;
    const Facts m_settings;
    LogTail m_tail;
    QTimer m_timer;
    LogModel* m_model;
    LogFilter* m_filter;
    std::vector<CrashReport> m_crashes;
    MessageBar* m_failure;
    QTabBar* m_tabs;
    QStackedWidget* m_tabPages;
    QComboBox* m_level;
    QLineEdit* m_find;
    QCheckBox* m_follow;
    QStackedWidget* m_logPages;
    QTableView* m_table;
    QPlainTextEdit* m_chosen;
    EmptyState* m_empty;
    QStackedWidget* m_crashPages;
    QListWidget* m_crashList;
    QPlainTextEdit* m_crashText;
    QLabel* m_state;
};

} // namespace pw
