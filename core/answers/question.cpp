// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/question.h"

#include <algorithm>

namespace pw {

namespace {

constexpr std::int64_t kQuickWork = 200'000; // stage candidates

} // namespace

const std::vector<QuestionPartRow>& questionPartTable() {
    static const std::vector<QuestionPartRow> table = {
        {QuestionPart::AllPlanners, "--planner all", "all planners",
         [](const Question& q) { return !q.entrants.empty(); }},
        {QuestionPart::Target, "--target", "a target", [](const Question& q) { return q.target != nullptr; }},
        {QuestionPart::EveryTrainer, "--target all", "every trainer",
         [](const Question& q) { return q.everyTrainer; }},
        {QuestionPart::Required, "--require", "a required device",
         [](const Question& q) { return !q.required.empty(); }},
        {QuestionPart::Deadline, "--deadline", "a deadline",
         [](const Question& q) { return q.deadline.value > 0.0; }},
        {QuestionPart::Objective, "--objective", "an objective beside time",
         [](const Question& q) { return q.objective != Objective::Time; }},
        {QuestionPart::Around, "--answers", "how sure and what if",
         [](const Question& q) { return q.around; }},
        {QuestionPart::Judged, "--verdict", "a plan to judge",
         [](const Question& q) { return q.judged.has_value(); }},
    };
    return table;
}

const QuestionPartRow& rowOf(QuestionPart part) {
    return questionPartTable()[static_cast<std::size_t>(part)];
}

const std::vector<Clash>& clashTable() {
    using enum QuestionPart;
    static constexpr const char* kOnePlanner = "it takes one planner";
    static constexpr const char* kLeavesOut = "that leaves nodes out";
    static constexpr const char* kNoOther = "it is about the fastest plan for each trainer";
    static constexpr const char* kOneSearch = "a plan is held against one quick search";
    static const std::vector<Clash> table = {
        {EveryTrainer, AllPlanners, kOnePlanner}, {EveryTrainer, Required, kNoOther},
        {EveryTrainer, Deadline, kNoOther},       {EveryTrainer, Objective, kNoOther},
        {EveryTrainer, Around, kNoOther},         {EveryTrainer, Judged, kOneSearch},
        {Deadline, AllPlanners, kOnePlanner},     {Around, AllPlanners, kOnePlanner},
        {Objective, AllPlanners, kOnePlanner},    {Required, AllPlanners, kOnePlanner},
        {Required, Deadline, kLeavesOut},         {Required, Around, kLeavesOut},
        {Required, Objective, kLeavesOut},        {Judged, AllPlanners, kOneSearch},
        {Judged, Required, kOneSearch},           {Judged, Deadline, kOneSearch},
        {Judged, Objective, kOneSearch},          {Judged, Around, kOneSearch},
    };
    return table;
}

const Clash* clashOf(const Question& question) {
    const auto at = std::ranges::find_if(clashTable(), [&](const Clash& clash) {
        return rowOf(clash.part).asked(question) && rowOf(clash.with).asked(question);
    });
    return at == clashTable().end() ? nullptr : &*at;
}

Error errorOf(const Clash& clash) {
    return badInput(
        "usage", rowOf(clash.part).flag,
        {"is not combined with {flag}: {why}", {{"flag", rowOf(clash.with).flag}, {"why", clash.why}}});
}

SearchOptions quickSearch() {
    SearchOptions options;
    options.work = kQuickWork;
    return options;
}

} // namespace pw
