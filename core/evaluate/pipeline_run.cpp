// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/pipeline_run.h"

#include "core/schedule/builders.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {
namespace {

StageTimes timesOf(const std::vector<PricedStage>& stages) {
    StageTimes times;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        times.forward.push_back(stages[i].figures.forward.value);
        times.backward.push_back(stages[i].figures.backward.value);
        if (i + 1 < stages.size())
            times.send.push_back(stages[i].figures.send.value);
    }
    return times;
}

std::vector<bool> boundariesInNode(const std::vector<PricedStage>& stages) {
    std::vector<bool> list;
    for (std::size_t i = 0; i + 1 < stages.size(); ++i)
        list.push_back(stages[i].inNode);
    return list;
}

SimulationOptions simulationOptions(const Problem& problem, ScheduleKind kind,
                                    const EvaluateOptions& options) {
    return {.overlap = overlapsTransfers(problem.recipe().software),
            .keepOps = options.keepOps,
            .stop = options.stop,
            .paired = kind == ScheduleKind::Interleaved};
}

template <class Times>
Times withoutSends(Times times) {
    std::fill(times.send.begin(), times.send.end(), 0.0);
    return times;
}

// Micro-batches that every stage's devices have memory for.
std::vector<int> heldByMemory(const Problem& problem, const Pipeline& pipeline,
                              const std::vector<PricedStage>& stages) {
    std::vector<int> most;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        int least = static_cast<int>(pipeline.microbatches);
        const std::vector<Replica>& replicas = pipeline.stages[i].replicas;
        for (std::size_t r = 0; r < replicas.size(); ++r)
            for (const DeviceIndex d : replicas[r].devices)
                least = mostHeld(problem, stages[i].costs[r % stages[i].costs.size()],
                                 problem.topology().devices()[static_cast<std::size_t>(d)].capacity, least);
        most.push_back(least);
    }
    return most;
}

Result<PipelineRun> runLaunchCounts(const Problem& problem, const Pipeline& pipeline,
                                    const std::vector<PricedStage>& stages, const EvaluateOptions& options) {
    const PlanSchedule& schedule = pipeline.schedule;
    const StageTimes times = timesOf(stages);
    const auto microbatches = static_cast<int>(pipeline.microbatches);
    PipelineRun run;
    run.launch = schedule.launch.empty()
                     ? launchCounts(schedule.kind, schedule.rule, times, microbatches,
                                    boundariesInNode(stages), heldByMemory(problem, pipeline, stages))
                     : schedule.launch;
    Result<Simulation> simulation =
        simulate(times, microbatches, run.launch, simulationOptions(problem, schedule.kind, options));
    if (!simulation)
        return simulation.error();
    Result<Simulation> free =
        simulate(withoutSends(times), microbatches, run.launch, {.keepOps = false, .stop = options.stop});
    if (!free)
        return free.error();
    run.simulation = *std::move(simulation);
    run.freeLinks = *std::move(free);
    run.peakHeld.assign(run.simulation.peakInFlight.begin(), run.simulation.peakInFlight.end());
    run.closedForm = closedForm(schedule.kind, times, microbatches, run.launch);
    return run;
}

// A unit of held is a whole micro-batch of the stage. Half of what a forward holds is released by either
// backward pass where they are apart, the rule of arXiv 2401.10241: the cost model does not tell more.
ChunkedPipeline chunkedOf(const Pipeline& pipeline, const std::vector<PricedStage>& stages) {
    ChunkedPipeline p;
    static_cast<ChunkLayout&>(p) = pipeline.layout();
    for (int v = 0; v < p.virtualStages(); ++v) {
        const ChunkFigures& f = stages[static_cast<std::size_t>(p.stageOf(v))]
                                    .figures.chunks[static_cast<std::size_t>(p.chunkOf(v))];
        p.forward.push_back(f.forward.value);
        p.weightGrad.push_back(std::min(f.weightGrad.value, f.backward.value));
        p.inputGrad.push_back(f.backward.value - p.weightGrad.back());
        p.held.push_back(f.keptShare);
        p.released.push_back(0.5 * f.keptShare);
        if (v + 1 < p.virtualStages())
            p.send.push_back(f.send.value);
    }
    return p;
}

