// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan_text.h"

#include "app/cli/table.h"

#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/answers/answer_tables.h"
#include "core/base/text.h"
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

std::string bandText(const Features& features, Seconds iteration) {
    const ErrorBand band = errorBand(features);
    const NearCase& nearest = band.cases.front();
    std::string text = fmt::format("expected {} ({:.0f} %)",
                                   formatSpan(iteration * band.low, iteration * band.high), 100 * kBandShare);
    if (band.isNear())
        return text + fmt::format(", from {} case{} of {} source{}, nearest {}", band.cases.size(),
                                  band.cases.size() == 1 ? "" : "s", band.sources,
                                  band.sources == 1 ? "" : "s", caseText(nearest));
    const Features& there = measuredCases().cases[static_cast<std::size_t>(nearest.index)].features;
    const std::vector<std::string> differs = differences(features, there);
    return text +
           fmt::format("; no measured case is near, the nearest is {}{}", caseText(nearest),
                       differs.empty() ? "" : fmt::format(": differs in {}", fmt::join(differs, ", ")));
}

} // namespace

std::string problemLine(const Problem& problem) {
    const Recipe& recipe = problem.recipe();
    return fmt::format("{} ({} GPUs), {}: {} sequences of {} tokens an iteration, {}, {}\n",
                       printable(problem.topology().cluster().name, kInLine),
                       problem.topology().cluster().gpuCount(), printable(problem.model().name, kInLine),
                       recipe.gbs, recipe.seq, name(problem.precision()), name(recipe.optimizer));
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
        text += fmt::format("  does not fit: {}\n", printable(reason.message, kInLine));
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
        std::string line = fmt::format("{}: {}", d.where, d.message);
        if (const std::string value = d.param("value"), limit = d.param("limit"); !value.empty())
            line += fmt::format(" ({}{})", value, limit.empty() ? "" : "; expected " + limit);
        text += fmt::format("  {}: {}\n", d.severity == Severity::Note ? "note" : "warning",
                            printable(line, kInLine));
    }
    return text;
}

std::string stagesTable(const Problem& problem, const Plan& plan, const Evaluation& e) {
    const auto anywhere = [&](int Stage::*size) {
        return std::ranges::any_of(plan.pipelines, [&](const Pipeline& pipeline) {
            return std::ranges::any_of(pipeline.stages, [&](const Stage& stage) { return stage.*size > 1; });
        });
    };
    const bool contexts = anywhere(&Stage::cp), experts = anywhere(&Stage::ep),
               sharded = anywhere(&Stage::zero); // beyond the optimiser, which is the usual
    std::vector<std::string> headings = {"stage", "devices", "blocks", ">tp"};
    if (contexts)
        headings.push_back(">cp");
    if (experts)
        headings.push_back(">ep");
    if (sharded)
        headings.push_back(">ZeRO");
    for (const char* heading : {">dp", "recompute", ">forward", ">backward", ">measured", ">send", "link",
                                ">in flight", ">peak memory"})
        headings.emplace_back(heading);
    Table table(headings);
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < plan.pipelines[p].stages.size(); ++i) {
            const Stage& stage = plan.pipelines[p].stages[i];
            const StageFigures& f = e.pipelines[p].stages[i];
            const bool estimated = f.forwardProvenance == Provenance::Estimated;
            const bool last = plan.pipelines[p].layout().stageBehind(static_cast<int>(i)) < 0;
            const DeviceMemory* memory = fullest(e, static_cast<int>(p), static_cast<int>(i));
            std::vector<std::string> cells = {
                plan.pipelines.size() > 1 ? fmt::format("{}.{}", p, i) : fmt::format("{}", i),
                devicesText(problem, stage), layersText(stage, fineLayerCount(problem.model())),
                fmt::format("{}", stage.tp)};
            if (contexts)
                cells.push_back(fmt::format("{}", stage.cp));
            if (experts)
                cells.push_back(fmt::format("{}", stage.ep));
            if (sharded)
                cells.push_back(fmt::format("{}", stage.zero));
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
                                printable(partitionText(stage), kInLine));
    return text;
}

} // namespace pw::cli
