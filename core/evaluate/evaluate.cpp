// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/evaluate/pipeline_run.h"
#include "core/evaluate/shared_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace pw {
namespace {

void addMemory(const Problem& problem, const Pipeline& pipeline, int index,
               const std::vector<PricedStage>& stages, const std::vector<double>& peaks, Evaluation& result) {
    const Topology& topology = problem.topology();
    std::multimap<Bytes, Wording, std::greater<>> tooLittle; // by what is missing, the most first
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
                memory.peak = memoryParts(problem, cost, peaks[i]);
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
        if (!worst)
            continue;
        const bool sure = problem.recipe().fitChance > Recipe{}.fitChance;
        Wording reason{
            sure ? "stage {stage} needs {need} GiB of the {capacity} GiB on {kind} that fit with {chance} %"
                 : "stage {stage} needs {need} GiB of {capacity} GiB on {kind}",
            {{"stage", i},
             {"need", fmt::format("{:.1f}", toGibibytes(worst->peak.total()))},
             {"capacity", fmt::format("{:.1f}", toGibibytes(worst->capacity))},
             {"kind", topology.kindOf(worst->device).shortName},
             {"chance", fmt::format("{:g}", 100.0 * problem.recipe().fitChance)}}};
        tooLittle.emplace(worst->peak.total() - worst->capacity, std::move(reason));
    }
    for (auto& [missing, reason] : tooLittle)
        result.reasons.push_back(std::move(reason));
}

// s; no schedule is faster: each stage does its own work, and steps behind it.
double floorOf(const std::vector<PricedStage>& stages, std::int64_t microbatches) {
    constexpr double kRounding = 1.0 - 1e-9; // of sums in another order
    double most = 0.0;
    for (const PricedStage& stage : stages)
        most = std::max(most, static_cast<double>(microbatches) *
                                      (stage.figures.forward + stage.figures.backward).value +
                                  stage.tail.tied + stage.tail.optimizer);
    return kRounding * most;
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

// When a stage's own iteration starts and ends. Zero-bubble kinds validate the optimiser step afterwards, so
// that each stage goes through its span without waiting for the others' ends.
struct Spans {
    std::vector<double> start, end; // s; of zero-bubble kinds from the stage's own first pass on
    double last = 0.0;              // the latest end
    double reduced = 0.0, tied = 0.0, iteration = 0.0; // and behind the stages' tails, term by term
};

// `step`: s, the slowest optimiser step of all pipelines; where they are staggered each stage takes its own.
Spans spansOf(const PipelineRun& run, const std::vector<PricedStage>& stages,
              const std::vector<double>& synced, double step) {
    Spans spans{run.simulation.firstStart, run.simulation.lastEnd};
    double own = 0.0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const double origin = run.staggered ? spans.start[i] : 0.0;
        spans.start[i] -= origin;
        spans.end[i] -= origin;
        const double reduced = synced[i] - origin;
        spans.last = std::max(spans.last, spans.end[i]);
        spans.reduced = std::max(spans.reduced, reduced);
        const StageTail& tail = stages[i].tail;
        spans.tied = std::max(spans.tied, reduced + tail.tied);
        own = std::max(own, reduced + tail.tied + tail.optimizer);
    }
    spans.iteration = run.staggered ? own : spans.tied + step;
    return spans;
}

// Device seconds of a whole iteration.
struct Work {
    double busy = 0.0, measured = 0.0;
};

void addFigures(std::vector<PricedStage>& stages, const Pipeline& pipeline, const PipelineRun& run,
                const std::vector<double>& synced, Evaluation& result, Work& total) {
    const int chunks = pipeline.schedule.chunks;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        StageFigures& f = stages[i].figures;
        f.sync = Seconds(synced[i] - run.simulation.lastEnd[i] + stages[i].tail.tied);
        result.provenance = std::max(result.provenance, provenanceOf(f));
        // A micro-batch is in flight on a stage while any of its chunks holds it.
        f.inFlight = (run.simulation.peakInFlight[i] + chunks - 1) / chunks;
        const double work = pipeline.stages[i].deviceCount() * (f.forward.value + f.backward.value) *
                            static_cast<double>(pipeline.microbatches);
        total.busy += work;
        total.measured += work * f.measuredShare;
    }
    result.bubble = std::max(result.bubble, run.simulation.bubble());
}

