// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/commands/current_plan.h"
#include "ui/session/view.h"

class QStackedWidget;

namespace pw {

class EditedBar;
class EmptyState;
class MessageBar;
class Selection;
class StageEdits;
class StageHeader;
class StageRows;

// Who computes what: a row a stage with its devices, its layers as a staircase, its time against the mean of
// all stages, its fullest device against the capacity, and what it sends on. And the place where a plan is
// edited by hand: see StageEdits.
class StageMap : public View {
    Q_OBJECT

public:
    explicit StageMap(const AppContext& context, QWidget* parent = nullptr);
    // For tests and pictures; `plan` must outlive the view.
    StageMap(CurrentPlan& plan, Selection& selection, QWidget* parent = nullptr);

private:
    void build(Selection& selection);
    void planChanged();
    void makeEditable(const AppContext& context);
    void makeByHand(const AppContext& context);
    void bindCommands(const AppContext& context);
    void showMenu(const AppContext& context, int stage, const QPoint& at);
    void showRefusal(const Error& error);

    CurrentPlan& m_plan;
    Selection& m_selection;
    StageEdits* m_edits = nullptr;
    EditedBar* m_edited = nullptr;
    MessageBar* m_refusal = nullptr;
    StageHeader* m_header = nullptr;
    StageRows* m_rows = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
};

} // namespace pw
