// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "core/evaluate/idle_share.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw {

// A gap before an op ends when its input is there. Until the producer on the neighbouring stage has ended,
// that stage is what is waited for; from then on it is the transfer, queued on its link or running:
//
//     this stage    | op |. . . . . . . . . . . . . . . .| op |
//     neighbour             |    producer    |           :
//     link                                   : queue |===|
//                        <-- slowerStage --->:<transfer->
std::vector<IdleTime> idleByCause(const Simulation& simulation, const std::vector<double>& after,
                                  Seconds iteration, bool staggered) {
    const ChunkLayout& layout = simulation.layout;
    if (layout.stages == 0 || simulation.ops.empty())
        return {};
    const auto stages = static_cast<std::size_t>(layout.stages);
    const std::size_t perStage = simulation.ops.size() / stages;
    const std::size_t microbatches =
        perStage / static_cast<std::size_t>((simulation.split ? 3 : 2) * layout.chunks);
    std::array<std::vector<double>, 2> ends; // by kind: of virtual stage * microbatches + microbatch
    for (std::vector<double>& end : ends)
        end.resize(static_cast<std::size_t>(layout.virtualStages()) * microbatches);
    const auto index = [&](int virtualStage, const Op& op) {
        return static_cast<std::size_t>(virtualStage) * microbatches +
               static_cast<std::size_t>(op.microbatch);
    };
    for (const Op& op : simulation.ops)
        if (op.kind != OpKind::WeightGrad)
            ends[static_cast<std::size_t>(op.kind)][index(layout.virtualStage(op.stage, op.chunk), op)] =
                op.end;

    std::vector<IdleTime> idle(stages);
    for (std::size_t i = 0; i < stages; ++i) {
        IdleTime& cause = idle[i];
        const double start = staggered ? simulation.firstStart[i] : 0.0;
        cause.warmUp = Seconds(simulation.firstStart[i] - start);
        cause.coolDown = Seconds(iteration.value - (simulation.lastEnd[i] - start) - after[i]);
        for (std::size_t n = i * perStage + 1; n < (i + 1) * perStage; ++n) {
            const Op& op = simulation.ops[n];
            const double from = simulation.ops[n - 1].end, gap = op.start - from;
            if (gap <= 0.0)
                continue;
            const int own = layout.virtualStage(op.stage, op.chunk);
            const int producer = own + (op.kind == OpKind::Forward ? -1 : +1);
            double slower = 0.0; // without a producer the stage's own send blocks it (no overlap)
            if (op.kind != OpKind::WeightGrad && producer >= 0 && producer < layout.virtualStages()) {
                const double ready = ends[static_cast<std::size_t>(op.kind)][index(producer, op)];
                slower = std::clamp(ready - from, 0.0, gap);
            }
            cause.slowerStage += Seconds(slower);
            cause.transfer += Seconds(gap - slower);
        }
    }
    return idle;
}

std::vector<IdleTime> idleByCause(const PipelineFigures& figures, Seconds iteration) {
    std::vector<double> after;
    for (const StageFigures& f : figures.stages)
        after.push_back(f.sync.value + f.optimizer.value);
    return idleByCause(figures.simulation, after, iteration, figures.staggered);
}

std::vector<InFlightStep> inFlightOverTime(const Simulation& simulation, int stage) {
    if (simulation.layout.stages == 0)
        return {{0.0, 0.0}};
    std::vector<InFlightStep> steps{{0.0, 0.0}};
    constexpr double kRounding = 1e-9; // micro-batches, of sums of parts
    const auto change = [&steps](double time, double by) {
        if (time > steps.back().time)
            steps.push_back({time, steps.back().count});
        double& count = steps.back().count;
        count += by;
        if (std::abs(count - std::round(count)) < kRounding)
            count = std::round(count);
        if (steps.size() > 1 && std::abs(count - steps[steps.size() - 2].count) < kRounding)
            steps.pop_back(); // one ended as another began
    };
    const std::size_t perStage = simulation.ops.size() / static_cast<std::size_t>(simulation.layout.stages);
    for (std::size_t n = 0; n < perStage; ++n) {
        const Op& op = simulation.ops[static_cast<std::size_t>(stage) * perStage + n];
        const auto v = static_cast<std::size_t>(simulation.layout.virtualStage(stage, op.chunk));
        const double held = simulation.held.empty() ? 1.0 : simulation.held[v];
        const double released = simulation.split ? simulation.released[v] : held;
        switch (op.kind) {
        case OpKind::Forward:
            change(op.start, held);
            break;
        case OpKind::Backward:
            change(op.end, -released);
            break;
        case OpKind::WeightGrad:
            change(op.end, released - held);
            break;
        }
    }
    return steps;
}

double gpuIdleShare(const Plan& plan, const Evaluation& evaluation) {
    double gpus = 0.0, busy = 0.0;
    for (std::size_t p = 0; p < evaluation.pipelines.size() && p < plan.pipelines.size(); ++p) {
        const PipelineFigures& figures = evaluation.pipelines[p];
        const Pipeline& pipeline = plan.pipelines[p];
        for (std::size_t i = 0; i < figures.simulation.busy.size() && i < pipeline.stages.size(); ++i) {
            const int devices = pipeline.stages[i].deviceCount();
            const StageFigures& stage = figures.stages[i];
            gpus += devices;
            busy += devices * (figures.simulation.busy[i] + stage.sync.value + stage.optimizer.value);
        }
    }
    const double all = gpus * evaluation.iteration.value;
    return all > 0.0 ? std::clamp(1.0 - busy / all, 0.0, 1.0) : 0.0;
}

} // namespace pw
