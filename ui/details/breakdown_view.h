// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"
#include "ui/session/view.h"

class QStackedWidget;

namespace pw {

class BreakdownBars;
class Selection;

// Where each stage's time goes: a stacked bar a stage over the iteration, and the chosen stage's idle time by
// cause.
class BreakdownView : public View {
    Q_OBJECT

public:
    explicit BreakdownView(const AppContext& context, QWidget* parent = nullptr);
    // For tests and pictures; `plan` must outlive the view.
    BreakdownView(CurrentPlan& plan, Selection& selection, QWidget* parent = nullptr);

private:
    void build(Selection& selection);

    CurrentPlan& m_plan;
    BreakdownBars* m_bars = nullptr;
    QStackedWidget* m_stack = nullptr;
};

// The painted part: bars, axis and the table of causes.
class BreakdownBars : public QWidget {
    Q_OBJECT

public:
    explicit BreakdownBars(Selection& selection, QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    QRect rowRect(int stage) const;
    QRect causeRect(int cause) const;          // of the chosen stage's idle time, from the top
    QString toolTipAt(const QPoint& at) const; // empty: there is nothing to say

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Part {
        QString name;
        double seconds;
        QColor fill, edge; // no edge: idle
        QBrush texture;
    };
    QString waitsForLinks(const ShownStage& stage) const;
    QString figuresOf(const Part& part) const;
    QStringList figuresOf(const ShownStage& stage) const; // a line a part
    QString textOf(int stage) const;                      // its name above them
    int chosen() const;                                   // -1: none of this plan
    void makeMenu();
    std::vector<Part> parts(const ShownStage& stage) const;
    int count() const { return m_plan ? static_cast<int>(m_plan->stages.size()) : 0; }
    int axisTop() const;
    void describe();
    void paintRow(QPainter& painter, int index) const;
    void paintAxis(QPainter& painter) const;
    void paintCauses(QPainter& painter) const;

    Selection& m_selection;
    std::shared_ptr<const ShownPlan> m_plan;
};

} // namespace pw
