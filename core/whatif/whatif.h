// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <vector>

// What if: edits of a plan by hand. Each is pure: it takes a plan that checkPlan() accepts and gives another
// one, or says why not and changes nothing. Nonsense is refused (an empty stage, tp that does not divide the
// heads, a device used twice); too little memory is not: that is a result with numbers.
//
// An edit changes what it says and keeps the rest. The launch counts of a plan are part of it and stay,
// unless the number of stages or the schedule changes: then they are left open for evaluation to derive by
// the rule.
namespace pw::whatif {

// A plan to start from by hand, where none was searched: a stage a node in the order of the drawing, blocks
// in equal parts, 1F1B. Whether it fits into memory is not asked.
Result<Plan> uniformPlan(const Problem& problem);

// Boundaries are between neighbours of the forward pass (virtual stages, where a schedule has chunks), named
// by the one in front. Their place is the first fine layer behind them: odd ones lie between blocks, even
// ones between attention and MLP of a block.
int boundaries(const Plan& plan);
int boundaryLayer(const Plan& plan, int boundary);
struct BoundaryRange {
    int low = 0, high = 0; // places at which neither neighbour is empty
};
BoundaryRange boundaryRange(const Plan& plan, int boundary);
Result<Plan> moveBoundary(const Problem& problem, const Plan& plan, int boundary, int layer);

// The place farthest forward (`by` > 0: the stage in front grows) or back, in whole blocks, at which the
// stage that grows still fits its devices; where it stands now if even that does not.
class Costing;
Result<int> farthestBoundary(const Costing& costing, const Plan& plan, int boundary, int by);

// Devices of any stages, or unused ones, to another stage. tp of the stages concerned stays, or becomes the
// nearest that fits their new number of devices.
Result<Plan> moveDevices(const Problem& problem, const Plan& plan, const std::vector<DeviceIndex>& devices,
                         int stage);
// Devices that the plan uses no longer.
Result<Plan> releaseDevices(const Problem& problem, const Plan& plan,
                            const std::vector<DeviceIndex>& devices);
// What the loss of a node costs, or of several at once: their devices leave their stages, and a stage without
// any gives its blocks to its neighbours.
Result<Plan> dropNode(const Problem& problem, const Plan& plan, int node);
Result<Plan> dropNodes(const Problem& problem, const Plan& plan, const std::vector<int>& nodes);
std::vector<DeviceIndex> unusedDevices(const Problem& problem, const Plan& plan); // allowed, in no stage

// Tensor-parallel size on the devices that the stage has; the number of replicas follows.
Result<Plan> setTp(const Problem& problem, const Plan& plan, int stage, int tp);
std::vector<int> tpChoices(const Problem& problem, const Plan& plan, int stage); // those that setTp takes
// Replicas of the stage (of each identical pipeline) at its tp: more take unused devices, of its own nodes
// first and of its kind only; fewer leave devices unused.
Result<Plan> setDp(const Problem& problem, const Plan& plan, int stage, int dp);

// `layers`: the first blocks only, with full recompute; 0 = all.
Result<Plan> setRecompute(const Problem& problem, const Plan& plan, int stage, Recompute mode,
                          int layers = 0);
// Sequences of a micro-batch over all replicas of a pipeline; their number follows from the global batch.
Result<Plan> setMicrobatch(const Problem& problem, const Plan& plan, std::int64_t size);
std::vector<std::int64_t> microbatchChoices(const Problem& problem, const Plan& plan);
// `chunks` 0: as few as the kind runs. Where their number changes, each stage keeps its number of blocks.
Result<Plan> setSchedule(const Problem& problem, const Plan& plan, ScheduleKind kind, LaunchRule rule,
                         int chunks = 0);

// The schedules that can be asked for, with the launch rules that differ.
struct ScheduleChoice {
    ScheduleKind kind;
    LaunchRule rule;
};
const std::vector<ScheduleChoice>& scheduleChoices();

// Half of its blocks, and of its devices, to a new stage behind it.
Result<Plan> splitStage(const Problem& problem, const Plan& plan, int stage);
// With the stage behind it.
Result<Plan> mergeStages(const Problem& problem, const Plan& plan, int stage);
// The stage, its devices and as many blocks as it has, to another place in the pipeline.
Result<Plan> reorderStage(const Problem& problem, const Plan& plan, int from, int to);

// The question with these links (ids) of another bandwidth or latency, `factor` times what each has.
enum class LinkFigure { Bandwidth, Latency };
Result<std::shared_ptr<const Problem>> withLinksScaled(const Problem& problem,
                                                       const std::vector<std::string>& links, double factor,
                                                       LinkFigure figure = LinkFigure::Bandwidth);

} // namespace pw::whatif
