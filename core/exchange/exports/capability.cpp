// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/capability.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pw {

bool Capability::takes(ScheduleKind kind) const {
    return schedules.empty() || std::any_of(schedules.begin(), schedules.end(),
                                            [&](const ScheduleChoice& c) { return c.kind == kind; });
}

bool Capability::searches(ScheduleKind kind) const {
    return takes(kind) && (virtualStages || leastChunks(kind) == 1) &&
           std::find(notSearched.begin(), notSearched.end(), kind) == notSearched.end();
}

std::string stageName(const Plan& plan, std::size_t pipeline, std::size_t stage) {
    return plan.pipelines.size() > 1 ? fmt::format("stage {}.{}", pipeline, stage)
                                     : fmt::format("stage {}", stage);
}

std::vector<const DeviceKind*> usedKinds(const Problem& problem, const Plan& plan) {
    std::vector<const DeviceKind*> kinds;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const Stage& stage : pipeline.stages)
            for (const Replica& replica : stage.replicas)
                for (const DeviceIndex d : replica.devices)
                    if (const DeviceKind* kind = &problem.topology().kindOf(d);
                        std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
                        kinds.push_back(kind);
    return kinds;
}

bool everyKindHasBf16(const Problem& problem, const Plan& plan) {
    const std::vector<const DeviceKind*> kinds = usedKinds(problem, plan);
    return std::all_of(kinds.begin(), kinds.end(), [](const DeviceKind* k) { return k->bf16.value > 0.0; });
}

int wholeBlocks(const Model& model, const LayerRange& range) {
    const int first = std::max(range.first, 1);
    const int last = std::min(range.last, fineLayerCount(model) - 2);
    const int begin = first / 2, end = last / 2; // blocks whose attention and MLP are both there
    return std::max(0, end - begin);
}

int commonRecomputedBlocks(const Problem& problem, const Plan& plan) {
    int partial = 0, most = 0;
    const auto each = [&](const auto& visit) {
        for (const Pipeline& pipeline : plan.pipelines)
            for (const Stage& stage : pipeline.stages) {
                int held = 0, largest = 0;
                for (const LayerRange& chunk : stage.chunks) {
                    held += wholeBlocks(problem.model(), chunk);
                    largest = std::max(largest, wholeBlocks(problem.model(), chunk));
                }
                const bool full = stage.recompute == Recompute::Full;
                const int done = !full                        ? 0
                                 : stage.recomputeLayers == 0 ? held
                                                              : std::min(held, stage.recomputeLayers);
                visit(stage, held, largest, done);
            }
    };
    bool possible = true;
    each([&](const Stage& stage, int held, int largest, int done) {
        most = std::max(most, largest);
        if (done == held)
            return;
        // A number of blocks is counted chunk by chunk, a plan's over all chunks of a stage.
        possible = possible && stage.chunks.size() == 1 && (partial == 0 || partial == done);
        partial = done;
    });
    if (partial == 0)
        return possible ? most : 0;
    each([&](const Stage&, int held, int, int done) {
        possible = possible && std::min(partial, held) == done;
    });
    return possible ? partial : 0;
}

std::vector<Refusal> refusalsOf(const CapabilityRow& feature, const Capability& capability,
                                const Problem& problem, const Plan& plan) {
    std::vector<Refusal> refusals;
    feature.check(capability, problem, plan, refusals);
    for (Refusal& refusal : refusals)
        if (refusal.code.empty())
            refusal.code = feature.code;
    return refusals;
}

Error reasonOf(const Refusal& refusal) {
    if (refusal.targets.empty())
        return infeasible(refusal.code, refusal.where, refusal);
    Params params = {{"refusal", refusal}, {"targets", fmt::format("{}", fmt::join(refusal.targets, ", "))}};
    params.insert(params.end(), refusal.params.begin(), refusal.params.end());
    return infeasible(refusal.code, refusal.where,
                      {"{refusal}. Can be expressed by {targets}", std::move(params)});
}

} // namespace pw
