// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/parse.h"
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pw::cli {

namespace {

// Every operation is printed, so the number of them is bounded: 4 million are a document of some 400 MB.
constexpr std::int64_t kMaxOperations = 4'000'000;

struct Flags {
    std::string forward, backward, send, kind, rule = "artifact";
    std::int64_t microbatches = 0;
    bool noOverlap = false;
};

Result<StageTimes> stageTimes(const Flags& flags) {
    const Result<std::vector<double>> forward = parseTimes("--forward", flags.forward);
    if (!forward)
        return forward.error();
    const Result<std::vector<double>> backward = parseTimes("--backward", flags.backward);
    if (!backward)
        return backward.error();
    StageTimes times{*forward, *backward, {}};
    if (backward->size() != forward->size())
        return badInput("usage", "--backward",
                        fmt::format("has {} entries, --forward has {}", backward->size(), forward->size()));
    if (forward->size() > 1 || !flags.send.empty()) {
        const Result<std::vector<double>> send = parseTimes("--send", flags.send);
        if (!send)
            return send.error();
        if (send->size() + 1 != forward->size())
            return badInput("usage", "--send",
                            fmt::format("has {} entries, {} stages need {}", send->size(), forward->size(),
                                        forward->size() - 1));
        times.send = *send;
    }
    for (std::size_t i = 0; i < forward->size(); ++i)
        if (times.forward[i] + times.backward[i] <= 0)
            return badInput("usage", "--forward", fmt::format("stage {} takes no time at all", i));
    return times;
}

Json document(const Simulation& run, const std::vector<int>& launch, double ideal) {
    Json ops = Json::array();
    for (const Op& op : run.ops)
        ops.push_back({{"stage", op.stage},
                       {"kind", op.kind == OpKind::Forward ? "F" : "B"},
                       {"chunk", 0},
                       {"microbatch", op.microbatch},
                       {"start", op.start},
                       {"end", op.end}});
    std::vector<double> span;
    for (std::size_t i = 0; i < run.busy.size(); ++i)
        span.push_back(run.lastEnd[i] - run.firstStart[i]);
    return Json{{"makespan", run.makespan}, {"ideal", ideal},
                {"launch", launch},         {"peak_in_flight", run.peakInFlight},
                {"busy_s", run.busy},       {"span_s", span},
                {"bubble", run.bubble()},   {"ops", std::move(ops)}};
}

std::string table(const Simulation& run, const std::vector<int>& launch, double ideal, ScheduleKind kind) {
    Table stages({">stage", ">launch", ">in flight", ">busy s", ">span s", ">idle %"});
    for (std::size_t i = 0; i < launch.size(); ++i) {
        const double span = run.lastEnd[i] - run.firstStart[i];
        stages.add({fmt::format("{}", i), fmt::format("{}", launch[i]),
                    fmt::format("{}", run.peakInFlight[i]), fmt::format("{:.6g}", run.busy[i]),
                    fmt::format("{:.6g}", span),
                    fmt::format("{:.1f}", span > 0 ? 100.0 * (1.0 - run.busy[i] / span) : 0.0)});
    }
    return fmt::format("{}: predicted makespan {:.6g} s, ideal {:.6g} s, bubble {:.1f} %\n\n{}", label(kind),
                       run.makespan, ideal, 100.0 * run.bubble(), stages.text());
}

Result<Answer> schedule(const Flags& flags) {
    const Result<StageTimes> times = stageTimes(flags);
    if (!times)
        return times.error();
    const ScheduleKind kind = *scheduleKindFromName(flags.kind);
    const LaunchRule rule = *launchRuleFromName(flags.rule);
    if (2 * flags.microbatches * times->stages() > kMaxOperations)
        return badInput("usage", "--microbatches",
                        fmt::format("{} micro-batches on {} stages are more than {} operations",
                                    flags.microbatches, times->stages(), kMaxOperations));
    const int microbatches = static_cast<int>(flags.microbatches);
    double all = 0.0; // no schedule takes longer than everything one after the other
    for (const std::vector<double>* part : {&times->forward, &times->backward, &times->send, &times->send})
        for (const double time : *part)
            all += time * microbatches;
    const Error tooLong =
        badInput("usage", "", "the times are too far apart or too long for a finite result");
    if (!std::isfinite(all))
        return tooLong;
    const std::vector<int> launch = launchCounts(kind, rule, *times, microbatches);
    const Result<Simulation> run = simulate(*times, microbatches, launch, {.overlap = !flags.noOverlap});
    if (!run)
        return run.error();
    const double ideal = idealTime(*times, microbatches);
    if (!std::isfinite(ideal) || !std::isfinite(run->makespan) || !std::isfinite(run->bubble()))
        return tooLong;
    return Answer{document(*run, launch, ideal), table(*run, launch, ideal, kind), {}};
}

} // namespace

Command addSchedule(CLI::App& app) {
    auto flags = std::make_shared<Flags>();
    CLI::App* sub = app.add_subcommand("schedule", "simulate bare stage times under a pipeline schedule");
    sub->add_option("--forward", flags->forward, "forward time of every stage, seconds")
        ->type_name("f0,f1,…")
        ->required();
    sub->add_option("--backward", flags->backward, "backward time of every stage")
        ->type_name("b0,b1,…")
        ->required();
    sub->add_option("--send", flags->send, "one-way transfer behind every stage but the last")
        ->type_name("c0,c1,…");
    sub->add_option("--microbatches", flags->microbatches, "micro-batches an iteration")
        ->type_name("B")
        ->required()
        ->check(CLI::Range(std::int64_t{1}, kMaxOperations).description(""));
    sub->add_option("--kind", flags->kind, "gpipe, 1f1b, eager or h1f1b")
        ->type_name("KIND")
        ->required()
        ->check([](const std::string& text) {
            return scheduleKindFromName(text) ? "" : "\"" + text + "\" is none of gpipe, 1f1b, eager, h1f1b";
        });
    sub->add_option("--rule", flags->rule,
                    "launch counts of h1f1b: artifact (published, default) or ceil (reconstruction)")
        ->type_name("RULE")
        ->check([](const std::string& text) {
            return launchRuleFromName(text) ? "" : "\"" + text + "\" is neither artifact nor ceil";
        });
    sub->add_flag("--no-overlap", flags->noOverlap, "the sender waits until its transfer has ended");
    return {sub, [flags](const Session&) { return schedule(*flags); }};
}

} // namespace pw::cli
