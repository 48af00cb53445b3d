// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_text.h"

#include "app/cli/table.h"

#include "core/accuracy/band.h"
#include "core/accuracy/tie.h"
#include "core/base/units.h"
#include "core/cost/cost.h"
#include "core/evaluate/idle_share.h"
#include "core/plan/stage_partition.h"
#include "core/timeline/build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pw::cli {

namespace {

constexpr const char* kEstimate = " ∴";

std::string marked(Seconds time, bool estimated) {
    return formatDuration(time) + (estimated ? kEstimate : "");
}

std::string microbatches(const Plan& plan) {
    std::vector<std::string> parts;
    for (const Pipeline& p : plan.pipelines)
        parts.push_back(fmt::format("{}{} x {}", p.count > 1 ? fmt::format("{} x ", p.count) : "",
                                    p.microbatches, p.microbatchSize));
    return fmt::format("{}", fmt::join(parts, " + "));
}

std::string devicesText(const Problem& problem, const Stage& stage) {
    std::vector<DeviceIndex> devices;
    for (const Replica& replica : stage.replicas)
        devices.insert(devices.end(), replica.devices.begin(), replica.devices.end());
    return devicesLabel(problem.topology(), std::move(devices));
}

const DeviceMemory* fullest(const Evaluation& evaluation, int pipeline, int stage) {
    const DeviceMemory* found = nullptr;
    for (const DeviceMemory& m : evaluation.memory)
        if (m.pipeline == pipeline && m.stage == stage &&
            (found == nullptr || m.peak.total() / m.capacity > found->peak.total() / found->capacity))
            found = &m;
    return found;
}

// "14.90 to 17.80 s", "980.0 ms to 1.20 s".
std::string spanText(Seconds low, Seconds high) {
    std::string from = formatDuration(low);
    const std::string to = formatDuration(high);
    const std::size_t unit = from.find(' ');
    if (unit != std::string::npos && from.substr(unit) == to.substr(std::min(to.find(' '), to.size())))
        from.resize(unit);
    return from + " to " + to;
}

std::string bandText(const Features& features, Seconds iteration) {
    const ErrorBand band = errorBand(features);
    const NearCase& nearest = band.cases.front();
    std::string text = fmt::format("expected {} ({:.0f} %)",
                                   spanText(iteration * band.low, iteration * band.high), 100 * kBandShare);
    if (band.isNear())
        return text + fmt::format(", from {} case{} of {} source{}, nearest {}", band.cases.size(),
                                  band.cases.size() == 1 ? "" : "s", band.sources,
                                  band.sources == 1 ? "" : "s", caseText(nearest));
    const Features& there = measuredCases().cases[static_cast<std::size_t>(nearest.index)].features;
    const std::string differs = differenceText(features, there);
    return text + fmt::format("; no measured case is near, the nearest is {}{}", caseText(nearest),
                              differs.empty() ? "" : ": differs in " + differs);
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

std::string problemLine(const Problem& problem) {
    const Recipe& recipe = problem.recipe();
    return fmt::format("{} ({} GPUs), {}: {} sequences of {} tokens an iteration, {}, {}\n",
                       problem.topology().cluster().name, problem.topology().cluster().gpuCount(),
                       problem.model().name, recipe.gbs, recipe.seq, name(problem.precision()),
                       name(recipe.optimizer));
}

std::string plansTable(const Problem& problem, const SearchOutcome& outcome) {
    Table table({">plan", ">predicted iteration", ">expected (80 %)", "beside plan 1", ">tokens/s", ">bubble",
                 ">measured", "schedule", ">micro-batches", "GPUs a stage"});
    for (std::size_t i = 0; i < outcome.plans.size(); ++i) {
        const Plan& plan = outcome.plans[i].plan;
        const Evaluation& e = outcome.plans[i].evaluation;
        const ErrorBand band = errorBand(problem, plan, e);
        table.add(
            {fmt::format("{}", i + 1), marked(e.iteration, e.isEstimated()),
             spanText(e.iteration * band.low, e.iteration * band.high),
             i == 0 ? "" : againstFirst(problem, outcome.plans.front(), outcome.plans[i]),
             fmt::format("{:.0f}", e.tokensPerSecond), fmt::format("{:.1f} %", 100 * idleShare(e.bubble)),
             fmt::format("{:.1f} %", 100 * e.measuredShare), label(plan.pipelines.front().schedule.kind),
             microbatches(plan), stagePattern(problem, plan)});
    }
    return table.text();
}

std::string figuresText(const Problem& problem, const Plan& plan, const Evaluation& e) {
    const char* mark = e.isEstimated() ? kEstimate : "";
    std::string text = fmt::format("predicted iteration {}{}, {:.0f} tokens/s, bubble {:.1f} %, {:.1f} % of "
                                   "the computing time measured\n",
                                   formatDuration(e.iteration), mark, e.tokensPerSecond,
                                   100 * idleShare(e.bubble), 100 * e.measuredShare);
    text += fmt::format("  {}\n", bandText(featuresOf(problem, plan, e), e.iteration));
    text += fmt::format(
        "  fill {}, steady {}, drain {}, exposed: tensor parallel {}, data parallel {}, pipeline {}; "
        "sync {}, optimiser {}\n",
        formatDuration(e.time.fill), formatDuration(e.time.steady), formatDuration(e.time.drain),
        formatDuration(e.time.exposedTp), formatDuration(e.time.exposedDp), formatDuration(e.time.exposedPp),
        formatDuration(e.time.sync), formatDuration(e.time.optimizer));
    for (const Wording& reason : e.reasons)
        text += fmt::format("  does not fit: {}\n", reason.message);
    return text;
}

std::string tournamentTable(const Problem& problem, const Tournament& tournament) {
    const std::vector<const TournamentRow*> order = tournament.ranked();
    Table table({"planner", "standing", "ended", ">search", ">candidates", ">plans judged", ">operators",
                 ">cache hits", ">predicted iteration", ">behind", ">gap", ">peak memory", "schedule",
                 "GPUs a stage"});
    std::string refused;
    for (const TournamentRow& row : tournament.rows) {
        const SearchOutcome& o = row.outcome;
        std::vector<std::string> cells = {row.planner->label, row.planner->standing};
        if (row.leftOut)
            cells.insert(cells.end(), {"left out", "", "", "", "", ""});
        else
            cells.insert(cells.end(),
                         {endText(o), formatDuration(Seconds(o.wall)), fmt::format("{}", o.work),
                          fmt::format("{}", o.evaluated), fmt::format("{}", o.operatorEvaluations),
                          fmt::format("{:.1f} %",
                                      100.0 * static_cast<double>(o.cacheHits) /
                                          static_cast<double>(std::max<std::int64_t>(1, o.cacheLookups)))});
        if (o.plans.empty()) {
            cells.insert(cells.end(), 6, "");
            refused += fmt::format("  {}: {}\n", row.planner->label, row.refusal);
        } else {
            const Plan& plan = o.plans.front().plan;
            const Evaluation& e = o.plans.front().evaluation;
            const DeviceMemory& fullest = fullestDevice(e);
            const std::optional<double> gap = tournament.gap(row);
            const Seconds fastest = order.front()->outcome.plans.front().evaluation.iteration;
            cells.insert(cells.end(),
                         {marked(e.iteration, e.isEstimated()),
                          fmt::format("{:.1f} %", 100.0 * (e.iteration / fastest - 1.0)),
                          gap ? fmt::format("{:.2f} %", 100.0 * *gap) : "none",
                          fmt::format("{} of {}", formatGibibytes(fullest.peak.total()),
                                      formatGibibytes(fullest.capacity)),
                          label(plan.pipelines.front().schedule.kind), stagePattern(problem, plan)});
        }
        table.add(std::move(cells));
    }
    std::string text = table.text();
    if (!refused.empty())
        text += "\nwithout a plan:\n" + refused;
    return text;
}

namespace {

void addPhases(Table& table, const std::vector<Phase>& phases, double whole, std::size_t depth) {
    const auto best = [](Seconds time) {
        return time.value > 0.0 ? formatDuration(time) : std::string("none");
    };
    for (const Phase& phase : phases) {
        table.add({std::string(2 * depth, ' ') + phase.name, fmt::format("{}", phase.work),
                   formatDuration(Seconds(phase.seconds)),
                   fmt::format("{:.1f} %", whole > 0.0 ? 100.0 * phase.seconds / whole : 0.0),
                   best(phase.before), best(phase.after)});
        addPhases(table, phase.within, whole, depth + 1);
    }
}

} // namespace

std::string phasesTable(const SearchOutcome& outcome) {
    Table table({"phase", ">candidates", ">time", ">share", ">best before", ">best after"});
    addPhases(table, outcome.phases, outcome.wall, 0);
    const double told = secondsOf(outcome.phases);
    std::string text = table.text();
    text += fmt::format("phases together {} of the search's {}\n", formatDuration(Seconds(told)),
                        formatDuration(Seconds(outcome.wall)));
    if (!outcome.plans.empty())
        text += fmt::format("plan 1 was found by {}\n", outcome.plans.front().foundBy);
    return text;
}

std::string notesText(const Problem& problem, const Diagnostics& ofSearch) {
    std::string text;
    Diagnostics all = problemNotes(problem);
    append(all, ofSearch);
    for (const Diagnostic& d : all) {
        text += fmt::format("  {}: {}: {}", d.severity == Severity::Note ? "note" : "warning", d.where,
                            d.message);
        if (const std::string value = d.param("value"), limit = d.param("limit"); !value.empty())
            text += fmt::format(" ({}{})", value, limit.empty() ? "" : "; expected " + limit);
        text += "\n";
    }
    return text;
}

std::string stagesTable(const Problem& problem, const Plan& plan, const Evaluation& e) {
    const auto anywhere = [&](int Stage::*size) {
        return std::ranges::any_of(plan.pipelines, [&](const Pipeline& pipeline) {
            return std::ranges::any_of(pipeline.stages, [&](const Stage& stage) { return stage.*size > 1; });
        });
    };
    const bool contexts = anywhere(&Stage::cp), experts = anywhere(&Stage::ep);
    std::vector<std::string> headings = {"stage", "devices", "blocks", ">tp"};
    if (contexts)
        headings.push_back(">cp");
    if (experts)
        headings.push_back(">ep");
    for (const char* heading : {">dp", "recompute", ">forward", ">backward", ">measured", ">send", "link",
                                ">in flight", ">peak memory"})
        headings.emplace_back(heading);
    Table table(headings);
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i) {
            const Stage& stage = plan.pipelines[p].stages[i];
            const StageFigures& f = e.pipelines[p].stages[i];
            const bool estimated = f.forwardProvenance == Provenance::Estimated;
            const bool last = i + 1 == plan.pipelines[p].stages.size();
            const DeviceMemory* memory = fullest(e, static_cast<int>(p), static_cast<int>(i));
            std::vector<std::string> cells = {
                plan.pipelines.size() > 1 ? fmt::format("{}.{}", p, i) : fmt::format("{}", i),
                devicesText(problem, stage), layersText(stage, fineLayerCount(problem.model())),
                fmt::format("{}", stage.tp)};
            if (contexts)
                cells.push_back(fmt::format("{}", stage.cp));
            if (experts)
                cells.push_back(fmt::format("{}", stage.ep));
            for (std::string cell :
                 {fmt::format("{}", stage.dp()), std::string(name(stage.recompute)),
                  marked(f.forward, estimated), marked(f.backward, estimated),
                  fmt::format("{:.1f} %", 100 * f.measuredShare),
                  last ? std::string() : marked(f.send, f.sendProvenance == Provenance::Estimated), f.link,
                  fmt::format("{}", f.inFlight),
                  memory ? fmt::format("{} of {}", formatGibibytes(memory->peak.total()),
                                       formatGibibytes(memory->capacity))
                         : std::string()})
                cells.push_back(std::move(cell));
            table.add(std::move(cells));
        }
    std::string text = table.text();
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i)
            if (const Stage& stage = plan.pipelines[p].stages[i]; !stage.partition.empty())
                text +=
                    fmt::format("stage {}: {}\n",
                                plan.pipelines.size() > 1 ? fmt::format("{}.{}", p, i) : fmt::format("{}", i),
                                partitionText(stage));
    return text;
}

} // namespace pw::cli
