// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pw {

namespace {

struct DrawnOp {
    const RunOp* op = nullptr;
    LaneRole lane = LaneRole::Compute;
    BarKind kind = BarKind::Forward;
};

// Of the steps that count, the one nearest to their median.
const RunStep& middleStep(const RunRecord& run, const RunOverlay& overlay) {
    const RunStep* nearest = &run.steps.front();
    double least = std::numeric_limits<double>::infinity();
    for (const RunStep& step : run.steps) {
        const double off = std::abs((step.duration - overlay.iteration.measured).value);
        const bool counts =
            std::find(overlay.steps.begin(), overlay.steps.end(), step.step) != overlay.steps.end();
        if (counts && off < least) {
            least = off;
            nearest = &step;
        }
    }
    return *nearest;
}

// The rank with most time in passes, of a stage's.
int busiestRank(const std::vector<const RunOp*>& ops) {
    std::map<int, double> busy;
    for (const RunOp* op : ops)
        if (isPass(op->kind))
            busy[op->rank] += op->end - op->start;
    const auto most = std::max_element(busy.begin(), busy.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == busy.end() ? -1 : most->first;
}

// What a rank did, but for its receives. A send that began before the backward of its micro-batch carries an
// activation, any other a gradient.
std::vector<DrawnOp> drawnOps(const std::vector<const RunOp*>& ops, const Track& track, int rank) {
    std::map<std::pair<int, std::int64_t>, double> backward; // by chunk and micro-batch: its start
    for (const RunOp* op : ops)
        if (op->rank == rank && op->kind == RunOpKind::Backward)
            backward[{op->chunk, op->microbatch}] = op->start;
    std::vector<DrawnOp> list;
    for (const RunOp* op : ops) {
        if (op->rank != rank)
            continue;
        switch (op->kind) {
        case RunOpKind::Forward:
            list.push_back({op, LaneRole::Compute, BarKind::Forward});
            break;
        case RunOpKind::Backward:
            list.push_back({op, LaneRole::Compute, BarKind::Backward});
            break;
        case RunOpKind::WeightGrad:
            list.push_back({op, LaneRole::Compute, BarKind::WeightGrad});
            break;
        case RunOpKind::Update:
            list.push_back({op, LaneRole::Compute, BarKind::Optimizer});
            break;
        case RunOpKind::Sync:
            list.push_back({op, LaneRole::Sync, BarKind::AllReduce});
            break;
        case RunOpKind::Send: {
            const auto own = backward.find({op->chunk, op->microbatch});
            const bool activation = own == backward.end() || op->start < own->second;
            const bool onward = track.layout.sendsOnward(op->chunk) == activation;
            list.push_back({op, onward ? LaneRole::ForwardSend : LaneRole::BackwardSend, BarKind::Transfer});
            break;
        }
        case RunOpKind::Receive:
            break;
        }
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const DrawnOp& a, const DrawnOp& b) { return a.op->start < b.op->start; });
    return list;
}

const Lane& laneOf(const Timeline& timeline, BarRef ref) {
    return timeline.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane);
}

} // namespace

RunTimeline runTimeline(const RunRecord& run, const RunOverlay& overlay, const Timeline& predicted) {
    RunTimeline drawn;
    const RunStep& step = middleStep(run, overlay);
    drawn.step = step.step;
    drawn.duration = step.duration;
    double begin = std::numeric_limits<double>::infinity();
    std::map<std::pair<int, int>, std::vector<const RunOp*>> ofStage;
    for (const RunOp& op : run.ops)
        if (op.step == step.step) {
            begin = std::min(begin, op.start);
            ofStage[{op.pipeline, op.stage}].push_back(&op);
        }
    const auto at = [&](double seconds) {
        return static_cast<std::int64_t>(std::llround((seconds - begin) / overlay.scale * 1e9));
    };
    drawn.timeline.end = std::max<std::int64_t>(at(begin + step.duration.value), 1);
    for (const Track& like : predicted.tracks) {
        Track track;
        track.pipeline = like.pipeline;
        track.stage = like.stage;
        track.multiplicity = like.multiplicity;
        track.layout = like.layout;
        track.staggered = like.staggered;
        track.label = like.label;
        const std::vector<const RunOp*>& ops = ofStage[{like.pipeline, like.stage}];
        drawn.ranks.push_back(busiestRank(ops));
        auto& lengths = drawn.lengths.emplace_back();
        std::array<std::int64_t, kLaneRoles> free{};
        for (const DrawnOp& one : drawnOps(ops, track, drawn.ranks.back())) {
            const auto lane = static_cast<std::size_t>(one.lane);
            const std::int64_t start = std::max(at(one.op->start), free[lane]), end = at(one.op->end);
            if (end <= start)
                continue;
            const bool ofMicrobatch = one.kind != BarKind::AllReduce && one.kind != BarKind::Optimizer;
            track.lane(one.lane).add(start, end, one.kind,
                                     ofMicrobatch ? static_cast<std::int32_t>(one.op->microbatch) : -1, false,
                                     one.op->chunk);
            lengths[lane].push_back(end - at(one.op->start));
            free[lane] = end;
        }
        for (Lane& lane : track.lanes) {
            lane.seal();
            if (lane.size() > 0)
                drawn.timeline.end = std::max(drawn.timeline.end, lane.end(lane.size() - 1));
        }
        drawn.timeline.tracks.push_back(std::move(track));
    }
    for (Track& track : drawn.timeline.tracks) {
        const Lane& compute = track.lane(LaneRole::Compute);
        track.busyShare =
            static_cast<double>(compute.busy(0, compute.size())) / static_cast<double>(drawn.timeline.end);
    }
    return drawn;
}

BarRef sameOperation(const Timeline& timeline, BarRef bar, const Timeline& other) {
    const Lane& from = laneOf(timeline, bar);
    const auto at = static_cast<std::size_t>(bar.bar);
    const BarKind kind = from.kind(at) == BarKind::Recompute ? BarKind::Backward : from.kind(at);
    const Lane& to = laneOf(other, bar);
    for (std::size_t i = 0; i < to.size(); ++i)
        if (to.kind(i) == kind && to.microbatch(i) == from.microbatch(at) && to.chunk(i) == from.chunk(at))
            return {bar.track, bar.lane, static_cast<std::ptrdiff_t>(i)};
    return {};
}

std::int64_t operationLength(const Timeline& predicted, BarRef bar) {
    const Lane& lane = laneOf(predicted, bar);
    const auto at = static_cast<std::size_t>(bar.bar);
    const auto length = [&](std::size_t i) { return lane.end(i) - lane.start(i); };
    const auto recomputes = [&](std::size_t again, std::size_t backward) {
        return lane.kind(again) == BarKind::Recompute && lane.kind(backward) == BarKind::Backward &&
               lane.microbatch(again) == lane.microbatch(backward) &&
               lane.chunk(again) == lane.chunk(backward);
    };
    if (at > 0 && recomputes(at - 1, at))
        return length(at - 1) + length(at);
    if (at + 1 < lane.size() && recomputes(at, at + 1))
        return length(at) + length(at + 1);
    return length(at);
}

} // namespace pw
