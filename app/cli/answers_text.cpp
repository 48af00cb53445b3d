// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answers_text.h"

#include "app/cli/plan_text.h"
#include "app/cli/table.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

std::string textOf(const AnswerTable& answer, const char* between) {
    std::string text = answer.text.empty() ? between : answer.text + "\n";
    if (answer.headings.empty())
        return text;
    Table table(answer.headings);
    for (const std::vector<std::string>& row : answer.rows)
        table.add(row);
    return text + table.text();
}

std::string textOf(const std::vector<AnswerTable>& answers) {
    std::string text;
    for (const AnswerTable& answer : answers)
        text += textOf(answer, "\n");
    return text;
}

std::string boundLine(const SearchOutcome& outcome) {
    const std::string bound = boundText(outcome);
    return bound.empty() ? bound : bound + "\n";
}

std::string bestText(const Problem& problem, const SearchOutcome& outcome) {
    const FoundPlan& best = outcome.plans.front();
    return figuresText(problem, best.plan, best.evaluation) + notesText(problem, outcome.notes) + "\n" +
           stagesTable(problem, best.plan, best.evaluation);
}

std::string fastestText(const Problem& problem, const SearchOutcome& outcome) {
    std::string text = problemLine(problem) + searchText(outcome) + "\n" + boundLine(outcome);
    if (!outcome.plans.empty()) {
        text += "\n" + textOf(plansTable(problem, outcome), "");
        if (const AnswerTable differing = differingTable(problem, outcome); !differing.rows.empty())
            text += "\n" + textOf(differing, "");
        text += "\nplan 1: " + bestText(problem, outcome);
    }
    if (!outcome.rejected.empty()) {
        text += "\nrejected:\n";
        for (const auto& [reason, count] : outcome.rejected)
            text += fmt::format("  {:>12}  {}\n", count, words(reason));
    }
    return text;
}

std::string tournamentText(const Problem& problem, const Tournament& tournament,
                           const SearchOutcome& overall) {
    std::string text = problemLine(problem) + "all planners, each with its own budget unless one is given\n" +
                       boundLine(overall) + "\n" + textOf(plannersTable(problem, tournament), "");
    if (const std::string without = withoutPlanText(tournament); !without.empty())
        text += "\n" + without + "\n";
    if (!overall.plans.empty())
        text += fmt::format("\nplan 1 ({}): ", tournament.ranked().front()->planner->label) +
                bestText(problem, overall);
    return text;
}

std::string deadlineText(const Problem& problem, const DeadlineAnswer& answer) {
    const std::string text = textOf(tablesOf(answer));
    return answer.met ? text + "\n" + fastestText(problem, answer.outcome) : problemLine(problem) + text;
}

// Of which searches the table of phases is, where a question takes several; else nothing.
std::string whosePhases(const pw::Answer& answer) {
    std::string text;
    if (answer.deadline && !answer.deadline->met)
        text = "these are the phases of the search over all nodes, without what else was searched\n";
    else if (answer.deadline && answer.deadline->searches > 1)
        text = fmt::format("these are the phases of the search that found plan 1, one of {} that were made\n",
                           answer.deadline->searches);
    else if (answer.front)
        text = fmt::format("these are the phases of all searches, {} of them, one behind the other\n",
                           answer.front->searches);
    else if (answer.trainers && answer.trainers->made > 1)
        text = fmt::format("these are the phases of the search for any trainer, one of {} that were made; "
                           "another may have found plan 1\n",
                           answer.trainers->made);
    else if (answer.target)
        text = fmt::format("these are the phases of what was searched for {}, without the search for any "
                           "trainer beside it\n",
                           answer.target->target->format);
    if (answer.around)
        text += "the searches behind what follows are not among them\n";
    return text;
}

std::string frontText(const Problem& problem, const ParetoFront& front) {
    AnswerTable table = tableOf(problem, front);
    table.text += "\n";
    std::string text = problemLine(problem) + textOf(table, "");
    if (!front.outcome.plans.empty())
        text += "\nplan 1: " + bestText(problem, front.outcome);
    return text;
}

} // namespace

std::string answerText(const pw::Answer& answer, bool explain) {
    const Problem& problem = *answer.problem;
    std::string text = answer.tournament ? tournamentText(problem, *answer.tournament, answer.outcome)
                       : answer.deadline ? deadlineText(problem, *answer.deadline)
                       : answer.front    ? frontText(problem, *answer.front)
                                         : fastestText(problem, answer.outcome);
    if (explain)
        text += "\n" + phasesTable(answer.found()) + whosePhases(answer);
    if (answer.target)
        if (const std::string cost = pw::textOf(*answer.target); !cost.empty())
            text += "\n" + cost + "\n";
    if (answer.trainers)
        text += "\n" + textOf(tablesOf(problem, *answer.trainers));
    if (answer.around)
        text += "\n" + textOf(tablesOf(*answer.around, answer.found()));
    return text;
}

} // namespace pw::cli
