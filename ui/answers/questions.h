// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"
#include "core/search/search.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace pw {

// What can be asked about a problem beside its fastest plan. Each is answered by several searches.
struct Question {
    enum class Kind { Around, Deadline, TradeOff };
    Kind kind = Kind::Around;
    Seconds deadline;                          // of Deadline
    Objective objective = Objective::Memory;   // of TradeOff
    std::optional<SearchOutcome> outcome = {}; // of Around: plans found already; else they are searched first
};

struct Reply {
    std::vector<AnswerTable> tables;
    std::vector<FoundPlan> plans; // that were found on the way, judged under the problem itself
};

// Refused as the searches and questions refuse. `searched` is told after each search, in this thread. A stop
// ends it with what is known.
Result<Reply> replyTo(const Question& question, const std::shared_ptr<const Problem>& problem,
                      const SearchOptions& options, const std::function<void()>& searched,
                      const std::stop_token& stop);

} // namespace pw
