// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/overlay/run_overlay.h"
#include "core/timeline/build.h"

namespace pw {

// One step of a run as a timeline, to stand under the predicted one: of each stage the rank whose passes take
// longest. Its times begin with the step's first operation and are divided by RunOverlay::scale, so that both
// have one axis: as they ran where the run is measured; else at the pace of the prediction, from which only
// the shape can be read.
//
//   predicted   [F 0][F 1]      [R 0][ B 0 ][R 1][ B 1 ]
//   ran         [F 0 ][F 1]     [   B 0   ][   B 1    ]    a backward holds its recomputation
//
// Receives are not drawn: a transfer stands in the lane of its sender.
struct RunTimeline {
    Timeline timeline;      // a track for each of the predicted one's, in its order
    int step = 0;           // that is drawn: of those that count, the one nearest to their median
    Seconds duration;       // of that step, as it ran
    std::vector<int> ranks; // by track
    // ns of each bar's operation, by track and lane. A bar is shorter where the one before it in its lane had
    // not ended: sends of a rank overlap.
    std::vector<std::array<std::vector<std::int64_t>, kLaneRoles>> lengths;
    std::int64_t length(BarRef bar) const {
        return lengths[static_cast<std::size_t>(bar.track)][static_cast<std::size_t>(bar.lane)]
                      [static_cast<std::size_t>(bar.bar)];
    }
};

// `overlay` is of this run, `predicted` the timeline of the evaluation under it.
RunTimeline runTimeline(const RunRecord& run, const RunOverlay& overlay, const Timeline& predicted);

// The operation of `bar` on a timeline of the same plan, predicted or run: its backward for a recompute bar.
// Empty if none is drawn there: what takes no time has no bar.
BarRef sameOperation(const Timeline& timeline, BarRef bar, const Timeline& other);

// ns that a predicted bar's operation takes: a backward with the recomputation before it.
std::int64_t operationLength(const Timeline& predicted, BarRef bar);

} // namespace pw
