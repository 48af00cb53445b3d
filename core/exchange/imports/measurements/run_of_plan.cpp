// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a run is of a plan.

#include "core/exchange/imports/measurements/run_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pw {

namespace {

// Whatever their names, and what is for trainers alone.
bool builtAlike(Model a, Model b) {
    for (Model* m : {&a, &b}) {
        m->name = m->source = m->dtype = "";
        m->rotaryBase = m->normEpsilon = 0.0;
        m->rotaryScaling = {};
    }
    return a == b;
}

// What the ranks do not show: the first field in which the plan that ran is another one, as
// "stages/1/chunks".
std::string differenceOf(const Pipeline& ran, const Pipeline& asked) {
    if (ran.stages.size() != asked.stages.size())
        return "stages";
    const PlanSchedule &was = ran.schedule, &is = asked.schedule;
    const bool counts = !was.launch.empty() && !is.launch.empty(); // else an evaluation chooses them
    if (was.kind != is.kind || was.chunks != is.chunks || (counts && was.launch != is.launch))
        return "schedule";
    if (std::tuple(ran.count, ran.microbatches, ran.microbatchSize) !=
        std::tuple(asked.count, asked.microbatches, asked.microbatchSize))
        return "microbatches";
    for (std::size_t s = 0; s < ran.stages.size(); ++s) {
        const Stage &a = ran.stages[s], &b = asked.stages[s];
        const char* field = a.chunks != b.chunks                                               ? "chunks"
                            : a.tp != b.tp || a.cp != b.cp || a.ep != b.ep || a.dp() != b.dp() ? "replicas"
                            : a.recompute != b.recompute || a.recomputeLayers != b.recomputeLayers
                                ? "recompute"
                            : a.zero != b.zero                         ? "zero"
                            : a.sequenceParallel != b.sequenceParallel ? "sequence_parallel"
                                                                       : nullptr;
        if (field != nullptr)
            return fmt::format("stages/{}/{}", s, field);
    }
    return {};
}

// The kind of a device when it ran, where the file tells.
std::optional<std::string> kindThen(const RunRecord& run, const std::string& device) {
    if (!run.problem)
        return std::nullopt;
    const std::vector<Device>& then = run.problem->topology().devices();
    const auto same = std::ranges::find(then, device, &Device::id);
    if (same == then.end())
        return std::nullopt;
    return run.problem->topology().kindOf(static_cast<DeviceIndex>(same - then.begin())).name;
}

} // namespace

