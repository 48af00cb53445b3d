// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"

#include <QList>
#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace pw {

class Selection;
class StageEdits;

// The fields in the stage map's title: tp, dp and recompute of the chosen stage, micro-batch and schedule of
// the plan. They offer what would be accepted. Where the title has no room for their labels, values say what
// they are of: "mbs 4".
class StageTools : public QWidget {
    Q_OBJECT

public:
    StageTools(StageEdits& edits, CurrentPlan& plan, Selection& selection, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fitLabels();
    void nameValues();
    static QString recomputeText(int code, bool named);
    void refresh();
    void refreshStage();
    void refreshPlan();

    StageEdits& m_edits;
    CurrentPlan& m_plan;
    Selection& m_selection;
    QLabel* m_stage;
    QComboBox* m_tp;
    QSpinBox* m_dp;
    QComboBox* m_recompute;
    QComboBox* m_microbatch;
    QComboBox* m_schedule;
    QLabel* m_recomputeLabel;
    QLabel* m_microbatchLabel;
    QList<QLabel*> m_spare; // what a narrow title gives up, first to last; the fields have tool tips
};

} // namespace pw
