// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/questions.h"

#include "core/answers/ask.h"

namespace pw {

namespace {

class Counting : public QuestionObserver {
public:
    explicit Counting(const std::function<void()>& searched) : m_searched(searched) {}
    void ends() override { m_searched(); }

private:
    const std::function<void()>& m_searched;
};

// Of the question itself: a plan for a deadline was found with some nodes; it is one that leaves the others
// out.
std::vector<FoundPlan> plansFor(const Question& question, const Problem& problem, const Answer& answer) {
    if (answer.verdict && answer.verdict->problem->hash() != problem.hash())
        return {}; // likewise
    if (answer.verdict)
        return answer.verdict->best ? std::vector{*answer.verdict->best} : std::vector<FoundPlan>();
    if (question.found)
        return {}; // are known
    if (!answer.deadline && answer.problem->hash() != problem.hash())
        return {}; // of fewer kinds: the project's own once these are left out of it
    if (!answer.deadline) {
        std::vector<FoundPlan> plans = answer.found().plans;
        const std::vector<FoundPlan>& differing = answer.found().differing;
        plans.insert(plans.end(), differing.begin(), differing.end());
        return plans;
    }
    if (!answer.deadline->met)
        return {};
    const Plan& plan = answer.found().plans.front().plan;
    Result<Evaluation> evaluation = evaluate(problem, plan);
    return evaluation ? std::vector{FoundPlan{plan, *std::move(evaluation)}} : std::vector<FoundPlan>();
}

} // namespace

Result<Reply> replyTo(const Question& question, const std::shared_ptr<const Problem>& problem,
                      const std::function<void()>& searched, const std::stop_token& stop) {
    Counting counting(searched);
    Result<Answer> answer = ask(problem, question, counting, stop);
    if (!answer)
        return answer.error();
    std::vector<AnswerTable> tables = tablesOf(*answer);
    std::vector<FoundPlan> plans = plansFor(question, *problem, *answer);
    std::optional<Error> refused = answer->refused;
    return Reply{std::make_shared<const Answer>(*std::move(answer)), std::move(tables), std::move(plans),
                 std::move(refused)};
}

} // namespace pw
