// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/units.h"
#include "core/schedule/builders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace pw::cli {

namespace {

// Every operation is printed, so the number of them is bounded: 4 million are a document of some 400 MB.
constexpr std::int64_t kMaxOperations = 4'000'000;

struct ScheduleFlags {
    std::string forward, backward, weight, send, kind, rule = "artifact";
    std::string memoryLimit, memoryForward, memoryBackward;
    std::int64_t microbatches = 0, chunks = 0; // 0: what the kind takes at least
    bool noOverlap = false;
};

// What is simulated, checked.
struct Question {
    StageTimes times;
    std::vector<double> weight; // empty: half of each backward
    double wrap = 0.0;          // seconds, from the last stage to the first
    ScheduleKind kind = ScheduleKind::OneFOneB;
    LaunchRule rule = LaunchRule::Artifact;
    int microbatches = 0, chunks = 1;
    bool overlap = true;
    // Per stage: held by a forward, of that released by the gradient of the inputs, and the most at a time.
    std::vector<double> memoryForward, memoryBackward, memoryLimit;
};

// A run of either simulator, with what only its lists know.
struct Outcome {
    Simulation run;
    std::vector<int> launch;
    std::vector<double> peakMemory;
};

// "zb-1p, zb-2p and zb-v": the kinds that are searched under a limit.
std::string searchedKinds() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kScheduleKinds; ++i)
        if (const auto kind = static_cast<ScheduleKind>(i); takesMemoryLimit(kind))
            names.emplace_back(name(kind));
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

Result<std::vector<double>> sizes(const char* flag, const std::string& text) {
    const Result<std::vector<std::string>> parts = parseList(flag, text);
    if (!parts)
        return parts.error();
    std::vector<double> list;
    for (const std::string& part : *parts) {
        const Result<double> size = parseBytes(part);
        if (!size)
            return badEntry(flag, list.size() + 1, size.error());
        list.push_back(*size);
    }
    return list;
}

std::string figure(double value) {
    return fmt::format("{:.6g}", value);
}

Error wrongLength(const char* flag, std::size_t entries, std::size_t expected) {
    return badInput(
        "usage", flag,
        {"has {entries} entries; expected {expected}", {{"entries", entries}, {"expected", expected}}});
}

Status readTimes(const ScheduleFlags& flags, Question& q) {
    const Result<std::vector<double>> forward = parseTimes("--forward", flags.forward);
    if (!forward)
        return forward.error();
    const Result<std::vector<double>> backward = parseTimes("--backward", flags.backward);
    if (!backward)
        return backward.error();
    q.times = {*forward, *backward, {}};
    const std::size_t stages = forward->size();
    if (backward->size() != stages)
        return badInput("usage", "--backward",
                        {"has {entries} entries, --forward has {expected}",
                         {{"entries", backward->size()}, {"expected", stages}}});
    for (std::size_t i = 0; i < stages; ++i)
        if (q.times.forward[i] + q.times.backward[i] <= 0)
            return badInput("usage", "--forward", {"stage {stage} takes no time at all", {{"stage", i}}});
    if (!flags.weight.empty()) {
        const Result<std::vector<double>> weight = parseTimes("--weight", flags.weight);
        if (!weight)
            return weight.error();
        if (weight->size() != stages)
            return wrongLength("--weight", weight->size(), stages);
        for (std::size_t i = 0; i < stages; ++i)
            if ((*weight)[i] > q.times.backward[i])
                return badInput(
                    "usage", "--weight",
                    {"stage {stage}: {weight} s of a backward of {backward} s; it is a part of it",
                     {{"stage", i},
                      {"weight", figure((*weight)[i])},
                      {"backward", figure(q.times.backward[i])}}});
        q.weight = *weight;
    }
    if (stages == 1 && flags.send.empty())
        return Ok{};
    const Result<std::vector<double>> send = parseTimes("--send", flags.send);
    if (!send)
        return send.error();
    q.times.send = *send;
    const bool wraps = q.kind == ScheduleKind::Interleaved && stages > 2;
    if (wraps && send->size() == stages) {
        q.wrap = send->back();
        q.times.send.pop_back();
    } else if (send->size() + 1 != stages) {
        return badInput("usage", "--send",
                        {"has {entries} entries, {stages} stages need {expected}",
                         {{"entries", send->size()}, {"stages", stages}, {"expected", stages - 1}}});
    } else if (wraps) {
        q.wrap = *std::max_element(send->begin(), send->end());
    }
    return Ok{};
}

