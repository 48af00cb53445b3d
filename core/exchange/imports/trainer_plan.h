// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// A plan as a trainer's own files have it: by ranks, without the machines that they will be. bindPlan() puts
// it onto a Problem.

struct TrainerStage {
    std::vector<std::vector<int>> ranks;     // a list for each replica, in tensor-parallel order
    std::vector<std::pair<int, int>> blocks; // [first, end) of every chunk; transformer blocks from 0
    int tp = 1, cp = 1, ep = 1;
    Recompute recompute = Recompute::None;
    int recomputeLayers = 0; // 0 = all
    bool operator==(const TrainerStage&) const = default;
};

struct TrainerPipeline {
    std::int64_t microbatches = 1;
    std::int64_t microbatchSize = 1; // of the whole pipeline
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::vector<TrainerStage> stages;
    bool operator==(const TrainerPipeline&) const = default;
};

// A host of the launch, in rank order.
struct TrainerHost {
    std::string name;
    std::vector<int> slots; // GPU numbers, in rank order
    std::string type;       // "" = not said
    bool operator==(const TrainerHost&) const = default;
};

struct TrainerPlan {
    std::string trainer;        // "Megatron-LM"
    std::optional<Model> model; // what the file says of it; its name is the file's
    std::optional<std::int64_t> gbs, seq;
    Precision precision = Precision::Auto;
    Optimizer optimizer = Optimizer::Adam;
    bool sequenceParallel = false;
    int zero = 0;
    std::vector<TrainerPipeline> pipelines; // empty: the file holds a model and no parallel layout
    std::vector<TrainerHost> hosts;         // empty: the nodes in the order of the cluster
    bool operator==(const TrainerPlan&) const = default;
};

} // namespace pw
