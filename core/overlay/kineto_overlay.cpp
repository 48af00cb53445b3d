// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/kineto_overlay.h"

#include "core/exchange/launch_order.h"
#include "core/inventory/device_match.h"
#include "core/timeline/build.h"

#include <algorithm>
#include <map>

namespace pw {

namespace {

constexpr double kMicro = 1e-6, kNano = 1e-9;

struct PlacedRank {
    int pipeline = 0, stage = 0;
    DeviceIndex device = 0;
};

std::vector<PlacedRank> placesOf(const Problem& problem, const Plan& plan) {
    std::vector<PlacedRank> places;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p) {
        const Pipeline& pipeline = plan.pipelines[p];
        const auto add = [&](std::size_t stage, const Replica& replica) {
            for (const DeviceIndex device : replica.devices)
                places.push_back({static_cast<int>(p), static_cast<int>(stage), device});
        };
        const bool replicasOutside =
            bestLaunchOrder(problem, pipeline).nesting == RankNesting::ReplicasOutside;
        for (std::size_t i = 0; i < pipeline.stages.size() && !replicasOutside; ++i)
            for (const Replica& replica : pipeline.stages[i].replicas)
                add(i, replica);
        for (std::size_t r = 0; replicasOutside && r < pipeline.stages.front().replicas.size(); ++r)
            for (std::size_t i = 0; i < pipeline.stages.size(); ++i)
                if (r < pipeline.stages[i].replicas.size())
                    add(i, pipeline.stages[i].replicas[r]);
    }
    return places;
}

// Length of the union of [start, end) intervals, and of those of the second list outside it.
struct Covered {
    double first = 0.0, secondAlone = 0.0;
};
Covered covered(std::vector<KinetoSpan> first, std::vector<KinetoSpan> second) {
    const auto merged = [](std::vector<KinetoSpan>& spans) {
        std::sort(spans.begin(), spans.end(),
                  [](const KinetoSpan& a, const KinetoSpan& b) { return a.start < b.start; });
        std::vector<KinetoSpan> joined;
        for (const KinetoSpan& span : spans)
            if (!joined.empty() && span.start <= joined.back().end)
                joined.back().end = std::max(joined.back().end, span.end);
            else
                joined.push_back(span);
        return joined;
    };
    const auto length = [](const std::vector<KinetoSpan>& spans) {
        double sum = 0.0;
        for (const KinetoSpan& span : spans)
            sum += span.end - span.start;
        return sum;
    };
    const double alone = length(merged(first));
    first.insert(first.end(), second.begin(), second.end());
    return {alone, length(merged(first)) - alone};
}

// Whether the GPU of a trace may be of the kind, by the names and memory of all kinds that are known.
bool mayBe(const Cluster& cluster, const DeviceKind& kind, const KinetoTrace& trace) {
    std::vector<DeviceKind> known = cluster.kinds;
    for (const DeviceKind& one : Catalogue::builtin().kinds())
        known.push_back(one);
    const std::optional<Bytes> memory =
        trace.deviceMemory > 0.0 ? std::optional<Bytes>(Bytes(trace.deviceMemory)) : std::nullopt;
    const Catalogue catalogue(std::move(known));
    const DeviceMatch match = matchDevice(catalogue, trace.device, memory);
    if (match.kind != nullptr)
        return match.kind->name == kind.name;
    return std::ranges::find(match.candidates, kind.name, &DeviceKind::name) != match.candidates.end();
}

void noteDevice(const Topology& topology, DeviceIndex device, const KinetoTrace& trace, Diagnostics& notes) {
    const DeviceKind& kind = topology.kindOf(device);
    if (trace.device.empty() || trace.onCpu || mayBe(topology.cluster(), kind, trace))
        return;
    notes.push_back(
        {Severity::Warning,
         "kineto.device",
         trace.file,
         {"is of {device}, and the plan has rank {rank} on {kind}: what is left between the two is "
          "of the GPUs, not of the prediction",
          {{"device", trace.device}, {"rank", trace.rank}, {"kind", kind.name}}}});
}

Seconds busyOf(const Lane& lane) {
    return Seconds(static_cast<double>(lane.busy(0, lane.size())) * kNano);
}

} // namespace

