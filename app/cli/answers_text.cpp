// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answers_text.h"

#include "app/cli/table.h"
#include "core/answers/answer_tables.h"

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

} // namespace

std::string deadlineText(const DeadlineAnswer& answer) {
    return textOf(tablesOf(answer));
}

std::string answersText(const Answers& answers, const SearchOutcome& outcome) {
    return "\n" + textOf(tablesOf(answers, outcome));
}

std::string paretoText(const Problem& problem, const ParetoFront& front) {
    AnswerTable table = tableOf(problem, front);
    table.text += "\n";
    return textOf(table, "");
}

} // namespace pw::cli