Status checkRun(const RunRecord& run, const Problem& problem, const Plan& plan) {
    const auto fault = [&](const std::string& place, Wording wording) -> Status {
        return badInput("run.plan", run.file + "#/" + place, std::move(wording));
    };
    if (run.problem) {
        const Recipe &ran = run.problem->recipe(), &asked = problem.recipe();
        if (!builtAlike(run.problem->model(), problem.model()))
            return fault("plan_document/problem/model",
                         {"is \"{model}\", which is built otherwise than the plan's \"{expected}\"",
                          {{"model", run.problem->model().name}, {"expected", problem.model().name}}});
        for (const auto& [key, was, now] :
             {std::tuple("gbs", ran.gbs, asked.gbs), std::tuple("seq", ran.seq, asked.seq)})
            if (was != now)
                return fault(fmt::format("plan_document/problem/recipe/{}", key),
                             {"is {value}; the plan has {expected}: the run is of another problem",
                              {{"value", was}, {"expected", now}}});
    }
    if (run.precision && run.isAtPrecision() && *run.precision != problem.precision())
        return fault("precision",
                     {"is {found}; the plan is in {expected}: their times are not of one kind",
                      {{"found", name(*run.precision)}, {"expected", name(problem.precision())}}});
    for (std::size_t p = 0; run.plan && p < std::min(run.plan->pipelines.size(), plan.pipelines.size()); ++p)
        if (const std::string field = differenceOf(run.plan->pipelines[p], plan.pipelines[p]); !field.empty())
            return fault(fmt::format("plan_document/plans/0/pipelines/{}/{}", p, field),
                         {"is not the plan's: the run is of another plan", {}});
    if (run.plan && run.plan->pipelines.size() != plan.pipelines.size())
        return fault("plan_document/plans/0/pipelines",
                     {"{ran} pipelines; the plan has {asked}: the run is of another plan",
                      {{"ran", run.plan->pipelines.size()}, {"asked", plan.pipelines.size()}}});
    for (const RunRank& rank : run.ranks) {
        const std::string place = fmt::format("ranks/{}", rank.rank);
        const auto p = static_cast<std::size_t>(rank.pipeline), s = static_cast<std::size_t>(rank.stage),
                   r = static_cast<std::size_t>(rank.replica), t = static_cast<std::size_t>(rank.tpRank);
        const bool there = p < plan.pipelines.size() && s < plan.pipelines[p].stages.size() &&
                           r < plan.pipelines[p].stages[s].replicas.size() &&
                           t < plan.pipelines[p].stages[s].replicas[r].devices.size();
        if (!there)
            return fault(
                place,
                {"is rank {tp} of replica {replica} of stage {pipeline}.{stage}, which the plan has not",
                 {{"tp", rank.tpRank},
                  {"replica", rank.replica},
                  {"pipeline", rank.pipeline},
                  {"stage", rank.stage}}});
        const DeviceIndex d = plan.pipelines[p].stages[s].replicas[r].devices[t];
        if (const std::string& id = problem.topology().devices()[static_cast<std::size_t>(d)].id;
            id != rank.device)
            return fault(place, {"was {device}; the plan has {expected} there: the run is of another plan",
                                 {{"device", rank.device}, {"expected", id}}});
        if (const std::optional<std::string> kind = kindThen(run, rank.device);
            kind && *kind != problem.topology().kindOf(d).name)
            return fault(place, {"{device} was of kind {kind}; the plan has a {expected} there",
                                 {{"device", rank.device},
                                  {"kind", *kind},
                                  {"expected", problem.topology().kindOf(d).name}}});
    }
    std::size_t devices = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            devices += static_cast<std::size_t>(stage.deviceCount());
    if (run.peak.size() != devices)
        return fault("peak_bytes", {"{ranks} ranks; the plan uses {devices} GPUs",
                                    {{"ranks", run.peak.size()}, {"devices", devices}}});
    // Passes by step, rank and kind.
    std::map<std::tuple<int, int, RunOpKind>, std::int64_t> passes;
    std::map<int, const RunOp*> anyOf;
    std::set<std::tuple<int, int, RunOpKind, int, std::int64_t>> once;
    for (std::size_t i = 0; i < run.ops.size(); ++i) {
        const RunOp& op = run.ops[i];
        const auto p = static_cast<std::size_t>(op.pipeline), s = static_cast<std::size_t>(op.stage);
        const bool there = p < plan.pipelines.size() && s < plan.pipelines[p].stages.size() &&
                           op.replica < plan.pipelines[p].stages[s].dp() &&
                           op.chunk < plan.pipelines[p].schedule.chunks &&
                           op.microbatch < plan.pipelines[p].microbatches;
        if (!there)
            return fault(
                fmt::format("ops/{}", i),
                {"is {kind} of stage {pipeline}.{stage}, replica {replica}, chunk {chunk}, micro-batch "
                 "{microbatch}, which the plan has not",
                 {{"kind", name(op.kind)},
                  {"pipeline", op.pipeline},
                  {"stage", op.stage},
                  {"replica", op.replica},
                  {"chunk", op.chunk},
                  {"microbatch", op.microbatch}}});
        const RunRank* rank = run.ranks.empty() ? nullptr : &run.ranks[static_cast<std::size_t>(op.rank)];
        if (rank != nullptr &&
            (rank->pipeline != op.pipeline || rank->stage != op.stage || rank->replica != op.replica))
            return fault(fmt::format("ops/{}", i),
                         {"is of stage {pipeline}.{stage}, replica {replica}, which rank {rank} was not",
                          {{"pipeline", op.pipeline},
                           {"stage", op.stage},
                           {"replica", op.replica},
                           {"rank", op.rank}}});
        if (isPass(op.kind) && !once.insert({op.step, op.rank, op.kind, op.chunk, op.microbatch}).second)
            return fault(fmt::format("ops/{}", i),
                         {"is pass {kind} of micro-batch {microbatch} in step {step} again",
                          {{"kind", name(op.kind)}, {"microbatch", op.microbatch}, {"step", op.step}}});
        ++passes[{op.step, op.rank, op.kind}];
        anyOf.emplace(op.rank, &op);
    }
    for (const RunStep& step : run.steps)
        for (std::size_t rank = 0; step.recorded && rank < devices; ++rank) {
            const auto own = static_cast<int>(rank);
            const auto found = anyOf.find(own);
            if (found == anyOf.end())
                return fault("ops", {"none of rank {rank}", {{"rank", own}}});
            const Pipeline& pipeline = plan.pipelines[static_cast<std::size_t>(found->second->pipeline)];
            const std::int64_t expected = pipeline.microbatches * pipeline.schedule.chunks;
            for (const RunOpKind kind : kPassKinds) {
                const bool has = kind != RunOpKind::WeightGrad || splitsBackward(pipeline.schedule.kind);
                if (const std::int64_t held = passes[{step.step, own, kind}]; held != (has ? expected : 0))
                    return fault(
                        "ops",
                        {"rank {rank} has {found} passes {kind} in step {step}; the plan has {expected}",
                         {{"rank", own},
                          {"found", held},
                          {"kind", name(kind)},
                          {"step", step.step},
                          {"expected", has ? expected : 0}}});
            }
        }
    return Ok{};
}

} // namespace pw
