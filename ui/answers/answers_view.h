// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/run_deadline.h"
#include "ui/answers/questions.h"
#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"
#include "ui/session/view.h"

#include <QTimer>

class QComboBox;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace pw {

struct Candidate;
class AnswerHistory;
class AnswerSections;
class ColumnScroll;
class EmptyState;
class MessageBar;
class PriceRow;
class QuestionLimits;

// What a user asks beside the search: the fastest plan for a trainer or with certain devices, the fewest GPUs
// or the cheapest plan for a deadline, what time costs in memory, money or energy, how sure the order of the
// plans is and what a slow, lost or further node changes, and how the plan in view stands beside the best.
// Answered in the background by core's ask(), as on the command line; plans found on the way join the others,
// and the one in view stays there. Answers stay to be gone back to (given_answers.h).
class AnswersView : public View {
    Q_OBJECT

public:
    explicit AnswersView(AppContext& context, QWidget* parent = nullptr);
    ~AnswersView() override;

    bool isRunning() const { return m_job.isRunning(); }
    QSize minimumSizeHint() const override; // the form scrolls

Q_SIGNALS:
    void answered();

protected:
    bool event(QEvent* event) override;

private:
    void makeForm();
    QWidget* makeQuestions();
    QPushButton* makeButton(const QString& name, const QString& text, const QString& help, Asked asked);
    void fitForm();
    void showFocused(); // what has the focus in the form, if it has it
    void ask(Asked asked);
    std::optional<Question> questionFor(Asked asked, const Problem& problem); // none: it says why
    std::optional<RunDeadline> typedDeadline();                               // likewise
    void followObjective();
    const Candidate* judgedPlan() const; // the plan in view, if it can be judged
    void forget();                       // another project is open
    void end(const Result<Reply>& reply);
    void take(const Reply& reply);
    PlanNames namesOf(const Answer& answer) const; // of what it found; empty: not all are known
    void openPlan(const QString& name);
    void showChosen(); // of the answers
    void refresh();

    AppContext& m_context;
    MessageBar* m_message;
    QuestionLimits* m_limits;
    QLineEdit* m_deadline;
    QComboBox* m_objective;
    PriceRow* m_prices; // seen where money is asked about
    ColumnScroll* m_form = nullptr;
    std::vector<QPushButton*> m_buttons;
    QPushButton* m_inTime = nullptr; // one of them
    QPushButton* m_judge = nullptr;  // likewise
    QPushButton* m_stop;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    AnswerSections* m_sections;
    AnswerHistory* m_history;
    Asked m_asked = Asked::Around;            // last
    QString m_question;                       // last, in words
    bool m_priced = false;                    // last: it is about money
    int m_judged = -1;                        // plan that was judged last
    std::shared_ptr<const Problem> m_problem; // that was asked about last
    bool m_stopAsked = false;
    bool m_saidStale = false;                 // the bar says that the chosen answer is
    bool m_barIsOfLast = false;               // it says why the last question has no answer: Stale waits
    std::shared_ptr<Mailbox<int>> m_searches; // made by the work that runs
    QTimer m_ticks;                           // once a second while it runs
    int m_seconds = 0;                        // since it was asked
    BackgroundJob m_job;                      // last: it uses the above
};

} // namespace pw
