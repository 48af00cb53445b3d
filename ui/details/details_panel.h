// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"
#include "ui/session/selection.h"
#include "ui/session/view.h"

#include <functional>
#include <utility>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace pw {

class ElidedLabel;
class AreaSection;
class PropertyList;
class Selection;
class TimeRange;

// The chosen plan in figures; once a stage is chosen that stage's, each with where it comes from, and below
// it the chosen bar with what it waited for and what waits for it, and the dragged area of the timeline.
class DetailsPanel : public View {
    Q_OBJECT

public:
    explicit DetailsPanel(const AppContext& context, QWidget* parent = nullptr);
    // For tests and pictures; `plan` must outlive the view.
    DetailsPanel(CurrentPlan& plan, Selection& selection, TimeRange* range = nullptr,
                 QWidget* parent = nullptr);

private:
    void build(TimeRange* range);
    void showHead();
    void showPlan(const ShownPlan& plan);
    void showStage(const ShownPlan& plan, int row);
    void showBar();
    void follow(const QString& link);

    CurrentPlan& m_plan;
    Selection& m_selection;
    std::function<Seconds()> m_bound; // of the chosen plan; 0 = not known
    std::function<QString()> m_words; // the chosen plan in plain words
    std::function<std::pair<QString, QString>()>
        m_beside;                        // the best plan of the same question: verdict, how sure
    std::pair<int, int> m_shown{-1, -1}; // plan and stage: another one is read from its beginning
    QStackedWidget* m_stack = nullptr;
    QToolButton* m_back = nullptr; // from a stage to its plan
    QWidget* m_badge = nullptr;
    ElidedLabel* m_heading = nullptr;
    QLabel* m_kind = nullptr;
    QLabel* m_sentence = nullptr; // of the plan as a whole
    PropertyList* m_stage = nullptr;
    QWidget* m_barTitle = nullptr;
    QLabel* m_barName = nullptr;
    QLabel* m_barKind = nullptr;
    PropertyList* m_bar = nullptr;
};

} // namespace pw
