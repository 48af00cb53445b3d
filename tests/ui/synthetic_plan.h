// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"

#include <random>

namespace pw::test {

constexpr std::int64_t kMs = 1'000'000;

// A plan made by hand, not by the cost model: `stages` stages that run `microbatches` forwards and backwards
// in a simple staggered order (10 ms forward, 20 ms backward, 1 ms sends), with the gradient sync and the
// optimiser step last.
inline std::shared_ptr<ShownPlan> syntheticPlan(int stages = 4, int microbatches = 8) {
    auto timeline = std::make_shared<Timeline>();
    const std::int64_t forward = 10 * kMs, backward = 20 * kMs, send = kMs;
    for (int s = 0; s < stages; ++s) {
        Track track;
        track.stage = s;
        track.layout.stages = stages;
        track.label = "n1.g" + std::to_string(s);
        // All forwards, then all backwards, each stage one forward later than the one before it.
        Lane& compute = track.lane(LaneRole::Compute);
        for (int m = 0; m < microbatches; ++m) {
            const std::int64_t at = s * (forward + send) + m * forward;
            compute.add(at, at + forward, BarKind::Forward, m, s == 0);
            if (s + 1 < stages)
                track.lane(LaneRole::ForwardSend)
                    .add(at + forward, at + forward + send, BarKind::Transfer, m, true);
        }
        const std::int64_t turn = (stages - 1) * (forward + send) + microbatches * forward;
        for (int m = 0; m < microbatches; ++m) {
            const std::int64_t at = turn + (stages - 1 - s) * (backward + send) + m * backward;
            compute.add(at, at + backward, BarKind::Backward, m, false);
            if (s > 0)
                track.lane(LaneRole::BackwardSend)
                    .add(at + backward, at + backward + send, BarKind::Transfer, m, false);
        }
        const std::int64_t done = compute.end(compute.size() - 1);
        track.lane(LaneRole::Sync).add(done, done + 5 * kMs, BarKind::AllReduce, -1, true);
        track.lane(LaneRole::Sync).add(done + 5 * kMs, done + 7 * kMs, BarKind::Optimizer, -1, true);
        for (Lane& lane : track.lanes)
            lane.seal();
        timeline->end = std::max(timeline->end, done + 8 * kMs);
        timeline->tracks.push_back(std::move(track));
    }
    auto plan = std::make_shared<ShownPlan>();
    plan->id = 1;
    plan->name = QStringLiteral("1");
    plan->schedule = QStringLiteral("GPipe");
    plan->microbatches = QString::number(microbatches);
    plan->iteration = Seconds(static_cast<double>(timeline->end) / 1e9);
    plan->layerCount = stages * 4 + 2;
    for (int s = 0; s < stages; ++s) {
        Track& track = timeline->tracks[static_cast<std::size_t>(s)];
        track.busyShare = 0.03 * microbatches / plan->iteration.value;
        ShownStage stage;
        stage.stage = s;
        stage.devices = QString::fromStdString(track.label);
        stage.kind = QStringLiteral("1 × A100-40");
        stage.sequences = 2.0;
        const double begin = s == 0 ? 0.0 : 1.0 + 4.0 * s,
                     end = s + 1 == stages ? plan->layerCount : 5.0 + 4.0 * s;
        stage.layers = {{begin, end}};
        Stage held;
        held.chunks = {{s == 0 ? 0 : 8 * s + 1, s + 1 == stages ? 8 * stages + 1 : 8 * s + 8}};
        stage.layerText = QString::fromStdString(layersText(held, 8 * stages + 2));
        stage.fineLayers = QStringLiteral("%1 to %2").arg(held.chunks[0].first).arg(held.chunks[0].last);
        stage.layerPhrase = QString::fromStdString(layersPhrase(held, 8 * stages + 2));
        stage.figures.forward = Seconds(0.010);
        stage.figures.backward = Seconds(0.020);
        stage.figures.send = Seconds(s + 1 == stages ? 0.0 : 0.001);
        stage.figures.inFlight = microbatches;
        stage.figures.forwardProvenance = s == 0 ? Provenance::Estimated : Provenance::Measured;
        stage.busy[static_cast<std::size_t>(BarKind::Forward)] = 0.010 * microbatches;
        stage.busy[static_cast<std::size_t>(BarKind::Backward)] = 0.020 * microbatches;
        stage.idle.warmUp = Seconds(0.011 * s);
        stage.idle.coolDown = plan->iteration - Seconds(0.030 * microbatches) - stage.idle.warmUp;
        ShownDevice device;
        device.id = stage.devices;
        device.kind = QStringLiteral("A100-40");
        device.peak.weights = gibibytes(8);
        device.peak.activations = gibibytes(4.0 * (stages - s));
        device.peak.reserve = gibibytes(1);
        device.capacity = gibibytes(20);
        stage.memory = {device};
        stage.inFlight = {{0.0, 0}, {0.011 * s, 1}, {0.011 * s + 0.01, 2}, {0.2, 1}, {0.3, 0}};
        plan->stages.push_back(std::move(stage));
    }
    plan->indexDevices();
    plan->timeline = timeline;
    return plan;
}

// Rows of bars of random kinds and lengths with random gaps; `bars` over all rows.
inline Timeline randomTimeline(int rows, int bars, unsigned seed) {
    std::mt19937_64 random(seed);
    Timeline timeline;
    for (int r = 0; r < rows; ++r) {
        Track track;
        track.stage = r;
        std::int64_t at = 0;
        for (int i = 0; i < bars / rows; ++i) {
            at += static_cast<std::int64_t>(random() % 300);
            const auto length = static_cast<std::int64_t>(200 + random() % 2000);
            track.lane(LaneRole::Compute)
                .add(at, at + length, static_cast<BarKind>(random() % kBarKinds), i, false);
            at += length;
        }
        for (Lane& lane : track.lanes)
            lane.seal();
        timeline.end = std::max(timeline.end, at);
        timeline.tracks.push_back(std::move(track));
    }
    return timeline;
}

} // namespace pw::test
