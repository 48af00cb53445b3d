// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"

#include <algorithm>
#include <array>

namespace pw {

// A gap before an op ends when its input is there. Until the producer on the neighbouring stage has ended,
// that stage is what is waited for; from then on it is the transfer, queued on its link or running:
//
//     this stage    | op |. . . . . . . . . . . . . . . .| op |
//     neighbour             |    producer    |           :
//     link                                   : queue |===|
//                        <-- slowerStage --->:<transfer->
std::vector<IdleTime> idleByCause(const StageTimes& times, const Simulation& simulation,
                                  const std::vector<double>& after, Seconds iteration) {
    const std::size_t stages = times.forward.size();
    if (stages == 0 || simulation.ops.empty())
        return {};
    const std::size_t perStage = simulation.ops.size() / stages, microbatches = perStage / 2;
    std::array<std::vector<double>, 2> ends; // by kind: of stage * microbatches + microbatch
    for (std::vector<double>& end : ends)
        end.resize(stages * microbatches);
    const auto index = [&](std::size_t stage, const Op& op) {
        return stage * microbatches + static_cast<std::size_t>(op.microbatch);
    };
    for (const Op& op : simulation.ops)
        ends[static_cast<std::size_t>(op.kind)][index(static_cast<std::size_t>(op.stage), op)] = op.end;

    std::vector<IdleTime> idle(stages);
    for (std::size_t i = 0; i < stages; ++i) {
        IdleTime& cause = idle[i];
        cause.warmUp = Seconds(simulation.firstStart[i]);
        cause.coolDown = Seconds(iteration.value - simulation.lastEnd[i] - after[i]);
        for (std::size_t n = i * perStage + 1; n < (i + 1) * perStage; ++n) {
            const Op& op = simulation.ops[n];
            const double from = simulation.ops[n - 1].end, gap = op.start - from;
            if (gap <= 0.0)
                continue;
            const bool isForward = op.kind == OpKind::Forward;
            const bool hasProducer = isForward ? i > 0 : i + 1 < stages;
            double slower = 0.0; // without a producer the stage's own send blocks it (no overlap)
            if (hasProducer) {
                const std::size_t producer = isForward ? i - 1 : i + 1;
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
    StageTimes times;
    std::vector<double> after;
    for (const StageFigures& f : figures.stages) {
        times.forward.push_back(f.forward.value);
        times.backward.push_back(f.backward.value);
        times.send.push_back(f.send.value);
        after.push_back(f.sync.value + f.optimizer.value);
    }
    if (!times.send.empty())
        times.send.pop_back(); // nothing is sent behind the last stage
    return idleByCause(times, figures.simulation, after, iteration);
}

std::vector<InFlightStep> inFlightOverTime(const Simulation& simulation, int stage) {
    std::vector<InFlightStep> steps{{0.0, 0}};
    const auto change = [&steps](double time, int by) {
        if (time > steps.back().time)
            steps.push_back({time, steps.back().count});
        steps.back().count += by;
        if (steps.size() > 1 && steps.back().count == steps[steps.size() - 2].count)
            steps.pop_back(); // one ended as another began
    };
    for (const Op& op : simulation.ops)
        if (op.stage == stage) {
            if (op.kind == OpKind::Forward)
                change(op.start, 1);
            else
                change(op.end, -1);
        }
    return steps;
}

} // namespace pw
