// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/pipewright/fine_cuts.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <utility>

namespace pw {
namespace {

// One fine layer less on a stage and one more on another. Embedding and head stay with a half of a block.
std::optional<Plan> moved(const Plan& plan, std::size_t from, std::size_t to, int fineLayers) {
    Plan next = plan;
    std::vector<Stage>& stages = next.pipelines.front().stages;
    const int by = from < to ? -1 : 1; // where the boundaries between the two go
    for (std::size_t i = std::min(from, to); i < std::max(from, to); ++i) {
        stages[i].chunks.front().last += by;
        stages[i + 1].chunks.front().first += by;
    }
    for (const Stage& stage : stages) {
        const LayerRange& range = stage.chunks.front();
        if (range.last < std::max(range.first, 1) || range.first > fineLayers - 2)
            return std::nullopt;
    }
    return next;
}

} // namespace

bool isCutFiner(const Problem& problem, const Plan& plan) {
    if (!problem.space().fineCuts)
        return false;
    const auto fineLayers = static_cast<int>(problem.layers().size());
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const LayerRange& range : stage.chunks)
                if (!areWholeBlocks(range, fineLayers))
                    return true;
    return false;
}

void cutFiner(SearchRun& run) {
    const auto phase = run.phase("fine cuts");
    const std::shared_ptr<const FoundPlan> best = run.bestPlan();
    if (!best || best->plan.pipelines.size() != 1)
        return;
    Plan plan = best->plan;
    Pipeline& pipeline = plan.pipelines.front();
    if (!usesLaunchCounts(pipeline.schedule.kind) || pipeline.schedule.chunks != 1)
        return;
    const std::vector<int> launch = std::exchange(pipeline.schedule.launch, {});
    const auto fineLayers = static_cast<int>(run.problem().layers().size());
    double time = best->evaluation.iteration.value;
    if (takesLess(time, run.consider(plan)))
        pipeline.schedule.launch = launch; // none that a rule gives
    for (bool better = true; better;) {
        better = false;
        for (std::size_t from = 0; from < pipeline.stages.size(); ++from)
            for (std::size_t to = 0; to < pipeline.stages.size(); ++to) {
                if (run.over())
                    return;
                const std::optional<Plan> next =
                    from == to ? std::nullopt : moved(plan, from, to, fineLayers);
                if (!next)
                    continue;
                const double t = run.consider(*next);
                if (t < time * (1.0 - 1e-12)) {
                    time = t;
                    plan = *next;
                    better = true;
                }
            }
    }
}

} // namespace pw
