// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/whatif/arrange.h"
#include "core/whatif/whatif.h"

#include <algorithm>
#include <set>

namespace pw::whatif {

Result<Plan> setRecompute(const Problem& problem, const Plan& plan, int stage, Recompute mode, int layers) {
    if (const Status known = hasStage(plan, stage); !known)
        return known.error();
    Plan edited = plan;
    Stage& own = edited.pipelines.front().stages[static_cast<std::size_t>(stage)];
    const int blocks =
        (innerLayers(problem, edited.pipelines.front())[static_cast<std::size_t>(stage)] + 1) / 2;
    if (layers < 0 || (layers > 0 && mode != Recompute::Full))
        return refusal({"only full recompute covers the first {blocks} blocks", {{"blocks", layers}}});
    own.recompute = mode;
    own.recomputeLayers = layers >= blocks ? 0 : layers;
    return checked(problem, std::move(edited));
}

Result<Plan> setMicrobatch(const Problem& problem, const Plan& plan, std::int64_t size) {
    if (const Status known = hasStage(plan, 0); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    if (size == pipeline.microbatchSize)
        return edited;
    const std::int64_t each = problem.recipe().gbs / pipeline.count;
    if (size < 1 || each % size != 0)
        return refusal({"{size} sequences a micro-batch do not divide the {each} of an iteration",
                        {{"size", size}, {"each", each}}});
    pipeline.microbatchSize = size;
    pipeline.microbatches = each / size;
    for (std::size_t i = 0; i < pipeline.stages.size(); ++i) {
        Stage& own = pipeline.stages[i];
        const partition::BlockWays ways = own.partition;
        Result<Stage> made = arranged(problem, pipeline, own, devicesOf(own), own.tp);
        if (!made)
            return refusal({"stage {stage}: {why}", {{"stage", i}, {"why", made.error()}}});
        own = *std::move(made);
        own.partition = ways; // of the same devices; checked with the plan
    }
    return checked(problem, std::move(edited));
}

std::vector<std::int64_t> microbatchChoices(const Problem& problem, const Plan& plan) {
    std::vector<std::int64_t> choices;
    if (!hasStage(plan, 0))
        return choices;
    constexpr std::int64_t kMost = 1024; // sequences; no more are offered
    for (std::int64_t size = 1; size <= std::min(problem.recipe().gbs, kMost); ++size)
        if (problem.recipe().gbs % size == 0 && setMicrobatch(problem, plan, size))
            choices.push_back(size);
    return choices;
}

const std::vector<ScheduleChoice>& scheduleChoices() {
    static const std::vector<ScheduleChoice> all = {
        {ScheduleKind::OneFOneB, LaunchRule::Artifact},    {ScheduleKind::GPipe, LaunchRule::Artifact},
        {ScheduleKind::Eager, LaunchRule::Artifact},       {ScheduleKind::H1F1B, LaunchRule::Artifact},
        {ScheduleKind::H1F1B, LaunchRule::Ceil},           {ScheduleKind::H1F1B, LaunchRule::Busy},
        {ScheduleKind::Interleaved, LaunchRule::Artifact}, {ScheduleKind::ZbH1, LaunchRule::Artifact},
        {ScheduleKind::Zb1p, LaunchRule::Artifact},        {ScheduleKind::Zb2p, LaunchRule::Artifact},
        {ScheduleKind::ZbV, LaunchRule::Artifact}};
    return all;
}

Result<Plan> setSchedule(const Problem& problem, const Plan& plan, ScheduleKind kind, LaunchRule rule,
                         int chunks) {
    if (const Status known = hasStage(plan, 0); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    PlanSchedule& schedule = pipeline.schedule;
    if (chunks == 0)
        chunks = kind == schedule.kind ? schedule.chunks : leastChunks(kind);
    if (kind == schedule.kind && rule == schedule.rule && chunks == schedule.chunks)
        return edited;
    const std::vector<int> inner = innerLayers(problem, pipeline);
    const bool sameChunks =
        chunks == schedule.chunks && chunkPlacement(kind) == chunkPlacement(schedule.kind);
    schedule = {kind, rule, chunks, {}};
    if (!sameChunks)
        if (const Status laid = layOut(problem, pipeline, inner); !laid)
            return laid.error();
    return checked(problem, std::move(edited));
}

Result<Plan> splitStage(const Problem& problem, const Plan& plan, int stage) {
    if (const Status known = hasStage(plan, stage); !known)
        return known.error();
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    if (pipeline.count > 1)
        return refusal("identical pipelines share their devices; their stages are not split");
    std::vector<int> inner = innerLayers(problem, pipeline);
    const auto at = static_cast<std::size_t>(stage);
    const int blocks = inner[at] / 2;
    if (blocks < 2)
        return refusal({blocks == 1 ? "stage {stage} has only one block to divide"
                                    : "stage {stage} has no block to divide",
                        {{"stage", stage}}});
    const Stage whole = pipeline.stages[at];
    if (whole.deviceCount() < 2)
        return refusal({"stage {stage} has one device, and each half needs its own", {{"stage", stage}}});
    const std::vector<DeviceIndex> devices = devicesOf(whole);
    const int each = whole.tp * whole.cp;
    // Whole replicas where there are several, else half of the one.
    const int front = whole.dp() > 1 ? (whole.dp() + 1) / 2 * each : (each + 1) / 2;
    Result<Stage> first =
        arrangedNearest(problem, pipeline, whole, {devices.begin(), devices.begin() + front});
    Result<Stage> second =
        arrangedNearest(problem, pipeline, whole, {devices.begin() + front, devices.end()});
    for (const Result<Stage>* half : {&first, &second})
        if (!*half)
            return refusal({"stage {stage}: {why}", {{"stage", stage}, {"why", half->error()}}});
    for (Result<Stage>* half : {&first, &second})
        (*half)->recomputeLayers = 0; // of half as many blocks
    pipeline.stages[at] = *std::move(first);
    pipeline.stages.insert(pipeline.stages.begin() + stage + 1, *std::move(second));
    const int behind = 2 * (blocks / 2);
    inner[at] -= behind;
    inner.insert(inner.begin() + stage + 1, behind);
    pipeline.schedule.launch.clear();
    if (const Status laid = layOut(problem, pipeline, inner); !laid)
        return laid.error();
    return checked(problem, std::move(edited));
}

Result<Plan> mergeStages(const Problem& problem, const Plan& plan, int stage) {
    if (const Status known = hasStage(plan, stage); !known)
        return known.error();
    if (const Status known = hasStage(plan, stage + 1); !known)
        return refusal({"there is no stage behind stage {stage}", {{"stage", stage}}});
    Plan edited = plan;
    Pipeline& pipeline = edited.pipelines.front();
    if (pipeline.count > 1)
        return refusal("identical pipelines share their devices; their stages are not merged");
    std::vector<int> inner = innerLayers(problem, pipeline);
    const auto at = static_cast<std::size_t>(stage);
    const Stage &a = pipeline.stages[at], &b = pipeline.stages[at + 1];
    std::vector<DeviceIndex> devices = devicesOf(a);
    for (const DeviceIndex d : devicesOf(b))
        devices.push_back(d);
    Stage like = a.deviceCount() >= b.deviceCount() ? a : b;
    like.recompute = std::max(a.recompute, b.recompute);
    like.recomputeLayers = 0;
    Result<Stage> made = arrangedNearest(problem, pipeline, like, devices);
    if (!made)
        return refusal({"stages {stage} and {next}: {why}",
                        {{"stage", stage}, {"next", stage + 1}, {"why", made.error()}}});
    pipeline.stages[at] = *std::move(made);
    pipeline.stages.erase(pipeline.stages.begin() + stage + 1);
    inner[at] += inner[at + 1];
    inner.erase(inner.begin() + stage + 1);
    pipeline.schedule.launch.clear();
    if (const Status laid = layOut(problem, pipeline, inner); !laid)
        return laid.error();
    return checked(problem, std::move(edited));
}

Result<Plan> reorderStage(const Problem& problem, const Plan& plan, int from, int to) {
    for (const int stage : {from, to})
        if (const Status known = hasStage(plan, stage); !known)
            return known.error();
    Plan edited = plan;
    if (from == to)
        return edited;
    Pipeline& pipeline = edited.pipelines.front();
    std::vector<int> inner = innerLayers(problem, pipeline);
    const auto turn = [&](auto& list) {
        const auto first = list.begin();
        if (from < to)
            std::rotate(first + from, first + from + 1, first + to + 1);
        else
            std::rotate(first + to, first + from, first + from + 1);
    };
    turn(inner);
    turn(pipeline.stages);
    pipeline.schedule.launch.clear();
    if (const Status laid = layOut(problem, pipeline, inner); !laid)
        return laid.error();
    return checked(problem, std::move(edited));
}

Result<std::shared_ptr<const Problem>> withLinksScaled(const Problem& problem,
                                                       const std::vector<std::string>& links, double factor,
                                                       LinkFigure figure) {
    const bool isLatency = figure == LinkFigure::Latency;
    if (!(factor > 0.0))
        return refusal(isLatency ? Wording("{factor} times the latency is none", {{"factor", factor}})
                                 : Wording("{factor} times the bandwidth is none", {{"factor", factor}}));
    Cluster cluster = problem.topology().cluster();
    std::set<std::string_view> wanted(links.begin(), links.end());
    for (Link& link : cluster.links) {
        if (wanted.erase(link.id) == 0)
            continue;
        if (isLatency)
            link.latency = link.latency * factor;
        else
            link.bandwidth = link.bandwidth * factor;
    }
    if (!wanted.empty())
        return refusal({"there is no link {link}", {{"link", *wanted.begin()}}});
    return Problem::make(std::move(cluster), problem.model(), problem.recipe(), problem.profiles().rows(),
                         problem.space(), problem.constants());
}

} // namespace pw::whatif
