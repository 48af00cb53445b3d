// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answer_tables.h"

#include "core/base/units.h"
#include "core/search/proof/launch_count_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kShown = 12; // sets of nodes

std::string timeOrNone(Seconds time) {
    return time.value >= LaunchCountBound::kNothingFits ? std::string("nothing fits")
           : time.value > 0.0                           ? formatDuration(time)
                                                        : std::string("none");
}

// What is foretold, marked where it rests on estimates.
std::string marked(std::string figure, bool estimated) {
    return estimated ? "∴ " + std::move(figure) : figure;
}
std::string predicted(Seconds time, bool estimated) {
    return marked(timeOrNone(time), estimated && time.value > 0.0);
}

// All plans of an answer rest on the same measurements; without a plan nothing is known to be measured.
bool isEstimated(const SearchOutcome& outcome) {
    return outcome.plans.empty() || outcome.plans.front().evaluation.isEstimated();
}

// What the GPUs in use cost over the run, by the kinds' prices: ", price 1234000"; "" where a kind has
// none.
std::string runPriceText(const Problem& problem, const FoundPlan& found,
                         const std::optional<RunDeadline>& run) {
    const Evaluation& evaluation = found.evaluation;
    const bool priced = std::ranges::all_of(evaluation.memory, [&](const DeviceMemory& memory) {
        return problem.topology().kindOf(memory.device).pricePerHour > 0.0;
    });
    if (!run || !priced)
        return {};
    const Recipe& recipe = problem.recipe();
    const double iterations = run->ofRun(evaluation.iteration, recipe) / evaluation.iteration;
    const double each = objectiveValue(problem, found, Objective::Money) * static_cast<double>(recipe.gbs) *
                        static_cast<double>(recipe.seq);
    return ", price " + marked(plainFigure(each * iterations), evaluation.isEstimated());
}

std::string smallerText(const DeadlineAnswer& answer) {
    if (answer.notSearched < 0)
        return "fewer GPUs: too many sets to go through; only the searches by node class are behind this";
    const auto proven = std::count_if(answer.smaller.begin(), answer.smaller.end(),
                                      [](const NodeSet& set) { return set.proven; });
    if (answer.fewest)
        return fmt::format("no set with fewer GPUs meets it: proven over the space ({})",
                           answer.outcome.bound.scope.text());
    return fmt::format("fewer GPUs, in whole nodes, by sets: {} searched without a plan that meets it, {} "
                       "proven not to meet "
                       "it, {} not looked at",
                       static_cast<std::ptrdiff_t>(answer.smaller.size()) - proven, proven,
                       answer.notSearched);
}

// Of the rows below.
std::string smallerHeading(const DeadlineAnswer& answer) {
    const std::string first = answer.smaller.size() > kShown
                                  ? fmt::format("the first {} of the {}", kShown, answer.smaller.size())
                                  : "the";
    return first + " largest sets with fewer GPUs that were searched, none with a plan that meets it:";
}

AnswerTable smallerTable(const DeadlineAnswer& answer) {
    AnswerTable table{smallerText(answer), {}, {}};
    if (answer.smaller.empty())
        return table;
    table.text += "\n" + smallerHeading(answer);
    table.headings = {">GPUs", "nodes", ">fastest predicted", ">lower bound", "meets it"};
    for (std::size_t i = 0; i < std::min(kShown, answer.smaller.size()); ++i) {
        const NodeSet& set = answer.smaller[i];
        table.rows.push_back({fmt::format("{}", set.gpus), countsText(answer.groups, set.counts),
                              predicted(set.iteration, isEstimated(answer.outcome)), timeOrNone(set.bound),
                              set.proven ? "proven not to" : "none found"});
    }
    return table;
}

} // namespace

