// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/build.h"

#include "core/base/name_ranges.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pw {

namespace {

// Rounding never reverses an order, so bars made from ops that do not overlap do not overlap either.
std::int64_t nanoseconds(double seconds) {
    return std::llround(seconds * 1e9);
}

void addBar(Lane& lane, double start, double end, BarKind kind, std::int32_t microbatch, bool estimated,
            int chunk = 0) {
    const std::int64_t from = nanoseconds(start), to = nanoseconds(end);
    if (to > from)
        lane.add(from, to, kind, microbatch, estimated, chunk);
}

void addOp(Lane& lane, const Op& op, double recompute, bool estimated) {
    if (op.kind != OpKind::Backward) {
        const BarKind kind = op.kind == OpKind::Forward ? BarKind::Forward : BarKind::WeightGrad;
        addBar(lane, op.start, op.end, kind, op.microbatch, estimated, op.chunk);
        return;
    }
    const double again = std::min(op.start + recompute, op.end);
    addBar(lane, op.start, again, BarKind::Recompute, op.microbatch, estimated, op.chunk);
    addBar(lane, again, op.end, BarKind::Backward, op.microbatch, estimated, op.chunk);
}

// Recompute belongs to the chunk; figures without chunks are those of a stage with one.
double recomputeOf(const StageFigures& f, int chunk) {
    return f.chunks.empty() ? f.recompute.value : f.chunks[static_cast<std::size_t>(chunk)].recompute.value;
}

bool isEstimated(Provenance provenance) {
    return provenance == Provenance::Estimated;
}

void addPipeline(Timeline& timeline, int number, const Pipeline& pipeline, const PipelineFigures& figures,
                 const Topology& topology) {
    const std::size_t base = timeline.tracks.size();
    const ChunkLayout& layout = figures.simulation.layout;
    for (std::size_t i = 0; i < figures.stages.size(); ++i) {
        Track track;
        track.pipeline = number;
        track.stage = static_cast<int>(i);
        track.multiplicity = pipeline.count;
        track.layout = layout;
        track.staggered = figures.staggered;
        std::vector<DeviceIndex> devices;
        for (const Replica& replica : pipeline.stages[i].replicas)
            devices.insert(devices.end(), replica.devices.begin(), replica.devices.end());
        for (const DeviceIndex device : devices)
            track.deviceNames += topology.devices()[static_cast<std::size_t>(device)].id + ' ';
        track.label = devicesLabel(topology, std::move(devices));
        timeline.tracks.push_back(std::move(track));
    }
    const auto trackOf = [&](std::size_t stage) -> Track& { return timeline.tracks[base + stage]; };
    for (const Op& op : figures.simulation.ops) {
        const auto stage = static_cast<std::size_t>(op.stage);
        const StageFigures& f = figures.stages[stage];
        addOp(trackOf(stage).lane(LaneRole::Compute), op, recomputeOf(f, op.chunk),
              isEstimated(f.forwardProvenance));
    }
    std::vector<Transfer> transfers = figures.simulation.transfers; // boundaries of one link apart
    if (layout.chunks > 1)
        std::stable_sort(transfers.begin(), transfers.end(),
                         [](const Transfer& a, const Transfer& b) { return a.start < b.start; });
    for (const Transfer& t : transfers) {
        const bool activation = t.kind == OpKind::Forward;
        const int sender = activation ? t.boundary : t.boundary + 1; // virtual stages
        const int chunk = layout.chunkOf(sender);
        const LaneRole role =
            layout.sendsOnward(chunk) == activation ? LaneRole::ForwardSend : LaneRole::BackwardSend;
        addBar(
            trackOf(static_cast<std::size_t>(layout.stageOf(sender))).lane(role), t.start, t.end,
            BarKind::Transfer, t.microbatch,
            isEstimated(figures.stages[static_cast<std::size_t>(layout.stageOf(t.boundary))].sendProvenance),
            chunk);
    }
    double reduced = 0.0; // the step waits for all gradients: their global norm decides it
    for (std::size_t i = 0; i < figures.stages.size(); ++i)
        reduced = std::max(reduced, figures.simulation.lastEnd[i] + figures.stages[i].sync.value);
    for (std::size_t i = 0; i < figures.stages.size(); ++i) {
        const StageFigures& f = figures.stages[i];
        const double computed = figures.simulation.lastEnd[i];
        const double stepped = figures.staggered ? computed + f.sync.value : reduced;
        addBar(trackOf(i).lane(LaneRole::Sync), computed, computed + f.sync.value, BarKind::AllReduce, -1,
               true);
        addBar(trackOf(i).lane(LaneRole::Compute), stepped, stepped + f.optimizer.value, BarKind::Optimizer,
               -1, true);
    }
}

const Lane& laneOf(const Timeline& timeline, BarRef ref) {
    return timeline.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane);
}