Status readMemory(const ScheduleFlags& flags, Question& q) {
    const std::size_t stages = q.times.forward.size();
    q.memoryForward.assign(stages, 2.0);
    if (!flags.memoryForward.empty()) {
        const Result<std::vector<double>> held = sizes("--memory-forward", flags.memoryForward);
        if (!held)
            return held.error();
        if (held->size() != stages)
            return wrongLength("--memory-forward", held->size(), stages);
        q.memoryForward = *held;
    }
    for (const double held : q.memoryForward)
        q.memoryBackward.push_back(0.5 * held);
    if (!flags.memoryBackward.empty()) {
        const Result<std::vector<double>> released = sizes("--memory-backward", flags.memoryBackward);
        if (!released)
            return released.error();
        if (released->size() != stages)
            return wrongLength("--memory-backward", released->size(), stages);
        for (std::size_t i = 0; i < stages; ++i)
            if ((*released)[i] > q.memoryForward[i])
                return badInput("usage", "--memory-backward",
                                {"stage {stage} releases {released} of the {held} that a forward holds",
                                 {{"stage", i},
                                  {"released", figure((*released)[i])},
                                  {"held", figure(q.memoryForward[i])}}});
        q.memoryBackward = *released;
    }
    if (flags.memoryLimit.empty())
        return Ok{};
    if (!takesMemoryLimit(q.kind))
        return badInput("usage", "--memory-limit",
                        {"{schedule} has a fixed order; only {searched} are searched under a limit",
                         {{"schedule", label(q.kind)}, {"searched", searchedKinds()}}});
    const Result<std::vector<double>> limit = sizes("--memory-limit", flags.memoryLimit);
    if (!limit)
        return limit.error();
    if (limit->size() != 1 && limit->size() != stages)
        return wrongLength("--memory-limit", limit->size(), stages);
    q.memoryLimit = limit->size() == 1 ? std::vector<double>(stages, limit->front()) : *limit;
    return Ok{};
}

Result<Question> question(const ScheduleFlags& flags) {
    Question q;
    q.kind = *scheduleKindFromName(flags.kind);
    q.rule = *launchRuleFromName(flags.rule);
    q.overlap = !flags.noOverlap;
    q.chunks = flags.chunks == 0 ? leastChunks(q.kind) : static_cast<int>(flags.chunks);
    if (const Status read = readTimes(flags, q); !read)
        return read.error();
    if (const Status read = readMemory(flags, q); !read)
        return read.error();
    const std::int64_t passes = (splitsBackward(q.kind) ? 3 : 2) * q.chunks * q.times.stages();
    if (passes * flags.microbatches > kMaxOperations)
        return badInput(
            "usage", "--microbatches",
            {"{microbatches} micro-batches on {stages} stages are more than {most} operations",
             {{"microbatches", flags.microbatches}, {"stages", q.times.stages()}, {"most", kMaxOperations}}});
    q.microbatches = static_cast<int>(flags.microbatches);
    return q;
}

