// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace pw {

// The line over the stage map while an edited plan is in view: what the edits change, with signs, and what
// can be done with it. Follows a drag.
class EditedBar : public QWidget {
    Q_OBJECT

public:
    EditedBar(const AppContext& context, CurrentPlan& plan, QWidget* parent = nullptr);
    // "iteration −3.1 %, bubble 12.0 → 9.0 %, peak of n2.g3 +1.2 GiB"
    static QString changesText(const ShownPlan& plan);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    AppContext m_context;
    CurrentPlan& m_plan;
    QLabel* m_name;
    QLabel* m_changes;
    QPushButton* m_keep;
    QPushButton* m_improve;
    QPushButton* m_compare;
    QPushButton* m_revert;
};

} // namespace pw
