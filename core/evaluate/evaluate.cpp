// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/comm/comm.h"
#include "core/cost/cost.h"
#include "core/evaluate/evaluation.h"
#include "core/evaluate/stage_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

using DeviceLists = std::vector<std::vector<DeviceIndex>>;

// One stage of the drawn copy of a pipeline, priced.
struct PricedStage {
    StageFigures figures;
    StageTail tail;
    DeviceLists replicas;
    std::vector<StageCost> costs; // per replica
    bool inNode = false;          // its boundary to the next stage crosses no network
    StageCost slowest;            // the replica that sets forward + backward
};

// The first of `count` identical pipelines stands for all of them.
std::vector<Replica> drawnReplicas(const Pipeline& pipeline, const Stage& stage) {
    const std::size_t each = stage.replicas.size() / static_cast<std::size_t>(pipeline.count);
    return {stage.replicas.begin(), stage.replicas.begin() + static_cast<std::ptrdiff_t>(each)};
}

StageCost costOf(const Problem& problem, const CostTable& table, const Stage& stage, const Replica& replica,
                 int dp, std::int64_t microbatchSize) {
    CostConfig config;
    placeOn(config, problem.topology(), replica.devices.front());
    config.tp = stage.tp;
    config.mbs = static_cast<int>(std::llround(replica.share * static_cast<double>(microbatchSize)));
    config.recompute = stage.recompute;
    config.sequenceParallel = stage.sequenceParallel;
    return table.costs(config).stage(stage.chunks.front().first, stage.chunks.back().last, dp, stage.zero);
}

PricedStage price(const Problem& problem, const CostTable& table, const Pipeline& pipeline,
                  const Stage& stage) {
    PricedStage priced;
    const std::vector<Replica> drawn = drawnReplicas(pipeline, stage);
    const int dp = static_cast<int>(stage.replicas.size()); // gradients are shared by all copies
    double compute = 0.0, measured = 0.0;
    for (const Replica& replica : drawn) {
        const StageCost cost = costOf(problem, table, stage, replica, dp, pipeline.microbatchSize);
        StageFigures& f = priced.figures;
        f.forward = std::max(f.forward, Seconds(cost.forward));
        f.backward = std::max(f.backward, Seconds(cost.backward));
        f.recompute = std::max(f.recompute, Seconds(cost.recompute));
        f.weightGrad = std::max(f.weightGrad, Seconds(cost.weightGrad));
        f.communication = std::max(f.communication, Seconds(cost.comm));
        f.optimizer = std::max(f.optimizer, Seconds(cost.optimizer));
        compute += cost.total();
        measured += cost.measured;
        if (priced.costs.empty() || cost.total() > priced.slowest.total())
            priced.slowest = cost;
        if (priced.costs.empty() || cost.provenance > f.forwardProvenance)
            f.forwardProvenance = cost.provenance;
        if (priced.costs.empty() || cost.updateProvenance > f.optimizerProvenance)
            f.optimizerProvenance = cost.updateProvenance;
        priced.costs.push_back(cost);
        priced.replicas.push_back(replica.devices);
    }
    priced.figures.measuredShare = compute > 0.0 ? measured / compute : 0.0;
    DeviceLists all;
    for (const Replica& replica : stage.replicas)
        all.push_back(replica.devices);
    priced.tail.sync = syncTraffic(problem.topology(), all, stage.zero, priced.slowest);
    priced.tail.optimizer = priced.figures.optimizer.value;
    return priced;
}

// All identical pipelines send at the same time: each holds a whole micro-batch, so that the shares of their
// replicas add up to their number, and copy meets copy.
std::vector<RankGroup> groups(const Stage& stage) {
    std::vector<RankGroup> list;
    for (const Replica& replica : stage.replicas)
        list.push_back({replica.devices, replica.share});
    return list;
}

std::vector<PricedStage> priceStages(const Problem& problem, const CostTable& table,
                                     const Pipeline& pipeline) {
    std::vector<PricedStage> stages;
    for (const Stage& stage : pipeline.stages)
        stages.push_back(price(problem, table, pipeline, stage));
    const double sequences = static_cast<double>(pipeline.microbatchSize);
    for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
        const auto from = groups(pipeline.stages[i]);
        const auto to = groups(pipeline.stages[i + 1]);
        const TransferCost cost =
            boundaryTransfer(problem.topology(), from, to, Bytes(boundaryBytes(problem, sequences)),
                             !pipeline.stages[i + 1].sequenceParallel);
        stages[i].inNode = !cost.crossesNodes;
        stages[i].figures.send = cost.time;
        stages[i].figures.link = cost.link;
    }
    if (stages.size() > 1) {
        const double tied = tiedTime(problem, stages.front().replicas, stages.back().replicas);
        stages.front().tail.tied = tied;
        stages.back().tail.tied = tied;
    }
    for (PricedStage& stage : stages)
        stage.figures.sync = stage.tail.sync.alone() + Seconds(stage.tail.tied);
    return stages;
}

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