Result<Outcome> outcome(const Question& q) {
    Outcome result;
    if (usesLaunchCounts(q.kind) && q.chunks == 1) {
        result.launch = launchCounts(q.kind, q.rule, q.times, q.microbatches);
        Result<Simulation> run = simulate(q.times, q.microbatches, result.launch, {.overlap = q.overlap});
        if (!run)
            return run.error();
        result.run = *std::move(run);
        for (std::size_t i = 0; i < q.memoryForward.size(); ++i)
            result.peakMemory.push_back(result.run.peakInFlight[i] * q.memoryForward[i]);
        return result;
    }
    ChunkedPipeline pipeline = chunkedPipeline(q.times, q.weight, q.chunks, chunkPlacement(q.kind), q.wrap);
    for (int v = 0; v < pipeline.virtualStages(); ++v) {
        const auto stage = static_cast<std::size_t>(pipeline.stageOf(v));
        pipeline.held[static_cast<std::size_t>(v)] = q.memoryForward[stage] / q.chunks;
        pipeline.released[static_cast<std::size_t>(v)] = q.memoryBackward[stage] / q.chunks;
    }
    const Result<OpLists> lists =
        opLists(q.kind, pipeline, {q.microbatches, q.rule, q.overlap, q.memoryLimit});
    if (!lists)
        return lists.error();
    Result<Simulation> run = simulate(pipeline, q.microbatches, *lists, {.overlap = q.overlap});
    if (!run)
        return run.error();
    return Outcome{*run, forwardsBeforeBackward(*lists), run->peakHeld};
}

// Whole stages' worth of activations; a chunk's are its share.
Json inFlight(const Simulation& run, int chunks) {
    if (chunks == 1)
        return run.peakInFlight;
    Json list = Json::array();
    for (const int count : run.peakInFlight)
        list.push_back(static_cast<double>(count) / chunks);
    return list;
}

Json document(const Outcome& result, const Question& q, double ideal) {
    constexpr const char* kNames[] = {"F", "B", "W"};
    const Simulation& run = result.run;
    Json ops = Json::array();
    for (const Op& op : run.ops)
        ops.push_back({{"stage", op.stage},
                       {"kind", kNames[static_cast<std::size_t>(op.kind)]},
                       {"chunk", op.chunk},
                       {"microbatch", op.microbatch},
                       {"start", op.start},
                       {"end", op.end}});
    std::vector<double> span;
    for (std::size_t i = 0; i < run.busy.size(); ++i)
        span.push_back(run.lastEnd[i] - run.firstStart[i]);
    return Json{{"makespan", run.makespan},
                {"ideal", ideal},
                {"launch", result.launch},
                {"peak_in_flight", inFlight(run, q.chunks)},
                {"peak_memory", result.peakMemory},
                {"busy_s", run.busy},
                {"span_s", span},
                {"bubble", run.bubble()},
                {"ops", std::move(ops)}};
}

std::string table(const Outcome& result, const Question& q, double ideal) {
    const Simulation& run = result.run;
    Table stages({">stage", ">launch", ">in flight", ">memory", ">busy s", ">span s", ">idle %"});
    for (std::size_t i = 0; i < result.launch.size(); ++i) {
        const double span = run.lastEnd[i] - run.firstStart[i];
        stages.add({fmt::format("{}", i), fmt::format("{}", result.launch[i]),
                    fmt::format("{:.4g}", static_cast<double>(run.peakInFlight[i]) / q.chunks),
                    fmt::format("{:.6g}", result.peakMemory[i]), fmt::format("{:.6g}", run.busy[i]),
                    fmt::format("{:.6g}", span),
                    fmt::format("{:.1f}", span > 0 ? 100.0 * (1.0 - run.busy[i] / span) : 0.0)});
    }
    // With the step validated afterwards the next iteration of a stage starts when its own span has ended.
    const std::string iteration =
        splitsBackward(q.kind) ? fmt::format("largest span {:.6g} s, ", run.largestSpan()) : "";
    return fmt::format(
        "{}: predicted makespan {:.6g} s, {}ideal {:.6g} s, bubble {:.1f} % of useful time\n\n{}",
        label(q.kind), run.makespan, iteration, ideal, 100.0 * run.bubble(), stages.text());
}

