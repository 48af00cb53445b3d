// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"
#include "core/answers/ask.h"
#include "core/answers/question.h"
#include "ui/session/given_answers.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace pw {

// What an hour of each kind costs that may be used: "H100-80 at 4 an hour".
QStringList pricesOf(const Problem& problem);

// The question in a few words, with what it was asked under: "Fewest GPUs within 2.500 s: Megatron-LM, n1".
// `judged`: the name of the plan that is. `prices`: at which it is answered, if it is about money.
QString questionText(Asked asked, const Question& question, const QString& judged,
                     const QStringList& prices = {});

// What the window keeps of an answer.
struct Reply {
    std::shared_ptr<const Answer> answer; // never null
    std::vector<AnswerTable> tables;      // its plans counted
    std::vector<FoundPlan> plans;         // that were found on the way, judged under the problem itself
    std::optional<Error> refused = {};    // why none was found, or none that is good enough
};

// Asks core. Refused as ask() refuses. `searched` is told after each search, in this thread. A stop ends it
// with what is known.
Result<Reply> replyTo(const Question& question, const std::shared_ptr<const Problem>& problem,
                      const std::function<void()>& searched, const std::stop_token& stop);

} // namespace pw
