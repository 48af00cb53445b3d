// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"
#include "core/answers/by_trainer.h"
#include "core/answers/question.h"
#include "core/answers/verdict.h"
#include "core/plan/device_names.h"

#include <stop_token>

namespace pw {

// The one place where questions about a problem are answered, for the command line and the window alike:
//
//   flags    --.                      .--  tables  ->  text, sections of a view
//               >-- Question -- ask --<
//   controls --'                      '--  document
//
// What only one of the two can ask does not exist: a new part is a member of Question, a row of
// questionPartTable(), and a flag and a control that set it.

// What the restriction to a target costs.
struct TargetCost {
    const ExporterRow* target = nullptr;
    Seconds best;         // that it can run
    Seconds unrestricted; // of the fastest plan found for any trainer; 0: none
};

struct Answer {
    // That the plans answer: with a deadline, of fewer nodes; for a target, of fewer kinds (TargetQuestion).
    std::shared_ptr<const Problem> problem;
    std::optional<Error> refused;           // why no plan was found, or none that is good enough
    SearchOutcome outcome;                  // unless another member has one
    std::optional<DeadlineAnswer> deadline; // has one
    std::optional<ParetoFront> front;       // has one; with a deadline, too
    std::optional<Tournament> tournament;   // of which `outcome` is the sum
    std::optional<BestByTrainer> trainers;  // beside `outcome`, which is for any
    std::optional<TargetCost> target;
    std::optional<Verdict> verdict;
    std::optional<Answers> around;

    const SearchOutcome& found() const {
        return deadline ? deadline->outcome : front ? front->outcome : outcome;
    }
};

// Is told what each search tells, and of several planners how each does; from the thread of ask().
class QuestionObserver : public TournamentObserver {
public:
    virtual void begins() {} // a search; those for a target are one
    virtual void ends() {}   // it
};

// Refused where parts of the question do not go together (clashOf), where it names what is not there, and as
// searches refuse. An answer without a plan says why in `refused`. A stop ends it with what is known.
Result<Answer> ask(const std::shared_ptr<const Problem>& problem, const Question& question,
                   QuestionObserver& observer, const std::stop_token& stop);

// The plan document with what was asked besides.
Json documentOf(const Answer& answer, DeviceNames names = DeviceNames::Each);

// All of it, as people read it: with the plans, what was refused and why.
std::vector<AnswerTable> tablesOf(const Answer& answer, const PlanNames& names = {});
std::string textOf(const TargetCost& cost); // in one sentence

} // namespace pw
