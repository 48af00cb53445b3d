// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"
#include "core/timeline/timeline.h"

#include <map>
#include <string>
#include <vector>

namespace pw {

// Bars of an evaluated plan (evaluate with keepOps): a track a stage; backward bars show their recompute part
// first; sends stand in the lane of their sender; gradient sync follows the last backward in its own lane,
// and the optimiser step follows the sync of all stages, or of its own one where they are staggered, in the
// compute lane. What rounds to no nanosecond has no bar. Staggered stages end one after the other, so that
// the timeline is longer than the iteration.
Timeline buildTimeline(const Problem& problem, const Plan& plan, const Evaluation& evaluation);

// The devices in topology order, shortened: "n1.g0-3" of one node, "n2, n3" for whole nodes, "n4 to n7" for
// more of them in a row, "n1, n3, n5 +488 GPUs" for more than four items. Nodes that are `renamed`, by the
// names that the topology has for them, go by the others.
std::string devicesLabel(const Topology& topology, std::vector<DeviceIndex> devices,
                         const std::map<std::string, std::string>& renamed = {});

// A bar of a Timeline by its place.
struct BarRef {
    int track = -1;
    LaneRole lane = LaneRole::Compute;
    std::ptrdiff_t bar = -1;
    bool operator==(const BarRef&) const = default;
    explicit operator bool() const { return bar >= 0; }
};
// Whether a send of this lane is an activation, and not a gradient.
bool carriesActivation(const Track& track, LaneRole role, int chunk);
// Where a virtual stage of the track's pipeline is drawn; track -1 if there is no such stage.
struct ChunkPlace {
    int track = -1, chunk = 0;
};
ChunkPlace placeOf(const Timeline& timeline, int track, int virtualStage);

// The bar that released this one: its input (a transfer, or the neighbour's op where the transfer takes no
// time) or the bar before it in its lane, whichever ended later. Empty for what could start at 0.
BarRef predecessor(const Timeline& timeline, BarRef bar);
// The bar that consumes what this one makes: the transfer, the op that it feeds, the sync behind the last
// backward.
BarRef successor(const Timeline& timeline, BarRef bar);

// The same along the data alone, whoever was late: the computing bar whose result this one works on, and the
// one that works on this one's result, past the transfers between them.
BarRef dataSource(const Timeline& timeline, BarRef bar);
BarRef dataTarget(const Timeline& timeline, BarRef bar);

} // namespace pw