std::vector<AnswerTable> tablesOf(const DeadlineAnswer& answer) {
    if (answer.all.counts.empty())
        return {};
    const bool estimated = isEstimated(answer.outcome);
    const auto ofRun = [&](Seconds iteration) {
        return runTimeText(iteration, answer.run, answer.problem->recipe());
    };
    if (!answer.met) {
        AnswerTable table{
            fmt::format(
                "a deadline of {}: not met within the space by all {} GPUs, fastest found {}, lower bound {}",
                deadlineText(answer.deadline, answer.run), answer.all.gpus,
                predicted(answer.all.iteration, estimated) + ofRun(answer.all.iteration),
                timeOrNone(answer.all.bound)),
            {},
            {}};
        if (const ExtraNode* enough = answer.enough()) {
            const int tooFew = answer.extras.back().nodes;
            table.text += fmt::format(
                "; met with {} more {} of {}{}", enough->nodes, enough->nodes == 1 ? "node" : "nodes",
                answer.groups[static_cast<std::size_t>(enough->group)].name, ofRun(enough->iteration));
            if (enough->nodes > 1 && tooFew > 1 && tooFew < enough->nodes)
                table.text += fmt::format("; {} are too few", tooFew);
        } else if (!answer.stopped) {
            table.text += "; no number of nodes was found that meets it, up to 4096 more GPUs";
        }
        if (answer.stopped)
            table.text += "; stopped before all was looked at";
        if (!answer.extras.empty())
            table.headings = {">more nodes", "of", ">fastest predicted", ">lower bound", "meets it"};
        for (const ExtraNode& extra : answer.extras)
            table.rows.push_back({fmt::format("{}", extra.nodes),
                                  answer.groups[static_cast<std::size_t>(extra.group)].name,
                                  predicted(extra.iteration, estimated), timeOrNone(extra.bound),
                                  answer.meets(extra) ? "yes" : "no"});
        return {table};
    }
    const int used = usedGpus(answer.outcome.plans.front().plan);
    return {{fmt::format("a deadline of {}: met by {} of {} GPUs ({}){}, predicted {}, in {} "
                         "searches of at most {}",
                         deadlineText(answer.deadline, answer.run), answer.best.gpus, answer.all.gpus,
                         countsText(answer.groups, answer.best.counts),
                         used < answer.best.gpus ? fmt::format(", {} of them in use", used) : "",
                         predicted(answer.best.iteration, estimated) + ofRun(answer.best.iteration) +
                             runPriceText(*answer.problem, answer.outcome.plans.front(), answer.run),
                         answer.searches, answer.searchLimit),
             {},
             {}},
            smallerTable(answer)};
}

