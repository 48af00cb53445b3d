// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"
#include "ui/session/plan_runs.h"
#include "ui/session/view.h"

class QComboBox;
class QScrollBar;
class QSplitter;
class QStackedWidget;

namespace pw {

class Document;
class FindBar;
class OverviewStrip;
class Selection;
class TimeRange;
class TimeRuler;
class TimelineLabels;
class TimelineMarks;
class TimelineTracks;
class WhatIf;

// The schedule of the current plan: overview, ruler and tracks beside a column of labels.
class TimelineView : public View {
    Q_OBJECT

public:
    explicit TimelineView(const AppContext& context, QWidget* parent = nullptr);
    // For tests and pictures: shows what `plan` holds. It must outlive the view.
    TimelineView(CurrentPlan& plan, Selection& selection, TimeRange& range, QWidget* parent = nullptr);

    TimelineTracks* tracks() const { return m_tracks; }
    // What ran of the plan in view, null: nothing did. Views with a context follow its runs themselves.
    void showRun(const PlanRunPointer& run);

    QSize wholeSize() const override; // every row of the time in view
    void paintWhole(QPainter& painter) override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void build(Selection& selection);
    void planChanged();
    void followRuns(const AppContext& context);
    void showLanes();
    void updateScrollBars();
    void bindCommands(Commands& commands);
    void bindMarks(Document& document, Commands& commands);
    void offerMarks();
    QString placeText(std::int64_t at) const;
    void nameMark(int index);

    CurrentPlan& m_plan;
    const Commands* m_commands = nullptr; // null without a context
    std::shared_ptr<const ShownPlan> m_shown;
    TimeRange& m_range;
    TimelineTracks* m_tracks = nullptr;
    QComboBox* m_lanes = nullptr; // predicted bars, what ran, or both; seen with a run
    FindBar* m_find = nullptr;
    TimelineMarks* m_marks = nullptr; // null without a document
    TimelineLabels* m_labels = nullptr;
    TimeRuler* m_ruler = nullptr;
    OverviewStrip* m_overview = nullptr;
    QWidget* m_corner = nullptr; // beside overview and ruler: the visible range in words
    QSplitter* m_splitter = nullptr;
    QStackedWidget* m_stack = nullptr;
    QScrollBar* m_along = nullptr;
    QScrollBar* m_down = nullptr;
};

} // namespace pw