const Track& trackAt(const Timeline& timeline, int track) {
    return timeline.tracks[static_cast<std::size_t>(track)];
}

BarRef find(const Timeline& timeline, ChunkPlace at, LaneRole role, BarKind kind, std::int32_t microbatch) {
    if (at.track < 0)
        return {};
    const Lane& lane = trackAt(timeline, at.track).lane(role);
    for (std::size_t i = 0; i < lane.size(); ++i)
        if (lane.microbatch(i) == microbatch && lane.kind(i) == kind && lane.chunk(i) == at.chunk)
            return {at.track, role, static_cast<std::ptrdiff_t>(i)};
    return {};
}

// The lane in which a chunk sends its activations, or its gradients.
LaneRole laneOfSend(const Track& track, int chunk, bool activation) {
    return track.layout.sendsOnward(chunk) == activation ? LaneRole::ForwardSend : LaneRole::BackwardSend;
}

BarRef findSend(const Timeline& timeline, ChunkPlace at, bool activation, std::int32_t microbatch) {
    if (at.track < 0)
        return {};
    const LaneRole role = laneOfSend(trackAt(timeline, at.track), at.chunk, activation);
    return find(timeline, at, role, BarKind::Transfer, microbatch);
}

// The chunk `step` behind the bar's own in the forward pass.
ChunkPlace neighbour(const Timeline& timeline, BarRef ref, int step) {
    const Track& track = trackAt(timeline, ref.track);
    const int chunk = track.lane(ref.lane).chunk(static_cast<std::size_t>(ref.bar));
    return placeOf(timeline, ref.track, track.layout.virtualStage(track.stage, chunk) + step);
}

ChunkPlace ownPlace(const Timeline& timeline, BarRef ref) {
    return neighbour(timeline, ref, 0);
}

BarRef backwardEntry(const Timeline& timeline, ChunkPlace at, std::int32_t microbatch) {
    const BarRef recompute = find(timeline, at, LaneRole::Compute, BarKind::Recompute, microbatch);
    return recompute ? recompute : find(timeline, at, LaneRole::Compute, BarKind::Backward, microbatch);
}

BarRef before(BarRef ref) {
    --ref.bar;
    return ref.bar >= 0 ? ref : BarRef{};
}

BarRef behind(const Timeline& timeline, BarRef ref) {
    ++ref.bar;
    return ref.bar < static_cast<std::ptrdiff_t>(laneOf(timeline, ref).size()) ? ref : BarRef{};
}

// The pass that completes the stage's gradients.
BarRef lastBackward(const Timeline& timeline, int track) {
    const Lane& lane = timeline.tracks[static_cast<std::size_t>(track)].lane(LaneRole::Compute);
    for (std::size_t i = lane.size(); i-- > 0;)
        if (lane.kind(i) == BarKind::Backward || lane.kind(i) == BarKind::WeightGrad)
            return {track, LaneRole::Compute, static_cast<std::ptrdiff_t>(i)};
    return {};
}

BarRef syncBar(const Timeline& timeline, int track) {
    const bool any = timeline.tracks[static_cast<std::size_t>(track)].lane(LaneRole::Sync).size() > 0;
    return any ? BarRef{track, LaneRole::Sync, 0} : BarRef{};
}

// The bar that lets the optimiser step begin: of all stages of the pipeline, or of its own where they are
// staggered, the gradients that were ready last.
BarRef lastReduction(const Timeline& timeline, int track) {
    const int pipeline = timeline.tracks[static_cast<std::size_t>(track)].pipeline;
    const bool alone = timeline.tracks[static_cast<std::size_t>(track)].staggered;
    BarRef last;
    std::int64_t end = -1;
    for (int t = 0; t < static_cast<int>(timeline.tracks.size()); ++t) {
        if (timeline.tracks[static_cast<std::size_t>(t)].pipeline != pipeline || (alone && t != track))
            continue;
        const BarRef sync = syncBar(timeline, t);
        const BarRef ready = sync ? sync : lastBackward(timeline, t);
        if (!ready)
            continue;
        const std::int64_t at = laneOf(timeline, ready).end(static_cast<std::size_t>(ready.bar));
        if (at > end) {
            end = at;
            last = ready;
        }
    }
    return last;
}

