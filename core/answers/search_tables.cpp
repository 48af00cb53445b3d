// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/band.h"
#include "core/accuracy/memory_cases.h"
#include "core/accuracy/tie.h"
#include "core/answers/ask.h"
#include "core/base/one_line.h"
#include "core/base/units.h"
#include "core/evaluate/idle_share.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

std::string timeOf(const Evaluation& evaluation) {
    return formatDuration(evaluation.iteration) + (evaluation.isEstimated() ? " ∴" : "");
}

// Against the first of the list: "tie", or how probable it is that the first is faster.
std::string againstFirst(const Problem& problem, const FoundPlan& first, const FoundPlan& other) {
    const TimeComparison c =
        compareTimes(featuresOf(problem, first.plan, first.evaluation), first.evaluation.iteration,
                     featuresOf(problem, other.plan, other.evaluation), other.evaluation.iteration);
    return c.isTie() ? "tie" : fmt::format("slower, {:.0f} %", 100 * c.firstFaster);
}

const DeviceMemory& fullestDevice(const Evaluation& evaluation) {
    return *std::max_element(evaluation.memory.begin(), evaluation.memory.end(),
                             [](const DeviceMemory& a, const DeviceMemory& b) {
                                 return a.peak.total() / a.capacity < b.peak.total() / b.capacity;
                             });
}

} // namespace

std::string microbatchesText(const Plan& plan) {
    std::vector<std::string> parts;
    for (const Pipeline& p : plan.pipelines) {
        double least = 1.0, most = 0.0; // of a micro-batch
        for (const Stage& stage : p.stages)
            for (const Replica& replica : stage.replicas) {
                least = std::min(least, replica.share);
                most = std::max(most, replica.share);
            }
        const auto size = static_cast<double>(p.microbatchSize);
        const std::string low = std::to_string(std::llround(size * least)),
                          high = std::to_string(std::llround(size * most));
        parts.push_back(fmt::format("{}{} x {} ({} a replica)",
                                    p.count > 1 ? fmt::format("{} x ", p.count) : "", p.microbatches,
                                    p.microbatchSize, low == high ? low : low + " to " + high));
    }
    return fmt::format("{}", fmt::join(parts, " + "));
}

std::string boundText(const SearchOutcome& outcome) {
    if (!outcome.covered)
        return "the best plan lies outside the spaces that bounds are proven for: no gap";
    if (outcome.bound.value.value <= 0)
        return {};
    return fmt::format("no plan of the space ({}) is predicted under {}{}", outcome.bound.scope.text(),
                       formatDuration(outcome.bound.value),
                       outcome.plans.empty() ? "" : fmt::format("; gap {:.2f} %", 100 * outcome.gap()));
}

std::string searchText(const SearchOutcome& outcome) {
    const PlannerRow& planner = *std::ranges::find_if(
        plannerTable(), [&](const PlannerRow& row) { return outcome.planner == row.name; });
    return fmt::format("{} ({}{}{}): {} after {}, {} candidates, {} plans simulated", planner.label,
                       planner.standing, outcome.without.empty() ? "" : ", without ",
                       fmt::join(outcome.without, " and "), endText(outcome),
                       formatDuration(Seconds(outcome.wall)), outcome.work, outcome.evaluated);
}

AnswerTable plansTable(const Problem& problem, const SearchOutcome& outcome, const PlanNames& names) {
    AnswerTable table{"",
                      {kPlanHeading, ">predicted iteration", ">expected (80 %)",
                       "beside plan " + planName(names, 0), ">tokens/s", ">bubble", ">measured",
                       ">chance to fit", "schedule", ">micro-batches", "GPUs a stage"},
                      {}};
    for (std::size_t i = 0; i < outcome.plans.size(); ++i) {
        const FoundPlan& found = outcome.plans[i];
        const Evaluation& e = found.evaluation;
        const ErrorBand band = errorBand(problem, found.plan, e);
        table.rows.push_back(
            {planName(names, i), timeOf(e), formatSpan(e.iteration * band.low, e.iteration * band.high),
             i == 0 ? "" : againstFirst(problem, outcome.plans.front(), found),
             fmt::format("{:.0f}", e.tokensPerSecond), fmt::format("{:.1f} %", 100 * idleShare(e.bubble)),
             fmt::format("{:.1f} %", 100 * e.measuredShare),
             fmt::format("{:.0f} %", 100 * chanceToFit(problem, e)),
             label(found.plan.pipelines.front().schedule.kind), microbatchesText(found.plan),
             stagesText(problem, found.plan)});
    }
    return table;
}

