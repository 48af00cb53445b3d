// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/timeline/timeline.h"

namespace pw {

// Bars of an evaluated plan (evaluate with keepOps): a track a stage; backward bars show their recompute part first; sends
// stand in the lane of their sender; gradient sync and optimiser step follow the last backward.
Timeline buildTimeline(const Problem& problem, const Plan& plan, const Evaluation& evaluation);

// What a compute bar waited for and what waits for it: the bar (stage, kind, microbatch) before it in the dataflow.
struct BarRef {
    int track = -1;
    LaneRole lane = LaneRole::Compute;
    std::ptrdiff_t bar = -1;
    bool operator==(const BarRef&) const = default;
    explicit operator bool() const { return bar >= 0; }
};
BarRef predecessor(const Timeline& timeline, BarRef bar); // the bar of another stage, or of this one, that released it
BarRef successor(const Timeline& timeline, BarRef bar);

} // namespace pw
