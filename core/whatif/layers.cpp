// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/arrange.h"
#include "core/whatif/costing.h"
#include "core/whatif/whatif.h"

#include <algorithm>

namespace pw::whatif {
namespace {

// Of a pipeline that may be const, and is then what it gives.
auto& chunkAt(auto& pipeline, int virtualStage) {
    const ChunkLayout layout = pipeline.layout();
    return pipeline.stages[static_cast<std::size_t>(layout.stageOf(virtualStage))]
        .chunks[static_cast<std::size_t>(layout.chunkOf(virtualStage))];
}

Status hasBoundary(const Plan& plan, int boundary) {
    if (boundary < 0 || boundary >= boundaries(plan))
        return refusal({"there is no boundary {boundary}", {{"boundary", boundary}}});
    return Ok{};
}

} // namespace

int boundaries(const Plan& plan) {
    return plan.pipelines.size() == 1 ? plan.pipelines.front().layout().virtualStages() - 1 : 0;
}

int boundaryLayer(const Plan& plan, int boundary) {
    return chunkAt(plan.pipelines.front(), boundary + 1).first;
}

BoundaryRange boundaryRange(const Plan& plan, int boundary) {
    const Pipeline& pipeline = plan.pipelines.front();
    return {chunkAt(pipeline, boundary).first + 1, chunkAt(pipeline, boundary + 1).last};
}

Result<Plan> moveBoundary(const Problem& problem, const Plan& plan, int boundary, int layer) {
    if (const Status known = hasBoundary(plan, boundary); !known)
        return known.error();
    const ChunkLayout layout = plan.pipelines.front().layout();
    const BoundaryRange range = boundaryRange(plan, boundary);
    if (layer < range.low || layer > range.high)
        return refusal({"stage {stage} would be empty",
                        {{"stage", layout.stageOf(layer < range.low ? boundary : boundary + 1)}}});
    Plan edited = plan;
    chunkAt(edited.pipelines.front(), boundary).last = layer - 1;
    chunkAt(edited.pipelines.front(), boundary + 1).first = layer;
    return checked(problem, std::move(edited));
}

Result<int> farthestBoundary(const Costing& costing, const Plan& plan, int boundary, int by) {
    if (const Status known = hasBoundary(plan, boundary); !known)
        return known.error();
    const Problem& problem = costing.problem();
    const BoundaryRange range = boundaryRange(plan, boundary);
    const int now = boundaryLayer(plan, boundary);
    const int grows = plan.pipelines.front().layout().stageOf(by > 0 ? boundary : boundary + 1);
    const auto fits = [&](int layer) {
        const Result<Plan> moved = moveBoundary(problem, plan, boundary, layer);
        if (!moved)
            return false;
        const Result<Evaluation> judged = costing.evaluate(*moved);
        return judged &&
               std::none_of(judged->memory.begin(), judged->memory.end(), [&](const DeviceMemory& m) {
                   return m.stage == grows && m.peak.total() > m.capacity;
               });
    };
    // What a stage holds grows with its layers, so bisection finds the end.
    const int step = by > 0 ? 2 : -2;
    const int firstWhole = now + (now % 2 == 0 ? step / 2 : 0);
    const int limit = by > 0 ? range.high : range.low;
    int steps = (limit - firstWhole) / step, good = now % 2 == 0 ? -1 : 0, bad = steps + 1;
    if (steps < 0)
        return now;
    while (bad - good > 1) {
        const int middle = good + (bad - good) / 2;
        (fits(firstWhole + middle * step) ? good : bad) = middle;
    }
    return good < 0 ? now : firstWhole + good * step;
}

} // namespace pw::whatif
