// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace pw {

// The line over the stage map while an edited plan is in view: what the edits change, with signs, and what
// can be done with it. Follows a drag. In too little room the last changes go whole; the tool tip has all.
class EditedBar : public QWidget {
    Q_OBJECT

public:
    EditedBar(const AppContext& context, CurrentPlan& plan, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    QString lostTrainer() const;
    void showWhatFits();

    AppContext m_context;
    CurrentPlan& m_plan;
    QLabel* m_name;
    QLabel* m_changes;
    QStringList m_parts; // of it, rich text; what counts most first
    QPushButton* m_keep;
    QPushButton* m_improve;
    QPushButton* m_compare;
    QPushButton* m_revert;
};

} // namespace pw
