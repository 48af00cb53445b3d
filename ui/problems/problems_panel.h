// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "ui/session/view.h"

class QListWidget;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace pw {

struct AppContext;
class ProblemsModel;

// What the project's check found, recomputed after each edit, or, where that stops nothing, why the last
// search has no plan; and beside it the messages since the project is open: refused edits. Enter or a click
// goes to the place of a problem, and to what the manual says of a message; a click on the fix makes it.
class ProblemsPanel : public View {
    Q_OBJECT

public:
    explicit ProblemsPanel(const AppContext& app, QWidget* parent = nullptr);
    void addMessage(const Error& error);
    ProblemsModel* model() const { return m_model; }
    void step(int by); // next or previous problem, and there

private:
    Diagnostics problems() const;
    void refresh();
    void forgetMessages();
    void jump(const QModelIndex& index);
    void fix(const QModelIndex& index);

    const AppContext& m_app;
    ProblemsModel* m_model;
    QTabBar* m_tabs;
    QStackedWidget* m_pages;
    QTableView* m_table;
    QListWidget* m_messages;
};

} // namespace pw