// Splits the iteration as its busiest stage lives it: waiting for the first micro-batch, computing (with the
// tensor-parallel part apart), waiting for transfers, draining, syncing, stepping.
TimeParts timeParts(const std::vector<PricedStage>& stages, const PipelineRun& run, const Spans& spans,
                    std::int64_t microbatches) {
    const Simulation& simulation = run.simulation;
    std::size_t busiest = 0;
    for (std::size_t i = 1; i < stages.size(); ++i)
        if (simulation.busy[i] > simulation.busy[busiest])
            busiest = i;
    TimeParts parts;
    parts.fill = Seconds(spans.start[busiest]);
    parts.drain = Seconds(spans.last - spans.end[busiest]);
    parts.exposedTp = stages[busiest].figures.communication * static_cast<double>(microbatches);
    const auto waits = [busiest](const Simulation& s) {
        return s.lastEnd[busiest] - s.firstStart[busiest] - s.busy[busiest];
    };
    const double waiting = waits(simulation);
    // What the same schedule would wait with free links is not the links' fault.
    double withoutLinks = std::min(waiting, waits(run.freeLinks));
    constexpr double kRounding = 1e-12; // s, of sums of some hundred seconds
    if (waiting - withoutLinks < kRounding)
        withoutLinks = waiting;
    parts.exposedPp = Seconds(waiting - withoutLinks);
    parts.steady = Seconds(simulation.busy[busiest] + withoutLinks) - parts.exposedTp;
    parts.exposedDp = Seconds(spans.reduced - spans.last);
    parts.sync = Seconds(spans.tied - spans.reduced);
    parts.optimizer = Seconds(spans.iteration - spans.tied);
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
    std::vector<std::vector<PricedStage>> priced;
    std::vector<PipelineRun> runs;
    std::vector<std::vector<double>> lastEnd;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        StagePrices* known = plan.pipelines.size() == 1 ? options.known : nullptr;
        priced.push_back(priceStages(problem, costs, plan.pipelines[p], known));
        if (const Status reached = joined(priced.back(), p); !reached)
            return reached.error();
        if (options.stop && (*options.stop)())
            return stopped("schedule.stopped", "stopped before its end");
        if (options.below.value > 0.0 &&
            floorOf(priced.back(), plan.pipelines[p].microbatches) >= options.below.value)
            return stopped("plan.slower", "slower than what is asked for");
        Result<PipelineRun> ran = runPipeline(problem, plan.pipelines[p], priced.back(), options);
        if (!ran)
            return ran.error();
        lastEnd.push_back(ran->simulation.lastEnd);
        runs.push_back(*std::move(ran));
    }
    const std::vector<SharedRun> shared = sharedRuns(problem, costs, plan, priced);
    for (const SharedRun& run : shared)
        if (run.sync.blocked())
            return badInput("plan.unreachable",
                            fmt::format("plan/pipelines/{}/stages/{}", run.owners.back().pipeline,
                                        run.owners.back().stage),
                            "no links join the devices that share its gradients with another pipeline's");
    const std::vector<std::vector<double>> synced = syncedEnds(lastEnd, priced, shared);
    double step = 0.0; // once all gradients are there, of all pipelines
    for (const std::vector<PricedStage>& stages : priced)
        for (const PricedStage& stage : stages)
            step = std::max(step, stage.tail.optimizer);

    Evaluation result;
    result.provenance = Provenance::Measured;
    Work work;
    double longest = -1.0;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        std::vector<PricedStage>& stages = priced[p];
        const Spans spans = spansOf(runs[p], stages, synced[p], step);
        addFigures(stages, pipeline, runs[p], synced[p], result, work);
        if (spans.iteration > longest) {
            longest = spans.iteration;
            result.iteration = Seconds(spans.iteration);
            result.time = timeParts(stages, runs[p], spans, pipeline.microbatches);
            result.closedForm = Seconds(runs[p].closedForm + (spans.tied - spans.last) + step);
        }
        addMemory(problem, pipeline, static_cast<int>(p), stages, runs[p].peakHeld, result);
        PipelineFigures figures;
        for (PricedStage& stage : stages)
            figures.stages.push_back(std::move(stage.figures));
        figures.simulation = std::move(runs[p].simulation);
        figures.launch = std::move(runs[p].launch);
        figures.staggered = runs[p].staggered;
        result.pipelines.push_back(std::move(figures));
    }
    std::sort(result.memory.begin(), result.memory.end(),
              [](const DeviceMemory& a, const DeviceMemory& b) { return a.device < b.device; });
    result.feasible = result.reasons.empty();
    result.measuredShare = work.busy > 0.0 ? std::min(1.0, work.measured / work.busy) : 0.0;
    result.tokensPerSecond =
        static_cast<double>(problem.recipe().gbs * problem.recipe().seq) / result.iteration.value;
    return result;
}

} // namespace pw