namespace {

std::string orderText(const Answers& answers, const PlanNames& names) {
    if (answers.order.empty())
        return "one plan: nothing to compare it with";
    std::string text = "how sure the order is: ";
    for (const OrderAnswer& o : answers.order)
        text += fmt::format("{}plan {} before plan {} {:.0f} %{}", o.plan > 1 ? ", " : "", planName(names, 0),
                            planName(names, o.plan), 100 * o.beside.firstFaster,
                            o.beside.isTie() ? " (tie)" : "");
    return text;
}

AnswerTable measurementsTable(const Answers& answers, const PlanNames& names) {
    const std::string first = planName(names, 0);
    AnswerTable table{
        fmt::format("measurements that could change the first plan (next best / plan {} now {:.4f}):", first,
                    answers.ratio),
        {"measure", "layer", ">tp", ">mbs", "now", ">share of time", ">may be", ">next best / plan " + first,
         "changes the first"},
        {}};
    for (const MeasurementAnswer& m : answers.measurements)
        table.rows.push_back({m.kind, m.layer, fmt::format("{}", m.tp), fmt::format("{}", m.mbs),
                              name(m.provenance), fmt::format("{:.1f} %", 100 * m.share),
                              fmt::format("{:.2f} to {:.2f}", m.low, m.high),
                              fmt::format("{:.4f} to {:.4f}", std::min(m.ratioLow, m.ratioHigh),
                                          std::max(m.ratioLow, m.ratioHigh)),
                              m.flips ? "to plan " + planName(names, m.becomesFirst) : "no"});
    return table;
}

// A row of the table below, and by what its time is to the one it is compared with; endless where there is
// none.
struct WhatIfRow {
    double ratio = std::numeric_limits<double>::infinity();
    std::vector<std::string> cells;
};

// "−4.2 %" of a ratio of times, "0.0 %" of what rounds to nothing; empty where there is none.
std::string changeText(double ratio) {
    if (!std::isfinite(ratio))
        return {};
    const double percent = 100.0 * (ratio - 1.0);
    const std::string figure = fmt::format("{:.1f} %", std::abs(percent));
    return figure == "0.0 %" ? figure : (percent < 0.0 ? "\u2212" : "+") + figure;
}

// Why nothing is known of a node less.
std::string withoutPlan(const Answers& answers, int lost) {
    NodeCounts left = allNodes(answers.groups);
    --left[static_cast<std::size_t>(lost)];
    return gpusOf(answers.groups, left) > 0 ? "no plan was found without it" : "it is the only one";
}

// What gains most stands first, what costs most behind it, and last what no time is known of.
AnswerTable whatIfTable(const Answers& answers, const SearchOutcome& outcome, const PlanNames& names) {
    const Seconds first = outcome.plans.front().evaluation.iteration;
    const bool estimated = isEstimated(outcome);
    std::vector<WhatIfRow> rows;
    const auto add = [&](const char* what, const std::string& of, std::string plan, Seconds now,
                         Seconds before, std::string note) {
        WhatIfRow row;
        if (now.value > 0.0)
            row.ratio = now / before;
        row.cells = {what,           of, std::move(plan), predicted(now, estimated), changeText(row.ratio),
                     std::move(note)};
        rows.push_back(std::move(row));
    };
    const auto nameOf = [&](int group) { return answers.groups[static_cast<std::size_t>(group)].name; };
    for (const SlowNodeAnswer& s : answers.slow)
        add("a node 10 % slower", nameOf(s.group), planName(names, s.plan), s.iteration,
            outcome.plans[s.plan].evaluation.iteration, s.node + " is the worst");
    for (const LostNodeAnswer& l : answers.lost)
        add("a node lost", nameOf(l.group), "best", l.iteration, first,
            l.iteration.value <= 0.0                ? withoutPlan(answers, l.group)
            : !l.goesOn.empty() && l.goesOn.front() ? "plan " + planName(names, 0) + " goes on"
                                                    : "planned anew");
    for (const ExtraNode& e : answers.extras)
        add("a node more", nameOf(e.group), "best", e.iteration, first,
            e.iteration.value > 0.0 ? "planned anew" : "no plan was found with it");
    for (const FasterLinks& f : answers.faster)
        add("twice as fast", f.name, "best", f.iteration, first,
            f.iteration < f.same ? fmt::format("planned anew; plan {} as it is: {}", planName(names, 0),
                                               changeText(f.same / first))
                                 : fmt::format("plan {} as it is", planName(names, 0)));
    std::ranges::stable_sort(rows, {}, &WhatIfRow::ratio);
    AnswerTable table{
        "", {"what if", "nodes or links", kPlanHeading, ">predicted iteration", ">change", ""}, {}};
    if (!rows.empty())
        table.text =
            fmt::format("what other nodes and links change: a slow node against the same plan, a lost or "
                        "further one and faster links against plan {}, the best found for the same question:",
                        planName(names, 0));
    for (WhatIfRow& row : rows)
        table.rows.push_back(std::move(row.cells));
    return table;
}

} // namespace

std::string planName(const PlanNames& names, std::size_t plan) {
    return plan < names.size() ? names[plan] : fmt::format("{}", plan + 1);
}

std::vector<AnswerTable> tablesOf(const Answers& answers, const SearchOutcome& outcome,
                                  const PlanNames& names) {
    std::vector<AnswerTable> tables = {{orderText(answers, names), {}, {}}};
    if (!answers.measurements.empty())
        tables.push_back(measurementsTable(answers, names));
    tables.push_back(whatIfTable(answers, outcome, names));
    if (answers.stopped)
        tables.push_back({"stopped: what is missing was not looked at", {}, {}});
    return tables;
}

