// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"
#include "ui/answers/questions.h"

#include <QString>
#include <QWidget>

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace pw {

class ElidingCombo;

// An answer as it is shown, with what it is about.
struct GivenAnswer {
    Asked asked = Asked::Fastest;
    QString question;                       // questionText()
    std::shared_ptr<const Problem> problem; // never null
    std::vector<AnswerTable> tables;
    std::optional<Error> refused; // why there is no plan
    bool priced = false;          // it is about money, at the prices of its problem
};

// The questions since the start, newest first, each with its number, and the answer to the one that is
// chosen. Seen once there is one. The oldest go where there are too many; no file keeps any.
class AnswerHistory : public QWidget {
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 50;

    explicit AnswerHistory(QWidget* parent = nullptr);

    void add(GivenAnswer answer);      // becomes the chosen one
    const GivenAnswer* chosen() const; // null: nothing was answered yet
    void clear();
    // The same question under other names.
    void follow(const std::shared_ptr<const Problem>& before, const std::shared_ptr<const Problem>& now);

Q_SIGNALS:
    void changed(); // chosen() is another one

private:
    ElidingCombo* m_list;
    std::deque<GivenAnswer> m_answers; // as the list has them
    int m_asked = 0;                   // answers so far
};

} // namespace pw