// Micro-batches that every stage may hold: what is published, and what its devices have memory for.
std::vector<double> heldLimit(const Problem& problem, const Pipeline& pipeline,
                              const std::vector<PricedStage>& stages) {
    const double published =
        static_cast<double>(stages.size()) * (pipeline.schedule.kind == ScheduleKind::Zb2p ? 2.0 : 1.0);
    std::vector<double> limit;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        double most = published;
        const std::vector<Replica>& replicas = pipeline.stages[i].replicas;
        for (std::size_t r = 0; r < replicas.size(); ++r) {
            const StageCost& cost = stages[i].costs[r % stages[i].costs.size()];
            for (const DeviceIndex d : replicas[r].devices) {
                const double room = problem.topology().devices()[static_cast<std::size_t>(d)].capacity.value -
                                    memoryTotal(problem, cost, 0.0);
                if (cost.kept > 0.0)
                    most = std::min(most, room / cost.kept);
            }
        }
        constexpr double kOne = 1.0 - 1e-9; // shares of chunks add up to 1 but for rounding
        limit.push_back(most < kOne ? published : std::max(most, 1.0 + 1e-9));
    }
    return limit;
}

Result<PipelineRun> runLists(const Problem& problem, const Pipeline& pipeline,
                             const std::vector<PricedStage>& stages, const EvaluateOptions& options) {
    constexpr double kMostPasses = 2e7; // lists of 160 MB
    const ChunkedPipeline p = chunkedOf(pipeline, stages);
    if (3.0 * p.virtualStages() * static_cast<double>(pipeline.microbatches) > kMostPasses)
        return badInput("schedule.size", "plan/pipelines/0/microbatches",
                        {"{microbatches} micro-batches on {chunks} chunks; {label} runs up to {limit} passes",
                         {{"microbatches", pipeline.microbatches},
                          {"chunks", p.virtualStages()},
                          {"label", label(pipeline.schedule.kind)},
                          {"limit", fmt::format("{:.0f}", kMostPasses)}}});
    const auto microbatches = static_cast<int>(pipeline.microbatches);
    ListRequest request{microbatches, pipeline.schedule.rule};
    request.stop = options.stop;
    request.overlap = overlapsTransfers(problem.recipe().software);
    if (takesMemoryLimit(pipeline.schedule.kind))
        request.memoryLimit = heldLimit(problem, pipeline, stages);
    const Result<OpLists> lists = opLists(pipeline.schedule.kind, p, request);
    if (!lists)
        return lists.error();
    Result<Simulation> simulation =
        simulate(p, microbatches, *lists, simulationOptions(problem, pipeline.schedule.kind, options));
    if (!simulation)
        return simulation.error();
    Result<Simulation> free =
        simulate(withoutSends(p), microbatches, *lists, {.keepOps = false, .stop = options.stop});
    if (!free)
        return free.error();
    PipelineRun run;
    run.simulation = *std::move(simulation);
    run.freeLinks = *std::move(free);
    run.peakHeld = run.simulation.peakHeld;
    run.closedForm = closedForm(pipeline.schedule.kind, p, microbatches);
    run.staggered = splitsBackward(pipeline.schedule.kind);
    return run;
}

} // namespace

Result<PipelineRun> runPipeline(const Problem& problem, const Pipeline& pipeline,
                                const std::vector<PricedStage>& stages, const EvaluateOptions& options) {
    return usesLaunchCounts(pipeline.schedule.kind) ? runLaunchCounts(problem, pipeline, stages, options)
                                                    : runLists(problem, pipeline, stages, options);
}

} // namespace pw