namespace {

std::string valueText(Objective objective, double value) {
    switch (objective) {
    case Objective::Money:
        return fmt::format("{:.4g}", 1e6 * value);
    case Objective::Energy:
        return fmt::format("{:.4g} J", value);
    case Objective::Memory:
        return fmt::format("{:.1f} %", 100.0 * (1.0 - value));
    case Objective::Time:
        break;
    }
    return formatDuration(Seconds(value));
}

const char* valueHeading(Objective objective) {
    switch (objective) {
    case Objective::Money:
        return ">price of a million tokens";
    case Objective::Energy:
        return ">energy of a token";
    case Objective::Memory:
        return ">memory to spare";
    case Objective::Time:
        break;
    }
    return ">time";
}

std::string frontText(const ParetoFront& front, const PlanNames& names) {
    const SearchOutcome& o = front.outcome;
    const ObjectiveRow& row = objectiveTable()[static_cast<std::size_t>(front.objective)];
    const std::string bounded =
        "Only time is bounded" + (o.bound.value.value > 0.0
                                      ? fmt::format(": no plan of the space ({}) is predicted under {}",
                                                    o.bound.scope.text(), formatDuration(o.bound.value))
                                      : std::string());
    const std::string searches =
        fmt::format("from {} searches ({} constrained problems in all)", front.searches, front.variants);
    if (front.deadline.value <= 0.0 || o.plans.empty())
        return fmt::format("Pareto front of time against {}: {} of {} plans, {}. {}", row.name,
                           o.plans.size(), front.archive, searches, bounded);
    const std::string deadline = fmt::format("a deadline of {}", deadlineText(front.deadline, front.run));
    if (front.misses())
        return fmt::format("{}: not met by any of {} plans, {}. {}\nthe fastest of them:", deadline,
                           front.archive, searches, bounded);
    return fmt::format("{}: met by {} of {} plans, {}\nplan {} is {} of these{}. {}", deadline, front.inTime,
                       front.archive, searches, planName(names, 0), row.best,
                       o.plans.size() > 1 ? "; each one below it is faster, and none beats it in both" : "",
                       bounded);
}

} // namespace

AnswerTable tableOf(const Problem& problem, const ParetoFront& front, const PlanNames& names) {
    const SearchOutcome& o = front.outcome;
    AnswerTable table{frontText(front, names),
                      {kPlanHeading, valueHeading(front.objective), ">predicted iteration", ">tokens/s",
                       ">GPUs", "GPUs a stage"},
                      {}};
    const bool priced = front.objective == Objective::Money;
    if (priced)
        table.headings.insert(table.headings.begin() + 2,
                              front.run ? ">price of the run" : ">price of a day");
    if (front.run)
        table.headings.insert(table.headings.end() - 3, ">days of the run");
    for (std::size_t p = 0; p < o.plans.size(); ++p) {
        const Evaluation& evaluation = o.plans[p].evaluation;
        const bool estimated = evaluation.isEstimated();
        table.rows.push_back(
            {planName(names, p), marked(valueText(front.objective, front.values[p]), estimated),
             predicted(evaluation.iteration, estimated),
             marked(fmt::format("{:.0f}", evaluation.tokensPerSecond), estimated),
             fmt::format("{}", usedGpus(o.plans[p].plan)), stagesText(problem, o.plans[p].plan)});
        constexpr double kDay = 86'400.0; // s
        std::vector<std::string>& row = table.rows.back();
        const double time = front.run ? front.run->ofRun(evaluation.iteration, problem.recipe()).value : kDay;
        if (priced) // of the GPUs that the plan uses, however fast it is
            row.insert(row.begin() + 2,
                       marked(plainFigure(front.values[p] * evaluation.tokensPerSecond * time), estimated));
        if (front.run)
            row.insert(row.end() - 3, marked(plainFigure(time / kDay), estimated));
    }
    return table;
}

} // namespace pw