AnswerTable differingTable(const Problem& problem, const SearchOutcome& outcome, const PlanNames& names) {
    AnswerTable table;
    if (outcome.plans.empty())
        return table;
    const FoundPlan& first = outcome.plans.front();
    const PlanTraits fastest = traitsOf(problem, first.plan, first.evaluation);
    const auto add = [&](const FoundPlan& found, std::size_t number) {
        if (found.differs.empty())
            return;
        const PlanTraits traits = traitsOf(problem, found.plan, found.evaluation);
        std::vector<std::string> differs;
        differs.reserve(found.differs.size());
        for (const Difference difference : found.differs)
            differs.push_back(wordingOf(difference, fastest, traits).message);
        table.rows.push_back({planName(names, number), timeOf(found.evaluation),
                              fmt::format("{:.1f} %", 100 * (traits.iteration / fastest.iteration - 1.0)),
                              fmt::format("{}", fmt::join(differs, "; ")), stagesText(problem, found.plan)});
    };
    for (std::size_t i = 0; i < outcome.plans.size(); ++i)
        add(outcome.plans[i], i);
    for (std::size_t i = 0; i < outcome.differing.size(); ++i)
        add(outcome.differing[i], outcome.plans.size() + i);
    if (table.rows.empty())
        return table;
    table.text =
        fmt::format("plans that differ from plan {}, and what each costs in time:", planName(names, 0));
    table.headings = {kPlanHeading, ">predicted iteration", ">slower", "what differs", "GPUs a stage"};
    return table;
}

