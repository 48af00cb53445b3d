// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/schedule_kind.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pw {

// Which plans are allowed. One value is read by every planner, by exhaustive search and by the bound, so that
// "optimal" means the same to all three.
//
// In this Space a plan is one pipeline; a stage is a run of whole transformer blocks (embedding with the
// first, head with the last) on GPUs of one node class: dp replicas of tp neighbouring GPUs with equal
// shares, or of cp such groups that share each sequence, with one cp for the whole plan. A stage takes 1, 2,
// 4, ... GPUs of one node, fewer than the node allows, or any number of whole nodes: with 8 a node that is 1,
// 2, 4, 8, 16, 24, ...; other numbers are not in the Space. tp is a power of two, at most `maxTp`, and stays
// inside its node; dp is what remains. Where the recipe leaves recompute open, a stage may also recompute its
// first blocks only. Replicas shard the optimiser; those of a plan of one stage gradients and weights, too
// (isShardedStage()). A class is filled node by node and not entered twice; a stage that the rest of a node
// is too small for begins at the next one. Devices may be left out. Beside these, uniform grids are in it:
// equal stages over all GPUs or all of some kinds, in Megatron-LM's order of ranks, which may mix kinds in a
// stage and run interleaved 1F1B (isUniformGrid()). Planners that mirror other systems leave it where those
// do; what they find there is held against a bound for plans of any shape.
struct ScheduleChoice {
    ScheduleKind kind = ScheduleKind::OneFOneB;
    LaunchRule rule = LaunchRule::Artifact;
    bool loneStage = false; // only in pipelines of one stage
    bool allows(std::size_t stages) const { return !loneStage || stages == 1; }
    bool operator==(const ScheduleChoice&) const = default;
};

// Axes beyond that, each off unless it is asked for: few trainers run such plans, and what is proven about
// them is the looser bound of core/search/proof/capacity_bound.h. With any of them a Space holds everything
// above as well.
struct WiderSpace {
    // Interleaved 1F1B and the zero-bubble kinds for any stages; each stage deals its blocks out to its
    // chunks as evenly as whole blocks allow, the first ones taking what is over.
    bool schedules = false;
    // Stages of replicas on two classes of one vendor: one tp, one recompute mode for all blocks, no cp or
    // ep, and shares of the micro-batch by speed (sequencesBySpeed()), of up to kMostUneven sequences.
    bool mixedStages = false;
    // Pipelines of different shape that share every layer's gradients, each with its own micro-batch size
    // and as many micro-batches as add up to the batch; all under one kind of schedule.
    int pipelines = 1;
    static constexpr int kMostUneven = 64;
    // Of `schedules` these alone, where a trainer runs some of them; empty: all.
    std::vector<ScheduleKind> kinds = {};
    bool has(ScheduleKind kind) const {
        return schedules && (kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end());
    }
    bool any() const { return schedules || mixedStages || pipelines > 1; }
    bool operator==(const WiderSpace&) const = default;
};

// What all stages of a pipeline have in common, where a trainer has one of it for the whole run. A bound may
// leave it out: it then speaks of more plans than these.
struct AlikeStages {
    bool tp = false, replicas = false, gpus = false;
    bool operator==(const AlikeStages&) const = default;
};

struct Space {
    std::vector<ScheduleChoice> schedules = {
        {ScheduleKind::H1F1B, LaunchRule::Artifact}, {ScheduleKind::H1F1B, LaunchRule::Ceil},
        {ScheduleKind::H1F1B, LaunchRule::Busy},     {ScheduleKind::OneFOneB, LaunchRule::Artifact},
        {ScheduleKind::Eager, LaunchRule::Artifact}, {ScheduleKind::GPipe, LaunchRule::Artifact}};
    // Whether uniform grids may also run interleaved 1F1B.
    bool interleaved = true;
    // Whether a stage whose tp is 4 or 8 may divide its blocks by one of the tensor partitions that look
    // fastest for it (core/partition) in place of tensor parallelism. Off: no trainer runs them today.
    bool partitions = false;
    // Whether a stage may begin or end between the attention and the MLP of a block. Off: no trainer runs
    // such plans today. No bound covers them.
    bool fineCuts = false;
    // Of a pipeline; 0: as many as the model has blocks and the cluster GPUs.
    int maxStages = 0;
    int maxTp = 8;
    // Largest context- and expert-parallel size, one of each for all stages of a plan; 0: as far as the model
    // has use for it, see sharings() in core/search.
    int maxCp = 0, maxEp = 0;
    // Whether experts may lie over all GPUs of a stage, whole ones over tensor-parallel ranks too
    // (Stage::expertTp()): expert parallelism need not divide the replicas then.
    bool foldExperts = true;
    // ZeRO stages beyond the optimiser's that plans of one stage may have where the recipe leaves sharding
    // open; pipelines of several stages have none of them.
    std::vector<int> sharded = {2, 3};
    WiderSpace wider;
    AlikeStages alike;
    // In pipelines of so many stages; without a number: of any.
    bool allows(ScheduleKind kind, std::size_t stages) const {
        return std::any_of(schedules.begin(), schedules.end(), [&](const ScheduleChoice& choice) {
            return choice.kind == kind && choice.allows(stages);
        });
    }
    bool allows(ScheduleKind kind) const { return allows(kind, 2); }
    std::vector<std::string> forbidden; // ids of nodes, devices, switches, links, or kind names: unused
    bool operator==(const Space&) const = default;
};

} // namespace pw
