// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/run_record.h"

#include "core/base/in_file.h"
#include "core/base/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace pw {

namespace {

constexpr const char* kRunSchema = "pipewright-run-1";
constexpr std::array kRunOpNames = {"F", "B", "W", "send", "recv", "sync", "update"};
constexpr int kMostRunSteps = 1'000'000'000, kMostRunRanks = 131'072, kMostRunParts = 1'000'000;
constexpr double kLongestRun = 1e9, kMostRunBytes = 1e18, kMostLoss = 1e300, kMostShare = 1e9;
constexpr std::int64_t kMostPasses = std::int64_t{1} << 50;

// An operation ends within its step but for clocks of several machines that differ.
constexpr double kClockSlack = 1e-9;

std::optional<RunOpKind> runOpKind(std::string_view text) {
    for (std::size_t k = 0; k < kRunOpNames.size(); ++k)
        if (text == kRunOpNames[k])
            return static_cast<RunOpKind>(k);
    return std::nullopt;
}

int whole(const JsonReader& r, const char* key, int most) {
    return static_cast<int>(r.count(key, 0, most));
}

std::vector<RunStep> stepsOf(const JsonReader& root) {
    std::vector<RunStep> steps;
    std::set<int> seen;
    for (const JsonReader& r : root.array("steps")) {
        RunStep step;
        step.step =
            static_cast<int>(r.count("step", 0, kMostRunSteps, static_cast<std::int64_t>(steps.size())));
        const auto loss = r.value().find("loss");
        if (loss != r.value().end() && loss->is_null()) { // the runner's was no number
            step.loss = std::numeric_limits<double>::quiet_NaN();
            r.passOver({"loss"});
        } else {
            step.loss = r.number("loss", -kMostLoss, kMostLoss);
        }
        step.duration = Seconds(r.number("seconds", 0.0, kLongestRun));
        if (r.has("seconds") && step.duration.value <= 0.0)
            r.fail("run.time", r.where("seconds"), "is 0; a step takes time");
        r.passOver({"gradient_norm", "start_s"});
        if (!seen.insert(step.step).second)
            r.fail("run.step", r.where(), {"is step {step} again", {{"step", step.step}}});
        steps.push_back(step);
    }
    if (steps.empty())
        root.fail("run.step", root.where("steps"), "none; expected one or more");
    return steps;
}

std::vector<RunOp> opsOf(const JsonReader& root, std::vector<RunStep>& steps) {
    std::map<int, RunStep*> byStep;
    for (RunStep& step : steps)
        byStep[step.step] = &step;
    std::vector<RunOp> ops;
    for (const JsonReader& r : root.array("ops")) {
        RunOp op;
        op.step = whole(r, "step", kMostRunSteps);
        op.rank = whole(r, "rank", kMostRunRanks);
        op.pipeline = whole(r, "pipeline", kMostRunParts);
        op.replica = whole(r, "replica", kMostRunParts);
        op.stage = whole(r, "stage", kMostRunParts);
        op.chunk = whole(r, "chunk", kMostRunParts);
        op.microbatch = r.count("microbatch", 0, std::int64_t{1} << 40);
        op.start = r.number("start_s", 0.0, kLongestRun);
        op.end = r.number("end_s", 0.0, kLongestRun);
        const std::string kind = r.text("kind");
        if (const auto known = runOpKind(kind))
            op.kind = *known;
        else
            r.fail("run.kind", r.where("kind"),
                   {"\"{kind}\"; expected {known}",
                    {{"kind", kind}, {"known", "F, B, W, send, recv, sync or update"}}});
        if (op.end < op.start - kClockSlack)
            r.fail(
                "run.time", r.where("end_s"),
                {"ends at {end} s, before it begins at {start} s", {{"end", op.end}, {"start", op.start}}});
        if (const auto step = byStep.find(op.step); step != byStep.end())
            step->second->recorded = true;
        else
            r.fail("run.step", r.where("step"), {"no step {step} is in `steps`", {{"step", op.step}}});
        ops.push_back(op);
    }
    return ops;
}

// Clocks of several machines differ, and a step may end before its last operations are written down, but not
// by more than it takes.
void checkSpans(const JsonReader& root, const std::vector<RunStep>& steps, const std::vector<RunOp>& ops) {
    constexpr double kSpans = 2.0, kBeside = 1.0; // of a step; s
    std::map<int, std::pair<double, double>> spans;
    for (const RunOp& op : ops) {
        auto& [first, last] = spans.try_emplace(op.step, op.start, op.end).first->second;
        first = std::min(first, op.start);
        last = std::max(last, op.end);
    }
    for (const RunStep& step : steps)
        if (const auto span = spans.find(step.step); span != spans.end())
            if (const double taken = span->second.second - span->second.first;
                taken > kSpans * step.duration.value + kBeside)
                root.fail("run.time", root.where("ops"),
                          {"those of step {step} span {span} s; it took {seconds} s",
                           {{"step", step.step}, {"span", taken}, {"seconds", step.duration.value}}});
}

std::vector<RunRank> ranksOf(const JsonReader& root) {
    std::vector<RunRank> ranks;
    if (!root.has("ranks"))
        return ranks;
    for (const JsonReader& r : root.array("ranks")) {
        RunRank rank;
        rank.rank = whole(r, "rank", kMostRunRanks);
        rank.device = r.text("device");
        rank.host = r.text("host", "");
        rank.pipeline = whole(r, "pipeline", kMostRunParts);
        rank.stage = whole(r, "stage", kMostRunParts);
        rank.replica = whole(r, "replica", kMostRunParts);
        rank.tpRank = whole(r, "tp_rank", kMostRunParts);
        if (rank.rank != static_cast<int>(ranks.size()))
            r.fail("run.rank", r.where("rank"),
                   {"is {rank}; expected {expected}, ranks in order",
                    {{"rank", rank.rank}, {"expected", ranks.size()}}});
        ranks.push_back(std::move(rank));
    }
    return ranks;
}

std::string softwareOf(const JsonReader& root) {
    std::string text;
    if (root.has("versions"))
        for (const auto& [key, value] : root.object("versions").members())
            if (value.value().is_string())
                text +=
                    fmt::format("{}{} {}", text.empty() ? "" : ", ", key, value.value().get<std::string>());
    return text;
}

// Of the first plan of the document; what an older file lacks.
Status takePlan(const JsonReader& root, RunRecord& run) {
    if (!root.has("plan_document"))
        return Ok{};
    const JsonReader document = root.object("plan_document");
    const JsonReader question = document.object("problem");
    const std::vector<JsonReader> entries = document.array("plans");
    if (Status read = root.status(); !read)
        return read;
    if (entries.size() != 1)
        return badInput("run.plan", document.where("plans"),
                        {"{plans} plans; expected the one that ran", {{"plans", entries.size()}}});
    auto problem = Problem::fromJson(question);
    if (!problem)
        return inFile(problem.error(), run.file);
    auto plan = planFromJson(entries.front(), **problem);
    if (!plan)
        return inFile(plan.error(), run.file);
    run.problem = *problem;
    run.plan = *std::move(plan);
    return Ok{};
}

std::optional<RunPace> paceOf(const JsonReader& root) {
    if (!root.has("emulation") || !root.flag("emulated", false))
        return std::nullopt;
    const JsonReader stated = root.object("emulation");
    RunPace pace;
    pace.passes = stated.count("passes", 0, kMostPasses);
    pace.late = stated.count("late_passes", 0, pace.passes);
    pace.realShare = stated.number("real_share", 0.0, kMostShare);
    pace.disturbed = stated.flag("disturbed", false);
    return pace;
}

} // namespace

