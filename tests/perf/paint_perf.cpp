// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/perf/budget.h"
#include "tests/timeline/random_lane.h"
#include "ui/timeline/gantt_painter.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>

using namespace pw;

namespace {

Timeline timelineOf(std::size_t rows, std::size_t bars) {
    Random random(1);
    Timeline timeline;
    for (std::size_t i = 0; i < rows; ++i) {
        Track track;
        track.stage = static_cast<int>(i);
        track.lane(LaneRole::Compute) = test::randomLane(random, bars / rows);
        for (const LaneRole role : {LaneRole::ForwardSend, LaneRole::BackwardSend, LaneRole::Sync})
            track.lane(role).seal();
        const Lane& lane = track.lane(LaneRole::Compute);
        timeline.end = std::max(timeline.end, lane.end(lane.size() - 1));
        timeline.tracks.push_back(std::move(track));
    }
    return timeline;
}

// Fold and paint one frame of 1600 x 800 with the whole trace in it, at rest: arguments are rows, bars in all
// and the budget in ms.
void paintFrame(benchmark::State& state) {
    static char name[] = "paint_perf";
    static char* arguments[] = {name};
    static int count = 1;
    static const QGuiApplication application(count, arguments); // fonts need one
    const Timeline timeline =
        timelineOf(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
    QImage image(1600, 800, QImage::Format_ARGB32_Premultiplied);
    GanttViewport view;
    view.window = {0, timeline.end};
    view.size = image.size();
    view.rowHeight = 800 / static_cast<int>(state.range(0));
    for (auto _ : state) {
        QPainter painter(&image);
        GanttPainter::paint(painter, timeline, view, Theme::light());
    }
    perf::budget(state, static_cast<double>(state.range(2)));
}

} // namespace

BENCHMARK(paintFrame)->Args({16, 100000, 5})->Args({64, 1000000, 16})->Unit(benchmark::kMillisecond);