// Names the stage whose activations or gradients no links carry.
Status joined(const std::vector<PricedStage>& stages, std::size_t pipeline) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const std::string where = fmt::format("plan/pipelines/{}/stages/{}", pipeline, i);
        if (!std::isfinite(stages[i].figures.send.value))
            return badInput("plan.unreachable", where, "no links lead from its devices to the next stage's");
        if (!std::isfinite(stages[i].figures.sync.value))
            return badInput("plan.unreachable", where, "no links join the devices that share its gradients");
    }
    return Ok{};
}

void addMemory(const Problem& problem, const Pipeline& pipeline, int index,
               const std::vector<PricedStage>& stages, Evaluation& result) {
    const Topology& topology = problem.topology();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const Stage& stage = pipeline.stages[i];
        const DeviceMemory* worst = nullptr;
        const std::size_t first = result.memory.size();
        for (std::size_t r = 0; r < stage.replicas.size(); ++r)
            for (const DeviceIndex d : stage.replicas[r].devices) {
                const StageCost& cost = stages[i].costs[r % stages[i].costs.size()];
                DeviceMemory memory;
                memory.device = d;
                memory.pipeline = index;
                memory.stage = static_cast<int>(i);
                memory.peak = memoryParts(problem, cost, stages[i].figures.inFlight);
                memory.perMicrobatch = Bytes(cost.kept);
                memory.capacity = topology.devices()[static_cast<std::size_t>(d)].capacity;
                result.memory.push_back(memory);
            }
        for (std::size_t k = first; k < result.memory.size(); ++k) {
            const DeviceMemory& m = result.memory[k];
            if (m.peak.total() > m.capacity &&
                (!worst || m.peak.total() - m.capacity > worst->peak.total() - worst->capacity))
                worst = &m;
        }
        if (worst)
            result.reasons.push_back(fmt::format(
                "stage {} needs {:.1f} GiB of {:.1f} GiB on {}", i, toGibibytes(worst->peak.total()),
                toGibibytes(worst->capacity), topology.kindOf(worst->device).shortName));
    }
}

// The worst of a stage's times, of those that are not zero.
Provenance provenanceOf(const StageFigures& f) {
    Provenance worst = f.forwardProvenance;
    const auto take = [&](Seconds time, Provenance provenance) {
        if (time.value > 0.0)
            worst = std::max(worst, provenance);
    };
    take(f.send, f.sendProvenance);
    take(f.sync, f.syncProvenance);
    take(f.optimizer, f.optimizerProvenance);
    return worst;
}

// Splits the iteration as its busiest stage lives it: waiting for the first micro-batch, computing (with the
// tensor-parallel part apart), waiting for transfers, draining, syncing, stepping.
TimeParts timeParts(const std::vector<PricedStage>& stages, const StageTimes& times,
                    const Simulation& simulation, const std::vector<double>& synced,
                    std::int64_t microbatches, double iteration, const std::function<bool()>* stop) {
    std::size_t busiest = 0;
    for (std::size_t i = 1; i < stages.size(); ++i)
        if (simulation.busy[i] > simulation.busy[busiest])
            busiest = i;
    const double last = *std::max_element(simulation.lastEnd.begin(), simulation.lastEnd.end());
    TimeParts parts;
    parts.fill = Seconds(simulation.firstStart[busiest]);
    parts.drain = Seconds(last - simulation.lastEnd[busiest]);
    parts.exposedTp = stages[busiest].figures.communication * static_cast<double>(microbatches);
    const double span = simulation.lastEnd[busiest] - simulation.firstStart[busiest];
    const double waiting = span - simulation.busy[busiest];
    // What the same schedule would wait with free links is not the links' fault.
    double withoutLinks = waiting;
    if (!times.send.empty()) {
        StageTimes free = times;
        std::fill(free.send.begin(), free.send.end(), 0.0);
        const auto run = simulate(free, static_cast<int>(microbatches), simulation.peakInFlight,
                                  {.overlap = true, .keepOps = false, .stop = stop});
        if (run)
            withoutLinks =
                std::min(waiting, run->lastEnd[busiest] - run->firstStart[busiest] - run->busy[busiest]);
    }
    constexpr double kRounding = 1e-12; // s, of sums of some hundred seconds
    if (waiting - withoutLinks < kRounding)
        withoutLinks = waiting;
    parts.exposedPp = Seconds(waiting - withoutLinks);
    parts.steady = Seconds(simulation.busy[busiest] + withoutLinks) - parts.exposedTp;
    double dataParallel = last, all = last;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        dataParallel = std::max(dataParallel, synced[i]);
        all = std::max(all, synced[i] + stages[i].tail.tied);
    }
    parts.exposedDp = Seconds(dataParallel - last);
    parts.sync = Seconds(all - dataParallel);
    parts.optimizer = Seconds(iteration - all);
    return parts;
}

} // namespace

