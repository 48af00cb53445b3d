// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"

#include <QString>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;

namespace pw {

// The right part of the tool bar: which plan is current and its figures, or why a search cannot run yet
// or has found none.
class KeyFigures : public QWidget {
    Q_OBJECT

public:
    explicit KeyFigures(AppContext& context, QWidget* parent = nullptr);

Q_SIGNALS:
    void problemClicked(const QString& where); // the place of the first problem
    void searchClicked();                      // why there is no plan, or which of its fields a run waits for

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Offered {
        int id = -1;
        bool fits = true;
        QString text;
        bool operator==(const Offered&) const = default;
    };
    void refresh();
    void refreshPlans();
    void offer(std::vector<Offered> offered);
    void refreshFigures();
    void refreshProblems();
    void dropFromTheRight();

    AppContext& m_context;
    CurrentPlan* m_shown;
    QComboBox* m_plans;
    std::vector<Offered> m_offered; // by it
    int m_wanted = 0;               // px, of the chooser for its longest plan
    static constexpr int kFigures = 5;
    QLabel* m_figures[kFigures];
    QWidget* m_blocked;
    QLabel* m_blockedSymbol;
    QLabel* m_blockedText;
    QPushButton* m_blockedLink;
    bool m_searched = false; // the reason is the search's
};

} // namespace pw
