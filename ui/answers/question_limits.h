// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/question.h"
#include "ui/commands/app_context.h"

#include <QWidget>

class QCheckBox;
class QLineEdit;

namespace pw {

class TrainerBox;

// What every question may be asked under: the trainer that is to run the plans, what they are to use, by all
// planners, and whether it is also asked how sure the answer is. The trainer is that of the search
// (SearchRunner::demand()), which is chosen here as it is there; "each trainer" is asked here alone and
// leaves that one as it is.
class QuestionLimits : public QWidget {
    Q_OBJECT

public:
    explicit QuestionLimits(AppContext& context, QWidget* parent = nullptr);

    void applyTo(Question& question) const;
    void clear();                    // the search's trainer, any devices
    void focusOn(QuestionPart part); // its control, if it stands here

Q_SIGNALS:
    void entered(); // Enter in a field

private:
    void makeTargets();
    void makeRequired();
    void refreshNames();
    void takeTarget();   // the chosen one, for the search too
    void followTarget(); // of the search, if it has another one now
    void showTarget();   // of the search

    AppContext& m_context;
    TrainerBox* m_target;
    const ExporterRow* m_searched = nullptr; // trainer of the search, as it was shown last; null: any
    QLineEdit* m_required;
    QCheckBox *m_allPlanners, *m_around;
};

} // namespace pw