bool isPass(RunOpKind kind) {
    return std::find(kPassKinds.begin(), kPassKinds.end(), kind) != kPassKinds.end();
}

const char* name(RunOpKind kind) {
    return kRunOpNames[static_cast<std::size_t>(kind)];
}

std::string RunRecord::standing() const {
    return std::string(emulated ? "emulated"
                       : onCpus ? "measured on CPUs"
                                : "measured") +
           (tiny ? ", with tiny widths" : "");
}

Result<RunRecord> readRunRecord(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    if (const std::string schema = root.text("schema"); root.status() && schema != kRunSchema)
        return badInput(
            "run.schema", root.where("schema"),
            {"\"{schema}\"; expected \"{expected}\"", {{"schema", schema}, {"expected", kRunSchema}}});
    RunRecord run;
    run.file = file;
    if (!root.has("emulated"))
        root.fail("run.emulated", root.where("emulated"),
                  "missing: a run is either measured or emulated, and is never taken for the other");
    run.emulated = root.flag("emulated", false);
    run.tiny = root.flag("tiny", false);
    if (root.has("fused_update"))
        run.fusedUpdate = root.flag("fused_update", false);
    const std::string device = root.text("device_type", "cuda");
    if (device != "cuda" && device != "cpu")
        root.fail("run.device", root.where("device_type"),
                  {"\"{device}\"; expected cuda or cpu", {{"device", device}}});
    run.onCpus = device == "cpu";
    if (root.has("precision")) {
        const std::string stated = root.text("precision");
        run.precision = precisionFromName(stated);
        if (!run.precision)
            root.fail("run.precision", root.where("precision"),
                      {"\"{precision}\"; expected fp32, tf32, fp16, bf16 or fp8", {{"precision", stated}}});
    }
    run.steps = stepsOf(root);
    run.ops = opsOf(root, run.steps);
    checkSpans(root, run.steps, run.ops);
    run.ranks = ranksOf(root);
    run.pace = paceOf(root);
    for (const JsonReader& bytes : root.array("peak_bytes")) {
        const Json& value = bytes.value();
        if (!value.is_number() || !(value.get<double>() >= 0.0) || value.get<double>() > kMostRunBytes)
            bytes.fail("run.peak", bytes.where(), "expected a number of bytes");
        else
            run.peak.push_back(Bytes(value.get<double>()));
    }
    run.software = softwareOf(root);
    if (Status read = root.status(); !read)
        return read.error();
    const std::size_t world = run.peak.size();
    if (!run.ranks.empty() && run.ranks.size() != world)
        return badInput(
            "run.rank", root.where("ranks"),
            {"{ranks} ranks; `peak_bytes` has {peaks}", {{"ranks", run.ranks.size()}, {"peaks", world}}});
    for (std::size_t i = 0; i < run.ops.size(); ++i)
        if (static_cast<std::size_t>(run.ops[i].rank) >= world)
            return badInput(
                "run.rank", fmt::format("{}#/ops/{}/rank", file, i),
                {"is {rank}; `peak_bytes` has {peaks} ranks", {{"rank", run.ops[i].rank}, {"peaks", world}}});
    root.passOver({"plan", "plan_document"});
    run.notes = root.unread(); // before the plan document, most of which is figures
    if (Status taken = takePlan(root, run); !taken)
        return taken.error();
    return run;
}

} // namespace pw
