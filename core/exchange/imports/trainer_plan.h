// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/model/model.h"
#include "core/plan/plan.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// A plan as a trainer's own files have it: by ranks, without the machines that they will be. bindPlan() puts
// it onto a Problem.

struct TrainerStage {
    std::vector<LayerRange> chunks; // fine layers
    int tp = 1, cp = 1, ep = 1;
    int dp = 0; // 0 = as many replicas as the machines have room for, the same for all stages
    Recompute recompute = Recompute::None;
    int recomputeLayers = 0; // 0 = all
    std::vector<int> ranks;  // where the file lists them; empty = the next ones
    std::string type;        // device type, where the file places stages by it
    bool operator==(const TrainerStage&) const = default;
};

struct TrainerPipeline {
    std::int64_t microbatches = 0;   // 0 = what the global batch comes to
    std::int64_t microbatchSize = 1; // of one replica of the first stage
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    int chunks = 1;
    std::vector<TrainerStage> stages;
    bool operator==(const TrainerPipeline&) const = default;
};

// A host of the launch, in rank order.
struct TrainerHost {
    std::string name;
    std::vector<int> gpus; // GPU numbers, in rank order
    std::string type;      // "" = not said
    bool operator==(const TrainerHost&) const = default;
};

// What a set of files of one trainer says; each may hold a part only.
struct TrainerPlan {
    std::string trainer;          // export format that writes the like: "megatron"
    std::optional<Model> model;   // its name is the file's
    std::int64_t paddedVocab = 0; // rows that the trainer makes of the vocabulary; 0 = not said
    std::optional<std::int64_t> gbs, seq;
    std::optional<Precision> precision;
    Optimizer optimizer = Optimizer::Adam;
    bool sequenceParallel = false;
    int zero = 0;
    bool replicasOutside = false; // ranks run over the stages of a replica before the next replica
    std::vector<TrainerPipeline> pipelines;
    std::vector<TrainerHost> hosts;                      // empty: the nodes in the order of the cluster
    std::map<std::string, std::vector<int>> visible;     // by host: the GPUs that the launch shows to it
    std::vector<int> visibleElsewhere;                   // to all other hosts; empty: all
    std::vector<std::string> types;                      // order of device types that ranks are sorted by
    std::vector<std::int64_t> batches, chunksOfPipeline; // of the pipelines, where another file has those
    std::int64_t rounds = 1;                             // of those that make a step
    std::optional<ScheduleKind> scheduleOfPipelines;     // likewise, where another file has the stages
    std::optional<bool> recomputed;                      // all or nothing, where another file has the stages
    bool operator==(const TrainerPlan&) const = default;
};

// Completes a plan by another part of it; bad input where both say the same thing.
Status joinParts(TrainerPlan& plan, TrainerPlan part, const std::string& file);

// Global batch, sequence and precision; what the search may choose stays open. Bad input without the former.
Result<Recipe> recipeOf(const TrainerPlan& plan, const std::string& file);

// The plan on the problem's machines: ranks are the GPUs of the plan's hosts, or of the cluster's nodes in
// their order, which `notes` then says. Bad input where they do not fit.
Result<Plan> bindPlan(const TrainerPlan& plan, const Problem& problem, const std::string& file,
                      Diagnostics& notes);

} // namespace pw