Result<Answer> schedule(const ScheduleFlags& flags) {
    const Result<Question> q = question(flags);
    if (!q)
        return q.error();
    // No schedule takes longer than everything one after the other; every chunk sends.
    double all = q->wrap * 2.0 * q->chunks * q->microbatches;
    for (const std::vector<double>* part :
         {&q->times.forward, &q->times.backward, &q->times.send, &q->times.send})
        for (const double time : *part)
            all += time * q->microbatches * q->chunks;
    const Error tooLong =
        badInput("usage", "", "the times are too far apart or too long for a finite result");
    if (!std::isfinite(all))
        return tooLong;
    const Result<Outcome> result = outcome(*q);
    if (!result)
        return result.error();
    const double ideal = idealTime(q->times, q->microbatches);
    if (!std::isfinite(ideal) || !std::isfinite(result->run.makespan) || !std::isfinite(result->run.bubble()))
        return tooLong;
    return Answer{document(*result, *q, ideal), table(*result, *q, ideal), {}};
}

} // namespace

Command addSchedule(CLI::App& app) {
    auto flags = std::make_shared<ScheduleFlags>();
    CLI::App* sub = app.add_subcommand("schedule", "simulate bare stage times under a pipeline schedule");
    sub->add_option("--forward", flags->forward, "forward time of every stage, seconds")
        ->type_name("f0,f1,…")
        ->required();
    sub->add_option("--backward", flags->backward, "whole backward time of every stage")
        ->type_name("b0,b1,…")
        ->required();
    sub->add_option("--weight", flags->weight,
                    "the part of every backward that is the gradient of the weights, which zero-bubble kinds "
                    "run apart; default half of it")
        ->type_name("w0,w1,…");
    sub->add_option("--send", flags->send,
                    "one-way transfer behind every stage but the last; interleaved takes a further one, from "
                    "the last stage to the first (default the longest)")
        ->type_name("c0,c1,…");
    sub->add_option("--microbatches", flags->microbatches, "micro-batches an iteration")
        ->type_name("B")
        ->required()
        ->check(CLI::Range(std::int64_t{1}, kMaxOperations).description(""));
    sub->add_option("--kind", flags->kind, scheduleKindNames())
        ->type_name("KIND")
        ->required()
        ->check([](const std::string& text) {
            return scheduleKindFromName(text) ? std::string()
                                              : "\"" + text + "\" is none of " + scheduleKindNames();
        });
    sub->add_option("--chunks", flags->chunks,
                    "pieces of the model a stage, each with its share of the times: 2 or more for "
                    "interleaved, 2 for zb-v, else 1")
        ->type_name("V")
        ->check(CLI::Range(1, 64).description(""));
    sub->add_option(
           "--rule", flags->rule,
           "launch counts of h1f1b: artifact (published, default), ceil (reconstruction) or busy (own)")
        ->type_name("RULE")
        ->check([](const std::string& text) {
            return launchRuleFromName(text) ? "" : "\"" + text + "\"; expected " + launchRuleNames();
        });
    sub->add_option(
           "--memory-limit", flags->memoryLimit,
           fmt::format("most that the forwards of a stage may hold, for {}; one value or one a stage; "
                       "default what as many micro-batches hold as there are stages, twice that for "
                       "zb-2p",
                       searchedKinds()))
        ->type_name("M");
    sub->add_option("--memory-forward", flags->memoryForward,
                    "what a stage holds for a micro-batch from its forward on; default 2")
        ->type_name("m0,m1,…");
    sub->add_option("--memory-backward", flags->memoryBackward,
                    "how much of that the gradient of the inputs releases; default half; the rest goes with "
                    "the gradient of the weights")
        ->type_name("m0,m1,…");
    sub->add_flag("--no-overlap", flags->noOverlap, "the sender waits until its transfer has ended");
    return {sub, [flags](const Session&) { return schedule(*flags); }};
}

} // namespace pw::cli
