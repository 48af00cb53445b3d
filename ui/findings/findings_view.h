// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/findings.h"
#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"
#include "ui/session/view.h"

#include <QTimer>

class QModelIndex;
class QStackedWidget;
class QTableView;

namespace pw {

class EmptyState;
class FindingsModel;
class MessageBar;
struct ExporterRow;

// Advice about the plan in view: where time or memory is lost, what would help and how much, each gain
// measured. A click or Enter jumps to the place, "Try it" makes the edit, which can be undone. Looked for in
// the background whenever another plan comes into view; a drag does not count until it ends. Where Search
// asks for plans of one trainer, nothing is advised that it cannot run.
class FindingsView : public View {
    Q_OBJECT

public:
    explicit FindingsView(AppContext& context, QWidget* parent = nullptr);
    ~FindingsView() override;

    bool isLooking() const { return m_job.isRunning(); }

Q_SIGNALS:
    void looked(); // the findings of the plan in view are there

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const ExporterRow* target() const; // of Run with; null: any trainer
    void look();
    void fitColumns();
    void present(const Result<Findings>& findings, Seconds now);
    void jump(const QModelIndex& index);
    void tryIt(const QModelIndex& index);
    void searchFor(double chance); // of plans to fit; the recipe has it then
    void step(int by);

    AppContext& m_context;
    FindingsModel* m_model;
    QTableView* m_table;
    EmptyState* m_empty;
    MessageBar* m_lacking;
    QStackedWidget* m_pages;
    QTimer m_later{this};
    int m_plan = -2; // what was looked at: candidate and revision
    int m_revision = -1;
    const ExporterRow* m_target = nullptr;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
