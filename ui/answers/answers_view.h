// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/answers/questions.h"
#include "ui/base/background_job.h"
#include "ui/session/app_context.h"
#include "ui/session/view.h"

class QComboBox;
class QHBoxLayout;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace pw {

class AnswerSections;
class EmptyState;
class MessageBar;
class PriceRow;

// What a user asks once plans are there: the fewest GPUs for a deadline, what time costs in memory, money or
// energy, how sure the order of the plans is and what a slow, lost or further node changes. Answered in the
// background; plans found on the way join the others.
class AnswersView : public View {
    Q_OBJECT

public:
    explicit AnswersView(AppContext& context, QWidget* parent = nullptr);
    ~AnswersView() override;

    bool isRunning() const { return m_job.isRunning(); }

Q_SIGNALS:
    void answered();

private:
    QWidget* makeQuestions();
    QPushButton* makeButton(QHBoxLayout* row, const QString& name, const QString& text, const QString& help,
                            Question::Kind kind);
    void ask(Question::Kind kind);
    void end(const Result<Reply>& reply);
    void take(const Reply& reply);
    bool isStale() const;
    void refresh();

    AppContext& m_context;
    MessageBar* m_message;
    QLineEdit* m_deadline;
    QComboBox* m_objective;
    PriceRow* m_prices; // seen where money is asked about
    std::vector<QPushButton*> m_buttons;
    QPushButton* m_stop;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    AnswerSections* m_sections;
    Question::Kind m_kind = Question::Kind::Around; // asked last
    std::shared_ptr<const Problem> m_problem;       // that the answers are about
    bool m_stopAsked = false;
    std::shared_ptr<Mailbox<int>> m_searches; // made by the work that runs
    BackgroundJob m_job;                      // last: it uses the above
};

} // namespace pw