StepTimes stepTimes(const KinetoTrace& trace) {
    std::vector<KinetoSpan> steps = trace.steps;
    if (steps.empty()) { // all of it is one step
        KinetoSpan whole{trace.kernels.front().start, 0.0};
        for (const KinetoKernel& kernel : trace.kernels)
            whole.end = std::max(whole.end, kernel.start + kernel.duration);
        steps.push_back(whole);
    }
    StepTimes times;
    auto kernel = trace.kernels.begin();
    for (const KinetoSpan& step : steps) {
        std::vector<KinetoSpan> computing, communication;
        while (kernel != trace.kernels.end() && kernel->start < step.start)
            ++kernel;
        for (; kernel != trace.kernels.end() && kernel->start < step.end; ++kernel)
            (kernel->kind == KernelKind::Communication ? communication : computing)
                .push_back({kernel->start, std::min(kernel->start + kernel->duration, step.end)});
        const Covered found = covered(std::move(computing), std::move(communication));
        times.iteration += Seconds((step.end - step.start) * kMicro);
        times.computing += Seconds(found.first * kMicro);
        times.communication += Seconds(found.secondAlone * kMicro);
        ++times.steps;
    }
    const double share = 1.0 / times.steps;
    times.iteration = times.iteration * share;
    times.computing = times.computing * share;
    times.communication = times.communication * share;
    return times;
}

Result<std::vector<StageOverlay>> overlay(const Problem& problem, const Plan& plan,
                                          const Evaluation& evaluation,
                                          const std::vector<KinetoTrace>& traces) {
    const std::vector<PlacedRank> places = placesOf(problem, plan);
    std::map<int, const KinetoTrace*> byRank;
    for (const KinetoTrace& trace : traces) {
        if (trace.worldSize != static_cast<int>(places.size()))
            return badInput("kineto.world", trace.file + "#/distributedInfo/world_size",
                            {"is {world_size}; the plan uses {places} GPUs",
                             {{"world_size", trace.worldSize}, {"places", places.size()}}});
        const auto [at, fresh] = byRank.emplace(trace.rank, &trace);
        if (!fresh)
            return badInput(
                "kineto.twice", trace.file,
                {"is of rank {rank}, like {file}", {{"rank", trace.rank}, {"file", at->second->file}}});
    }
    const Timeline timeline = buildTimeline(problem, plan, evaluation);
    std::vector<StageOverlay> list;
    for (const auto& [rank, trace] : byRank) {
        const PlacedRank& place = places[static_cast<std::size_t>(rank)];
        const StepTimes step = stepTimes(*trace);
        StageOverlay one;
        one.pipeline = place.pipeline;
        one.stage = place.stage;
        one.rank = rank;
        one.device = problem.topology().devices()[static_cast<std::size_t>(place.device)].id;
        one.steps = step.steps;
        one.iteration = {step.iteration, evaluation.iteration};
        one.computing.measured = step.computing;
        one.communication.measured = step.communication;
        for (const Track& track : timeline.tracks)
            if (track.pipeline == place.pipeline && track.stage == place.stage) {
                one.computing.predicted = busyOf(track.lane(LaneRole::Compute));
                // Transfers run beside the computation; the gradient sync stands alone behind it.
                one.communication.predicted = busyOf(track.lane(LaneRole::Sync));
            }
        const auto left = [](Seconds whole, Seconds a, Seconds b) {
            return Seconds(std::max(0.0, (whole - a - b).value));
        };
        one.idle = {left(one.iteration.measured, one.computing.measured, one.communication.measured),
                    left(one.iteration.predicted, one.computing.predicted, one.communication.predicted)};
        noteDevice(problem.topology(), place.device, *trace, one.notes);
        list.push_back(std::move(one));
    }
    return list;
}

} // namespace pw
