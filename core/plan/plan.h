// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/cluster/topology.h"
#include "core/partition/block_ways.h"
#include "core/problem/problem.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pw {

// Fine layers first..last, both included, that run as one piece.
struct LayerRange {
    int first = 0, last = 0;
    bool operator==(const LayerRange&) const = default;
};

// Whole transformer blocks [first, end) of so many, the embedding with the first one and the head with the
// last.
inline LayerRange layersOfBlocks(int first, int end, int blocks) {
    return {first == 0 ? 0 : 2 * first + 1, end == blocks ? 2 * blocks + 1 : 2 * end};
}

// Whether they are that: cut at no block's middle, and not embedding or head by themselves.
inline bool areWholeBlocks(const LayerRange& range, int fineLayers) {
    const int last = fineLayers - 1;
    return (range.first == 0 || range.first % 2 != 0) && (range.last == last || range.last % 2 == 0) &&
           range.last != 0 && range.first != last;
}

// One data-parallel copy of a stage: tp * cp devices in tensor-parallel order, and the share of every
// micro-batch that it processes (shares of a stage add up to 1).
struct Replica {
    std::vector<DeviceIndex> devices;
    double share = 1.0;
    bool operator==(const Replica&) const = default;
};

struct Stage {
    std::vector<LayerRange> chunks; // one, or as many as the schedule has
    std::vector<Replica> replicas;
    int tp = 1, cp = 1, ep = 1;
    bool sequenceParallel = false;
    int zero = 0;
    Recompute recompute = Recompute::None;
    int recomputeLayers = 0; // with mode first-n only; 0 = all
    // How every replica divides its blocks in place of tensor parallelism, which embedding and head keep.
    partition::BlockWays partition;
    bool operator==(const Stage&) const = default;
    int dp() const { return static_cast<int>(replicas.size()); }
    // Tensor-parallel ranks that cut an expert between them, 0 = all: where ep divides the replicas, or else
    // these and their context-parallel ranks together. Where it only divides all devices, experts are dealt
    // out over tensor-parallel ranks too and are whole: 1 (published: Megatron-Core's parallel folding,
    // arXiv 2504.14960; its expert_tensor_parallel_size).
    int expertTp() const { return dp() * cp % ep == 0 ? 0 : 1; }
    int deviceCount() const;
};

struct PlanSchedule {
    ScheduleKind kind = ScheduleKind::OneFOneB;
    LaunchRule rule = LaunchRule::Artifact;
    int chunks = 1;
    std::vector<int> launch; // uncapped, per stage; empty for kinds that have none
    bool operator==(const PlanSchedule&) const = default;
};

// A copy of the whole model. Its micro-batch is `microbatchSize` sequences, divided over a stage's replicas
// by their shares; over all pipelines count * microbatches * microbatchSize is the global batch.
struct Pipeline {
    int count = 1;      // identical pipelines; a stage lists the replicas of each one after the other
    double share = 1.0; // of the global batch, all `count` together
    std::int64_t microbatches = 1;
    std::int64_t microbatchSize = 1;
    PlanSchedule schedule;
    std::vector<Stage> stages;
    bool operator==(const Pipeline&) const = default;
    // Which of the schedule's chunks stands where in the forward pass.
    ChunkLayout layout() const {
        return {static_cast<int>(stages.size()), schedule.chunks, chunkPlacement(schedule.kind)};
    }
};

// Who computes what, and when. Indices are of the Problem's topology and fine layers. Figures are not part of
// it: evaluate(problem, plan) has them all.
struct Plan {
    std::vector<Pipeline> pipelines;
    bool operator==(const Plan&) const = default;
};

int usedGpus(const Plan& plan); // of all stages

// Structure: layers covered once and in the order of the chunks, devices known and used once, shares,
// divisions. Says nothing about memory. A tensor-parallel group may span nodes: a search does not look there
// (Space), but published runs do it and are to be judged.
struct PlanFault {
    std::string field; // of the plan, pipeline, stage or replica: "tp", "schedule"; empty: of all of it
    std::string where; // JSON pointer in the plan: "/pipelines/0/stages/2/tp"
    Wording wording;
};
std::vector<PlanFault> planFaults(const Problem& problem, const Plan& plan);
// The same as bad input with JSON pointers under `where`.
Status checkPlan(const Problem& problem, const Plan& plan, const std::string& where);

// The same text for the same plan, different for different ones; breaks ties between equally fast plans.
std::string canonicalKey(const Plan& plan);

// "4 2 2 | 8": GPUs per stage, a bar where the device kind changes.
std::string stagePattern(const Problem& problem, const Plan& plan);
// What stages shard beyond the states of the optimiser, which is usual: "ZeRO 2", "ZeRO 2 and 3"; or nothing.
std::string shardingText(const Plan& plan);
// Both, for tables that have no column of their own for the sharding: "8, ZeRO 2".
std::string stagesText(const Problem& problem, const Plan& plan);

// What a stage holds, the same words in every table and view: blocks from 0, "emb, 0 to 4", "5 to 18",
// "19 to 31, head", half a block named "(attention)" or "(MLP)", interleaved runs apart by semicolons. The
// phrase carries the unit, "emb, blocks 0 to 4". `fineLayers` is the model's count.
std::string layersText(const Stage& stage, int fineLayers);
std::string layersPhrase(const Stage& stage, int fineLayers);

// The structural part of the plan document's `pipelines`; evaluation adds the figures.
Result<Plan> planFromJson(const JsonReader& reader, const Problem& problem);
Json toJson(const Problem& problem, const Plan& plan);

} // namespace pw