// What feeds the bar, apart from its own lane.
BarRef input(const Timeline& timeline, BarRef ref) {
    const Lane& lane = laneOf(timeline, ref);
    const auto at = static_cast<std::size_t>(ref.bar);
    const std::int32_t microbatch = lane.microbatch(at);
    const auto fromChunk = [&](int step, BarKind op) -> BarRef {
        const ChunkPlace from = neighbour(timeline, ref, step);
        const BarRef transfer = findSend(timeline, from, step < 0, microbatch);
        return transfer ? transfer : find(timeline, from, LaneRole::Compute, op, microbatch);
    };
    if (ref.lane == LaneRole::Sync)
        return lastBackward(timeline, ref.track);
    if (ref.lane != LaneRole::Compute) {
        const bool activation = carriesActivation(trackAt(timeline, ref.track), ref.lane, lane.chunk(at));
        return find(timeline, ownPlace(timeline, ref), LaneRole::Compute,
                    activation ? BarKind::Forward : BarKind::Backward, microbatch);
    }
    switch (lane.kind(at)) {
    case BarKind::Forward:
        return fromChunk(-1, BarKind::Forward);
    case BarKind::WeightGrad:
        return find(timeline, ownPlace(timeline, ref), LaneRole::Compute, BarKind::Backward, microbatch);
    case BarKind::Optimizer:
        return lastReduction(timeline, ref.track);
    default: // a backward or its recompute; where both are drawn, the backward's input came before its
             // recompute
        return fromChunk(+1, BarKind::Backward);
    }
}

bool valid(const Timeline& timeline, BarRef ref) {
    return ref.track >= 0 && ref.track < static_cast<int>(timeline.tracks.size()) && ref.bar >= 0 &&
           ref.bar < static_cast<std::ptrdiff_t>(laneOf(timeline, ref).size());
}

} // namespace

bool carriesActivation(const Track& track, LaneRole role, int chunk) {
    return track.layout.sendsOnward(chunk) == (role == LaneRole::ForwardSend);
}

ChunkPlace placeOf(const Timeline& timeline, int track, int virtualStage) {
    const Track& own = timeline.tracks[static_cast<std::size_t>(track)];
    if (virtualStage < 0 || virtualStage >= own.layout.virtualStages())
        return {};
    // The tracks of a pipeline stand together, in the order of its stages.
    return {track + own.layout.stageOf(virtualStage) - own.stage, own.layout.chunkOf(virtualStage)};
}

std::string devicesLabel(const Topology& topology, std::vector<DeviceIndex> devices,
                         const std::map<std::string, std::string>& renamed) {
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
    struct Item {
        std::string text;
        int gpus = 0;
    };
    std::vector<Item> items;
    std::vector<std::string> whole; // nodes that no item stands for so far
    std::vector<int> sizes;         // theirs
    const auto nameOf = [&renamed](const std::string& node) {
        const auto found = renamed.find(node);
        return found == renamed.end() ? node : found->second;
    };
    const auto endWhole = [&] {
        std::vector<std::size_t> counts;
        std::vector<std::string> ranges = nameRanges(whole, &counts);
        auto size = sizes.begin();
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            const auto next = size + static_cast<std::ptrdiff_t>(counts[i]);
            items.push_back({std::move(ranges[i]), std::accumulate(size, next, 0)});
            size = next;
        }
        whole.clear();
        sizes.clear();
    };
    for (std::size_t i = 0; i < devices.size();) {
        const Device& first = topology.devices()[static_cast<std::size_t>(devices[i])];
        std::size_t next = i + 1; // a run of slots of one node
        while (next < devices.size() && devices[next] == devices[next - 1] + 1 &&
               topology.devices()[static_cast<std::size_t>(devices[next])].node == first.node)
            ++next;
        const int count = static_cast<int>(next - i);
        const Node& node = topology.cluster().nodes[static_cast<std::size_t>(first.node)];
        i = next;
        if (count == node.gpus) {
            whole.push_back(nameOf(node.id));
            sizes.push_back(count);
            continue;
        }
        endWhole();
        const std::string last = count == 1 ? "" : "-" + std::to_string(first.slot + count - 1);
        items.push_back({nameOf(node.id) + ".g" + std::to_string(first.slot) + last, count});
    }
    endWhole();
    constexpr std::size_t kMost = 4;
    const std::size_t shown = items.size() > kMost ? kMost - 1 : items.size();
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
        text += (i > 0 ? ", " : "") + items[i].text;
    int more = 0;
    for (std::size_t i = shown; i < items.size(); ++i)
        more += items[i].gpus;
    if (more > 0)
        text += " +" + std::to_string(more) + " GPUs";
    return text;
}

