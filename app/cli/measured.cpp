// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/measured.h"
#include "app/cli/calibrate_run.h"
#include "app/cli/table.h"

#include "core/base/units.h"
#include "core/compare/compare.h"
#include "core/exchange/imports/measurements/run_record.h"
#include "core/formats/source.h"
#include "core/overlay/kineto_overlay.h"
#include "core/overlay/run_overlay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pw::cli {

namespace {

std::string signedPercent(double share) {
    return fmt::format("{:+.1f} %", 100 * share);
}

// Measured ranks beside the stages that they ran, and what is left between the two.
Status addTraces(const Session& session, const JudgedPlan& judged, const std::vector<std::string>& files,
                 Answer& answer) {
    std::vector<KinetoTrace> traces;
    for (const std::string& file : files) {
        Result<KinetoTrace> trace = readKineto(file, session.stop);
        if (!trace)
            return trace.error();
        traces.push_back(*std::move(trace));
    }
    const auto laid = overlay(*judged.problem, judged.plan(), judged.evaluation(), traces);
    if (!laid)
        return laid.error();
    Json list = Json::array();
    Table table(
        {"stage", ">rank", "device", ">steps", "", ">measured", ">predicted", ">difference", ">error"});
    for (const StageOverlay& one : *laid) {
        session.note(one.notes);
        Json entry = {{"pipeline", one.pipeline},
                      {"stage", one.stage},
                      {"rank", one.rank},
                      {"device", one.device},
                      {"steps", one.steps}};
        bool first = true;
        for (const auto& [what, pair] : {std::pair{"iteration", one.iteration},
                                         {"computing", one.computing},
                                         {"communication", one.communication},
                                         {"idle", one.idle}}) {
            entry[what] = {
                {"measured_s", pair.measured.value},
                {"predicted_s", pair.predicted.value},
                {"error_s", pair.difference().value},
                {"error", pair.error()},
                // The other way round, as readers of 0.1 know it.
                {"residual_s", -pair.difference().value},
                {"relative", pair.predicted.value > 0.0 ? pair.measured / pair.predicted - 1.0 : 0.0}};
            table.add({first ? fmt::format("{}.{}", one.pipeline, one.stage) : "",
                       first ? fmt::format("{}", one.rank) : "", first ? one.device : "",
                       first ? fmt::format("{}", one.steps) : "", what, formatDuration(pair.measured),
                       formatDuration(pair.predicted), signedDuration(pair.difference().value),
                       pair.measured.value > 0.0 ? signedPercent(pair.error()) : ""});
            first = false;
        }
        list.push_back(std::move(entry));
    }
    answer.document["measured"] = std::move(list);
    answer.text += "\nmeasured, a step; errors are predicted / measured - 1:\n" + table.text();
    return Ok{};
}

std::vector<std::string> cells(const RunPair& pair) {
    std::vector<std::string> list = {formatDuration(pair.measured), "", "", ""};
    if (pair.predicted) {
        list[1] = formatDuration(*pair.predicted);
        list[2] = signedDuration((*pair.predicted - pair.measured).value);
        if (pair.measured.value > 0.0)
            list[3] = signedPercent(pair.error());
    }
    return list;
}

std::string runText(const RunOverlay& o, const std::string& file) {
    std::string text = fmt::format("\n{}, {}: {} {}, loss {:.6g} to {:.6g}\n", file, o.standing,
                                   o.steps.size() == 1 ? "step" : "steps", fmt::join(o.steps, ", "),
                                   o.firstLoss, o.lastLoss);
    if (!o.measured)
        text += fmt::format(
            "  no times of these GPUs: the prediction is multiplied by {:.4g}, what all passes took "
            "over what is predicted for them; only how stages differ is compared\n",
            o.scale);
    if (o.pace)
        text += fmt::format("  {:.0f} % of the slots was real work, {} of {} passes took longer than "
                            "theirs{}\n",
                            100.0 * o.pace->realShare, o.pace->late, o.pace->passes,
                            o.pace->disturbed ? ": times say more of the machine that acted it out than of "
                                                "the plan; run it again with more --slack"
                                              : "");
    const char* ran = o.emulated ? ">emulated" : o.measured ? ">measured" : ">ran in";
    Table table({"stage", "operation", ">number", ran, ">predicted", ">difference", ">error"});
    const auto add = [&](const std::string& stage, const std::string& what, const std::string& number,
                         const RunPair& pair) {
        std::vector<std::string> row = {stage, what, number};
        for (std::string& cell : cells(pair))
            row.push_back(std::move(cell));
        table.add(std::move(row));
    };
    add("all", "step", fmt::format("{}", o.steps.size()), o.iteration);
    if (o.steps.size() > 1) {
        add("", "fastest", "", {o.fastest, std::nullopt});
        add("", "slowest", "", {o.slowest, std::nullopt});
    }
    for (const RunStageRow& stage : o.stages) {
        const std::string name = fmt::format("{}.{}", stage.pipeline, stage.stage);
        bool first = true;
        for (const RunOpRow& row : o.rows)
            if (row.pipeline == stage.pipeline && row.stage == stage.stage) {
                add(first ? name : "", pw::name(row.kind), fmt::format("{}", row.count), row.time);
                first = false;
            }
        add("", "busy", "", stage.busy);
        add("", "rest", "", stage.rest);
        if (stage.inFlight != stage.predictedInFlight)
            table.add({"", "in flight", "", fmt::format("{}", stage.inFlight),
                       fmt::format("{}", stage.predictedInFlight), "", ""});
    }
    text += table.text();
    if (o.slower.empty())
        text +=
            "no pass, transfer, sum of gradients or optimizer step was slower than predicted by 5 % of its "
            "own time and 0.5 % of the step\n";
    else
        text += "slower than predicted, of a step:\n";
    for (const RunFinding& f : o.slower)
        text += fmt::format("  {:>9}  {}\n", formatDuration(f.lost), f.says.message);
    if (!o.memory.empty()) {
        Table memory({"device", ">measured peak", ">predicted peak"});
        for (const RunMemory& m : o.memory)
            memory.add({m.device, formatGibibytes(m.measured), formatGibibytes(m.predicted)});
        text += memory.text();
    }
    return text;
}

Status addRun(const Session& session, const JudgedPlan& judged, const std::string& file, Answer& answer) {
    const Result<std::string> text = readText(file);
    if (!text)
        return text.error();
    const Result<RunRecord> run = readRunRecord(*text, file);
    if (!run)
        return run.error();
    session.note(run->notes);
    const Result<RunOverlay> laid = overlayRun(*judged.problem, judged.plan(), judged.evaluation(), *run);
    if (!laid)
        return laid.error();
    answer.document["run"] = toJson(*laid);
    answer.document["run"]["file"] = file;
    answer.text += runText(*laid, file);
    return Ok{};
}

} // namespace

Status addMeasured(const Session& session, const JudgedPlan& judged, const std::vector<std::string>& files,
                   Answer& answer) {
    for (const std::string& file : files) {
        const Result<bool> run = isRunRecord(file);
        if (!run)
            return run.error();
        if (!*run)
            continue;
        if (files.size() > 1)
            return badInput("run.alone", file, "is a run of all ranks: give it without other files");
        return addRun(session, judged, file, answer);
    }
    return addTraces(session, judged, files, answer);
}

void addMeasuredFlag(CLI::App& sub, std::vector<std::string>& files) {
    sub.add_option(
           "--measured", files,
           "what ran, to lay over the plan: run.json of the runner, or torch.profiler traces of ranks, which "
           "count through the plan's stages in order")
        ->type_name("FILE...");
}

} // namespace pw::cli
