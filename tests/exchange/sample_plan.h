// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/plan/plan.h"

#include <functional>
#include <memory>
#include <string>

namespace pw {

// llama3-8b on mixed-16 (8 A100 in n1, 4 V100 each in n2 and n3): what exporters are tested with. `edit` may
// change the model before the problem is posed.
inline std::shared_ptr<const Problem> sampleProblem(const std::function<void(Model&)>& edit = {},
                                                    int seq = 2048) {
    const std::string samples = std::string(PW_SOURCE_DIR) + "/samples/";
    auto model = readModelFile(samples + "models/llama3-8b.json");
    auto text = readFile(samples + "clusters/mixed-16.json");
    auto cluster = readCluster(*text, "mixed-16.json");
    if (edit)
        edit(*model);
    Recipe recipe;
    recipe.gbs = 64;
    recipe.seq = seq;
    return *Problem::make(*cluster, *model, recipe, {});
}

// Consecutive devices from `first`: dp replicas of tp neighbours.
inline std::vector<Replica> replicas(DeviceIndex first, int dp, int tp) {
    std::vector<Replica> list(static_cast<std::size_t>(dp));
    for (Replica& r : list) {
        r.share = 1.0 / dp;
        for (int t = 0; t < tp; ++t)
            r.devices.push_back(first++);
    }
    return list;
}

// Blocks [first, last] of a model of `blocks`, the embedding with the first and the head with the last.
inline Stage blockStage(int first, int last, int blocks, DeviceIndex device, int dp, int tp) {
    Stage stage;
    stage.chunks = {{first == 0 ? 0 : 1 + 2 * first, last == blocks - 1 ? 2 * blocks + 1 : 2 + 2 * last}};
    stage.tp = tp;
    stage.replicas = replicas(device, dp, tp);
    stage.sequenceParallel = tp > 1;
    return stage;
}

// 1F1B over n1 (two stages of tp 2, dp 2), n2 (tp 4) and n3 (tp 4): 10 + 10 + 6 + 6 blocks, 32 micro-batches
// of 2.
inline Plan samplePlan() {
    Plan plan;
    Pipeline& p = plan.pipelines.emplace_back();
    p.microbatches = 32;
    p.microbatchSize = 2;
    p.schedule.launch = {4, 3, 2, 1};
    p.stages = {blockStage(0, 9, 32, 0, 2, 2), blockStage(10, 19, 32, 4, 2, 2),
                blockStage(20, 25, 32, 8, 1, 4), blockStage(26, 31, 32, 12, 1, 4)};
    return plan;
}

// The same stages with 8 blocks each under a schedule of another kind; two chunks of 4 where it has them.
inline Plan sampleChunkedPlan(ScheduleKind kind) {
    Plan plan = samplePlan();
    Pipeline& p = plan.pipelines.front();
    p.schedule = {kind, LaunchRule::Artifact, leastChunks(kind), {}};
    const ChunkLayout layout = p.layout();
    const int blocks = 32 / layout.virtualStages();
    for (Stage& stage : p.stages)
        stage.chunks.resize(static_cast<std::size_t>(p.schedule.chunks));
    for (int v = 0; v < layout.virtualStages(); ++v)
        p.stages[static_cast<std::size_t>(layout.stageOf(v))]
            .chunks[static_cast<std::size_t>(layout.chunkOf(v))] =
            blockStage(v * blocks, (v + 1) * blocks - 1, 32, 0, 1, 1).chunks.front();
    return plan;
}

} // namespace pw