Timeline buildTimeline(const Problem& problem, const Plan& plan, const Evaluation& evaluation) {
    Timeline timeline;
    timeline.end = nanoseconds(evaluation.iteration.value);
    for (std::size_t p = 0; p < evaluation.pipelines.size(); ++p)
        addPipeline(timeline, static_cast<int>(p), plan.pipelines[p], evaluation.pipelines[p],
                    problem.topology());
    for (Track& track : timeline.tracks)
        for (Lane& lane : track.lanes) {
            lane.seal();
            if (lane.size() > 0)
                timeline.end = std::max(timeline.end, lane.end(lane.size() - 1));
        }
    for (Track& track : timeline.tracks) {
        const Lane& compute = track.lane(LaneRole::Compute);
        const std::int64_t whole = track.staggered ? nanoseconds(evaluation.iteration.value) : timeline.end;
        if (whole > 0)
            track.busyShare =
                static_cast<double>(compute.busy(0, compute.size())) / static_cast<double>(whole);
    }
    return timeline;
}

BarRef predecessor(const Timeline& timeline, BarRef ref) {
    if (!valid(timeline, ref))
        return {};
    const BarRef fed = input(timeline, ref), previous = before(ref);
    if (!fed || !previous)
        return fed ? fed : previous;
    const auto endOf = [&](BarRef r) { return laneOf(timeline, r).end(static_cast<std::size_t>(r.bar)); };
    return endOf(fed) >= endOf(previous) ? fed : previous;
}

BarRef successor(const Timeline& timeline, BarRef ref) {
    if (!valid(timeline, ref))
        return {};
    const Lane& lane = laneOf(timeline, ref);
    const auto at = static_cast<std::size_t>(ref.bar);
    const std::int32_t microbatch = lane.microbatch(at);
    const ChunkPlace own = ownPlace(timeline, ref);
    const ChunkPlace upstream = neighbour(timeline, ref, -1), downstream = neighbour(timeline, ref, +1);
    if (ref.lane == LaneRole::Sync)
        return find(timeline, own, LaneRole::Compute, BarKind::Optimizer, -1);
    if (ref.lane != LaneRole::Compute)
        return carriesActivation(trackAt(timeline, ref.track), ref.lane, lane.chunk(at))
                   ? find(timeline, downstream, LaneRole::Compute, BarKind::Forward, microbatch)
                   : backwardEntry(timeline, upstream, microbatch);
    if (lane.kind(at) == BarKind::Forward) {
        if (const BarRef send = findSend(timeline, own, true, microbatch))
            return send;
        return downstream.track >= 0
                   ? find(timeline, downstream, LaneRole::Compute, BarKind::Forward, microbatch)
                   : backwardEntry(timeline, own, microbatch);
    }
    if (lane.kind(at) == BarKind::Backward) {
        if (const BarRef send = findSend(timeline, own, false, microbatch))
            return send;
        if (upstream.track >= 0)
            return backwardEntry(timeline, upstream, microbatch);
        if (const BarRef weight = find(timeline, own, LaneRole::Compute, BarKind::WeightGrad, microbatch))
            return weight;
    }
    if (const BarRef sync = syncBar(timeline, ref.track); sync && ref == lastBackward(timeline, ref.track))
        return sync;
    return behind(timeline, ref);
}

BarRef dataSource(const Timeline& timeline, BarRef ref) {
    if (!valid(timeline, ref))
        return {};
    const BarRef fed = input(timeline, ref);
    const auto at = static_cast<std::size_t>(ref.bar);
    if (!fed && ref.lane == LaneRole::Compute && laneOf(timeline, ref).kind(at) != BarKind::Forward)
        return find(timeline, ownPlace(timeline, ref), LaneRole::Compute, BarKind::Forward,
                    laneOf(timeline, ref).microbatch(at)); // the last stage turns round
    const bool sent = fed && (fed.lane == LaneRole::ForwardSend || fed.lane == LaneRole::BackwardSend);
    return sent ? input(timeline, fed) : fed;
}

BarRef dataTarget(const Timeline& timeline, BarRef ref) {
    const BarRef next = successor(timeline, ref);
    const bool sent = next && (next.lane == LaneRole::ForwardSend || next.lane == LaneRole::BackwardSend);
    return sent ? successor(timeline, next) : next;
}

} // namespace pw
