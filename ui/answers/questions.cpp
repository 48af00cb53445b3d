// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/questions.h"

#include "core/answers/ask.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/widgets/name_list.h"

#include <QCoreApplication>
#include <QLocale>

namespace pw {

namespace {

class Counting : public QuestionObserver {
public:
    explicit Counting(const std::function<void()>& searched) : m_searched(searched) {}
    void ends() override { m_searched(); }

private:
    const std::function<void()>& m_searched;
};

QString words(const char* text) {
    return QCoreApplication::translate("Questions", text);
}

QString bestInTime(Objective objective, const QString& deadline) {
    switch (objective) {
    case Objective::Money:
        return words("Cheapest plan within %1").arg(deadline);
    case Objective::Energy:
        return words("Plan of least energy within %1").arg(deadline);
    case Objective::Memory:
        return words("Plan with most memory to spare within %1").arg(deadline);
    case Objective::Time:
        break;
    }
    return {};
}

QString deadlineOf(const Question& question) {
    return question.run ? q(question.run->stated) : iterationText(question.deadline);
}

QString headOf(Asked asked, const Question& question, const QString& judged) {
    switch (asked) {
    case Asked::Fastest:
        return words("Fastest plan");
    case Asked::Fewest:
        return words("Fewest GPUs within %1").arg(deadlineOf(question));
    case Asked::TradeOff:
        for (const ObjectiveRow& row : objectiveTable())
            if (row.objective == question.objective)
                return words("Time against %1").arg(q(row.name));
        break;
    case Asked::InTime:
        return bestInTime(question.objective, deadlineOf(question));
    case Asked::Around:
        return words("How sure, and what if");
    case Asked::Judged:
        return words("Judge plan %1").arg(judged);
    }
    return {};
}

// Of the question itself: plans for a deadline were found with some nodes; they are some that leave the
// others out. It is the first that meets it; the others are known where it is asked how sure their order is.
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
        if (answer.trainers)
            for (FoundPlan& own : plansBeyondOpen(problem, *answer.trainers))
                plans.push_back(std::move(own));
        return plans;
    }
    if (!answer.deadline->met)
        return {};
    std::vector<FoundPlan> plans;
    for (const FoundPlan& found : answer.found().plans) {
        Result<Evaluation> evaluation = evaluate(problem, found.plan);
        if (evaluation)
            plans.push_back({found.plan, *std::move(evaluation)});
        if (!answer.around)
            break;
    }
    return plans;
}

} // namespace

QStringList pricesOf(const Problem& problem) {
    QStringList prices;
    for (const DeviceKind* kind : allowedKinds(problem))
        prices << words("%1 at %2 an hour")
                      .arg(q(kind->shortName), QLocale::c().toString(kind->pricePerHour, 'g', 8));
    return prices;
}

QString questionText(Asked asked, const Question& question, const QString& judged,
                     const QStringList& prices) {
    QStringList limits = prices;
    if (question.target != nullptr)
        limits << q(question.target->label);
    if (question.everyTrainer)
        limits << words("each trainer");
    if (!question.required.empty())
        limits << namesText(question.required);
    if (!question.entrants.empty())
        limits << words("all planners");
    if (question.around && asked != Asked::Around)
        limits << words("how sure");
    const QString head = headOf(asked, question, judged);
    return limits.isEmpty() ? head : words("%1: %2").arg(head, limits.join(QStringLiteral(", ")));
}

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
