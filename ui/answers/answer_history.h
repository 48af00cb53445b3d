// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace pw {

class ElidingCombo;
class GivenAnswers;
struct GivenAnswer;

// The questions about the project, newest first, each with its number, of which one is chosen. Seen once
// there is one.
class AnswerHistory : public QWidget {
    Q_OBJECT

public:
    explicit AnswerHistory(const GivenAnswers& answers, QWidget* parent = nullptr); // which outlive it

    const GivenAnswer* chosen() const; // null: nothing was answered yet

Q_SIGNALS:
    void changed(); // chosen() is another one

private:
    void takeNewest();
    void fill();

    const GivenAnswers& m_answers;
    ElidingCombo* m_list;
};

} // namespace pw
