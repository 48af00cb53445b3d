// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/objective.h"
#include "core/answers/run_deadline.h"
#include "core/exchange/exports/export.h"
#include "core/search/tournament.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// The largest that tensor-, context- and expert-parallel sizes may be asked to be, by --max-tp and its like.
inline constexpr int kMostAskedSize = 1024;

// What is asked about a problem. As it is made, it asks for the fastest plan; each of its parts asks for
// something else or for more, and which of them go together is one table for the command line and the window.
struct Question {
    SearchOptions options;               // of every search that the answer takes
    std::vector<Entrant> entrants;       // in one table; options.planner is not read. None: that planner
    const ExporterRow* target = nullptr; // only plans that it can run, where it runs plans at all
    // Whether kinds that force a lower precision on all may be left out for the target where its best plan
    // does not use them or is faster without them (askWithFewerKinds()). Not for who shows plans of the
    // problem as it stands.
    bool fewerKinds = true;
    // Whether a plan that is likely to fit is searched for where the best one is not (surer.h): what it costs
    // is then no chance find. About half more time.
    bool surer = false;
    bool everyTrainer = false;         // the best plan for each of them
    std::vector<std::string> required; // nodes, devices, device kinds that every plan uses
    Seconds deadline;                  // the fewest GPUs that meet it, or with an objective the best; 0: none
    std::optional<RunDeadline> run;    // the same, where it was stated of a whole run
    Objective objective = Objective::Time;
    bool around = false; // also how sure the order is, what to measure, what other nodes and links change
    std::optional<FoundPlan> judged; // a plan at hand, held against the best that is found
    // Plans that a search found for this very question: asked around in place of searching once more.
    std::optional<SearchOutcome> found;
};

enum class QuestionPart { AllPlanners, Target, EveryTrainer, Required, Deadline, Objective, Around, Judged };

struct QuestionPartRow {
    QuestionPart part;
    const char* flag;  // as the command line asks it
    const char* words; // as the window calls it
    bool (*asked)(const Question&);
};
const std::vector<QuestionPartRow>& questionPartTable(); // in the order of the enumeration
const QuestionPartRow& rowOf(QuestionPart part);

// Two parts that one question cannot have both; a target and every trainer are one flag and one field.
struct Clash {
    QuestionPart part, with;
    const char* why;
};
const std::vector<Clash>& clashTable();
const Clash* clashOf(const Question& question); // the first of the table; null: all its parts go together
Error errorOf(const Clash& clash);              // in the words of the command line

// A plan at hand is held against a search of about a second.
SearchOptions quickSearch();

} // namespace pw
