// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/questions.h"

#include "core/evaluate/evaluation.h"
#include "core/search/planners.h"

namespace pw {

namespace {

Result<Reply> around(const Question& question, const std::shared_ptr<const Problem>& problem,
                     const Searcher& searcher, const std::stop_token& stop) {
    const Result<SearchOutcome> outcome =
        question.outcome ? Result<SearchOutcome>(*question.outcome) : searcher(problem);
    if (!outcome)
        return outcome.error();
    if (outcome->plans.empty())
        return infeasible("search.infeasible", "", "no plan was found to ask about", outcome->reasons);
    const Result<Answers> answers = answersAround(*problem, *outcome, searcher, stop);
    if (!answers)
        return answers.error();
    Reply reply{tablesOf(*answers, *outcome), {}};
    if (!question.outcome)
        reply.plans = outcome->plans;
    return reply;
}

Result<Reply> deadline(const Question& question, const std::shared_ptr<const Problem>& problem,
                       const Searcher& searcher, const std::stop_token& stop) {
    const Result<DeadlineAnswer> answer = meetDeadline(problem, question.deadline, searcher, stop);
    if (!answer)
        return answer.error();
    Reply reply{tablesOf(*answer), {}};
    if (answer->met) { // found with some nodes; it is a plan that leaves the others out
        const Plan& plan = answer->outcome.plans.front().plan;
        if (Result<Evaluation> evaluation = evaluate(*problem, plan))
            reply.plans.push_back({plan, *std::move(evaluation)});
    }
    return reply;
}

Result<Reply> tradeOff(const Question& question, const std::shared_ptr<const Problem>& problem,
                       const Searcher& searcher, const std::stop_token& stop) {
    if (const Status possible = checkObjective(*problem, question.objective); !possible)
        return possible.error();
    const Result<ParetoFront> front = paretoFront(problem, question.objective, searcher, stop);
    if (!front)
        return front.error();
    return Reply{{tableOf(*problem, *front)}, front->outcome.plans};
}

} // namespace

Result<Reply> replyTo(const Question& question, const std::shared_ptr<const Problem>& problem,
                      const SearchOptions& options, const std::function<void()>& searched,
                      const std::stop_token& stop) {
    const Searcher searcher = [&](const std::shared_ptr<const Problem>& asked) {
        SearchObserver nobody;
        Result<SearchOutcome> outcome = search(asked, options, nobody, stop);
        searched();
        return outcome;
    };
    switch (question.kind) {
    case Question::Kind::Around:
        return around(question, problem, searcher, stop);
    case Question::Kind::Deadline:
        return deadline(question, problem, searcher, stop);
    case Question::Kind::TradeOff:
        break;
    }
    return tradeOff(question, problem, searcher, stop);
}

} // namespace pw