AnswerTable plannersTable(const Problem& problem, const Tournament& tournament) {
    const std::vector<const TournamentRow*> order = tournament.ranked();
    AnswerTable table{"",
                      {"planner", "standing", "ended", ">search", ">candidates", ">plans judged",
                       ">operators", ">cache hits", ">predicted iteration", ">behind", ">gap", ">peak memory",
                       "schedule", "GPUs a stage"},
                      {}};
    for (const TournamentRow& row : tournament.rows) {
        const SearchOutcome& o = row.outcome;
        std::vector<std::string> cells = {row.planner->label, row.planner->standing};
        if (row.leftOut)
            cells.emplace_back("left out");
        else
            cells.insert(cells.end(),
                         {endText(o), formatDuration(Seconds(o.wall)), fmt::format("{}", o.work),
                          fmt::format("{}", o.evaluated), fmt::format("{}", o.operatorEvaluations),
                          fmt::format("{:.1f} %",
                                      100.0 * static_cast<double>(o.cacheHits) /
                                          static_cast<double>(std::max<std::int64_t>(1, o.cacheLookups)))});
        if (!o.plans.empty()) {
            const FoundPlan& found = o.plans.front();
            const DeviceMemory& fullest = fullestDevice(found.evaluation);
            const std::optional<double> gap = tournament.gap(row);
            const Seconds fastest = order.front()->outcome.plans.front().evaluation.iteration;
            cells.insert(cells.end(),
                         {timeOf(found.evaluation),
                          fmt::format("{:.1f} %", 100.0 * (found.evaluation.iteration / fastest - 1.0)),
                          gap ? fmt::format("{:.2f} %", 100.0 * *gap) : "none",
                          fmt::format("{} of {}", formatGibibytes(fullest.peak.total()),
                                      formatGibibytes(fullest.capacity)),
                          label(found.plan.pipelines.front().schedule.kind),
                          stagesText(problem, found.plan)});
        }
        cells.resize(table.headings.size());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string withoutPlanText(const Tournament& tournament) {
    std::string text;
    for (const TournamentRow& row : tournament.rows)
        if (row.outcome.plans.empty())
            text += fmt::format("{}  {}: {}", text.empty() ? "without a plan:\n" : "\n", row.planner->label,
                                inOneLine(*row.refusal));
    return text;
}

std::string textOf(const TargetCost& cost) {
    if (cost.unrestricted.value <= 0.0)
        return {};
    if (cost.unrestricted < cost.best)
        return fmt::format("best plan found for any trainer: {}; what {} can run is {:.1f} % slower",
                           formatDuration(cost.unrestricted), cost.target->label,
                           100.0 * (cost.best / cost.unrestricted - 1.0));
    return fmt::format("no faster plan was found for any trainer than what {} can run", cost.target->label);
}

namespace {

std::string refusedText(const Error& error) {
    std::string text = error.text();
    for (const Error& reason : error.reasons)
        text += "\n  " + reason.text();
    return text;
}

// What the searches have to say of their answer; empty: nothing.
std::string notesText(const SearchOutcome& outcome) {
    std::string text;
    for (const Diagnostic& note : outcome.notes)
        text += (text.empty() ? "" : "\n") + note.message;
    return text;
}

// With the plan that meets it, of those of fewer nodes the first.
std::vector<AnswerTable> deadlineTables(const Answer& answer, const PlanNames& names) {
    std::vector<AnswerTable> tables = tablesOf(*answer.deadline);
    if (!answer.deadline->met)
        return tables;
    SearchOutcome best;
    best.plans = {answer.found().plans.front()};
    tables.insert(tables.begin() + 1, plansTable(*answer.problem, best, names));
    return tables;
}

// The plans themselves, or what stands in their place.
std::vector<AnswerTable> plansOf(const Answer& answer, const PlanNames& names) {
    if (answer.verdict)
        return {{answer.verdict->text.message, {}, {}}};
    if (answer.deadline)
        return deadlineTables(answer, names);
    if (answer.front)
        return {tableOf(*answer.problem, *answer.front, names)};
    if (answer.tournament) {
        AnswerTable table = plannersTable(*answer.problem, *answer.tournament);
        table.text = boundText(answer.outcome);
        std::vector<AnswerTable> tables = {std::move(table)};
        if (std::string without = withoutPlanText(*answer.tournament); !without.empty())
            tables.push_back({std::move(without), {}, {}});
        return tables;
    }
    if (answer.around) // is about plans that stand elsewhere
        return {};
    AnswerTable table = plansTable(*answer.problem, answer.outcome, names);
    table.text = boundText(answer.outcome);
    std::vector<AnswerTable> tables = {{searchText(answer.outcome), {}, {}}, std::move(table)};
    if (AnswerTable differing = differingTable(*answer.problem, answer.outcome, names);
        !differing.rows.empty())
        tables.push_back(std::move(differing));
    return tables;
}

} // namespace

std::vector<AnswerTable> tablesOf(const Answer& answer, const PlanNames& names) {
    std::vector<AnswerTable> tables;
    if (answer.target)
        if (std::string cost = textOf(*answer.target); !cost.empty())
            tables.push_back({std::move(cost), {}, {}});
    if (answer.trainers) // the answer itself; the plans for any trainer stand behind it
        for (AnswerTable& table : tablesOf(*answer.problem, *answer.trainers, names))
            tables.push_back(std::move(table));
    for (AnswerTable& table : plansOf(answer, names))
        tables.push_back(std::move(table));
    if (std::string notes = notesText(answer.found()); !notes.empty())
        tables.push_back({std::move(notes), {}, {}});
    const bool missed = answer.front && answer.front->misses();
    if (answer.refused && !answer.deadline && !missed) // a deadline's tables say it in figures
        tables.push_back({refusedText(*answer.refused), {}, {}});
    if (answer.around)
        for (AnswerTable& table : tablesOf(*answer.around, answer.found(), names))
            tables.push_back(std::move(table));
    return tables;
}

} // namespace pw