Result<Evaluation> evaluate(const Problem& problem, const Plan& plan, const EvaluateOptions& options) {
    const CostTable costs(problem);
    return evaluate(problem, costs, plan, options);
}

Result<Evaluation> evaluate(const Problem& problem, const CostTable& costs, const Plan& plan,
                            const EvaluateOptions& options) {
    if (const Status sound = checkPlan(problem, plan, "plan"); !sound)
        return sound.error();
    Evaluation result;
    result.provenance = Provenance::Measured;
    double busy = 0.0, measured = 0.0;
    double longest = -1.0;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        std::vector<PricedStage> stages = priceStages(problem, costs, pipeline);
        if (const Status reached = joined(stages, p); !reached)
            return reached.error();
        const StageTimes times = timesOf(stages);
        const auto microbatches = static_cast<int>(pipeline.microbatches);
        const std::vector<int> launch = pipeline.schedule.launch.empty()
                                            ? launchCounts(pipeline.schedule.kind, pipeline.schedule.rule,
                                                           times, microbatches, boundariesInNode(stages))
                                            : pipeline.schedule.launch;
        Result<Simulation> simulation = simulate(
            times, microbatches, launch, {.overlap = true, .keepOps = options.keepOps, .stop = options.stop});
        if (!simulation)
            return simulation.error();

        PipelineFigures figures;
        std::vector<StageTail> tails;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            stages[i].figures.inFlight = simulation->peakInFlight[i];
            result.provenance = std::max(result.provenance, provenanceOf(stages[i].figures));
            tails.push_back(stages[i].tail);
            const double work = stages[i].figures.forward.value + stages[i].figures.backward.value;
            const double devices = pipeline.stages[i].deviceCount();
            busy += devices * work * static_cast<double>(microbatches);
            measured += devices * work * static_cast<double>(microbatches) * stages[i].figures.measuredShare;
        }
        const double iteration = iterationEnd(simulation->lastEnd, tails);
        const std::vector<double> synced = syncEnds(simulation->lastEnd, tails);
        for (std::size_t i = 0; i < stages.size(); ++i)
            stages[i].figures.sync = Seconds(synced[i] - simulation->lastEnd[i] + tails[i].tied);
        const double closed = closedForm(pipeline.schedule.kind, times, microbatches, launch);
        result.bubble = std::max(result.bubble, simulation->bubble());
        if (iteration > longest) {
            longest = iteration;
            result.iteration = Seconds(iteration);
            result.time =
                timeParts(stages, times, *simulation, synced, pipeline.microbatches, iteration, options.stop);
            if (options.stop != nullptr && (*options.stop)()) // perhaps before the parts were known
                return Error{ErrorKind::Stopped, "schedule.stopped", "", "stopped before its end", {}};
            double tail = 0.0, step = 0.0;
            for (std::size_t i = 0; i < tails.size(); ++i) {
                tail = std::max(tail, synced[i] + tails[i].tied);
                step = std::max(step, tails[i].optimizer);
            }
            const double last = *std::max_element(simulation->lastEnd.begin(), simulation->lastEnd.end());
            result.closedForm = Seconds(closed + (tail - last) + step);
        }
        addMemory(problem, pipeline, static_cast<int>(p), stages, result);
        for (PricedStage& stage : stages)
            figures.stages.push_back(std::move(stage.figures));
        figures.simulation = *std::move(simulation);
        figures.launch = launch;
        result.pipelines.push_back(std::move(figures));
    }
    std::sort(result.memory.begin(), result.memory.end(),
              [](const DeviceMemory& a, const DeviceMemory& b) { return a.device < b.device; });
    result.feasible = result.reasons.empty();
    result.measuredShare = busy > 0.0 ? measured / busy : 0.0;
    result.tokensPerSecond =
        static_cast<double>(problem.recipe().gbs * problem.recipe().seq) / result.iteration.value;
    return result;
}

} // namespace pw
