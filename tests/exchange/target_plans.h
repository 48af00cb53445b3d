// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import_table.h"
#include "tests/exchange/sample_plan.h"

#include <QtGlobal>

#include <string>
#include <vector>

namespace pw {

// A question and a plan for each export target, which it takes as they are; tests change them to be refused.
struct TargetPlan {
    Model model;
    Cluster cluster;
    Recipe recipe;
    Plan plan;
    std::shared_ptr<const Problem> problem() const {
        auto made = Problem::make(cluster, model, recipe, {});
        if (!made)
            qFatal("%s", made.error().text().c_str());
        return *made;
    }
};

// Llama of 7 billion parameters, as HexiScale knows it.
inline void makeLlama7b(Model& m) {
    m.hidden = 4096;
    m.ffn = 11008;
    m.heads = m.kvHeads = 32;
    m.headDim = 128;
    m.vocab = 32000;
    m.rotaryBase = 10000.0;
    m.normEpsilon = 1e-5;
}

// DeepSeek's latent attention in place of the model's own.
inline void makeLatent(Model& m) {
    m.kvHeads = m.heads;
    m.latent = {1536, 512, 128, 64, 128};
    m.headDim = 192;
}

// Four stages of 10, 10, 6 and 6 blocks on 16 GPUs, tp 2 and dp 2 each; what the target wants otherwise is
// put right. mixed-16 has 8 A100 in n1 and 4 V100 each in n2 and n3.
inline TargetPlan planFor(const std::string& format) {
    const std::string samples = std::string(PW_SOURCE_DIR) + "/samples/";
    TargetPlan target;
    target.model = *readModelFile(samples + "models/llama3-8b.json");
    target.cluster = *readCluster(*readFile(samples + "clusters/mixed-16.json"), "mixed-16.json");
    target.recipe.gbs = 128;
    target.recipe.seq = 2048;
    Pipeline& p = target.plan.pipelines.emplace_back();
    p.microbatches = 32;
    p.microbatchSize = 4;
    p.schedule.launch = {4, 3, 2, 1};
    p.stages = {blockStage(0, 9, 32, 0, 2, 2), blockStage(10, 19, 32, 4, 2, 2),
                blockStage(20, 25, 32, 8, 2, 2), blockStage(26, 31, 32, 12, 2, 2)};
    if (format == "hexiscale") {
        makeLlama7b(target.model);
        target.recipe.seq = 4096;
        p.schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {32, 32, 32, 32}};
        for (Stage& s : p.stages)
            s.sequenceParallel = false;
    }
    if (format == "hetu") {
        makeLlama7b(target.model);
        for (Node& n : target.cluster.nodes) // its attention wants bf16, and compute capability 8.0
            n.kind = "A100-SXM4-40GB";
    }
    if (format == "torchtitan") {
        target.recipe.precision = Precision::Fp32;
        for (Stage& s : p.stages)
            s.zero = 2;
    }
    if (format == "aceso") {
        Model& m = target.model;
        m.kvHeads = m.heads;
        m.ffn = 4 * m.hidden;
        m.learnedPositions = m.positions;
        m.gatedMlp = m.rmsNorm = false;
        m.tied = m.qkvBias = m.attentionOutBias = m.mlpBias = true;
        for (Stage& s : p.stages)
            s.sequenceParallel = false;
    }
    if (format == "galvatron") {
        // On the A100: it has no attention for others.
        p.stages = {blockStage(0, 19, 32, 0, 2, 2), blockStage(20, 31, 32, 4, 2, 2)};
        p.schedule.launch = {2, 1};
    }
    return target;
}

inline std::vector<std::string> idsOf(const Problem& problem, const std::vector<DeviceIndex>& devices) {
    std::vector<std::string> ids;
    for (const DeviceIndex d : devices)
        ids.push_back(problem.topology().devices()[static_cast<std::size_t>(d)].id);
    return ids;
}

// Two pipelines of different shape: 20 + 12 blocks on n1 (tp 4, then `second`: of 2 leaves two GPUs idle) and
// 32 blocks on n2 (tp 4).
inline Plan twoShapes(int second) {
    Plan plan;
    for (int p = 0; p < 2; ++p) {
        Pipeline& own = plan.pipelines.emplace_back();
        own.microbatchSize = p == 0 ? 2 : 4;
        own.microbatches = p == 0 ? 32 : 16;
        own.share = 0.5;
    }
    plan.pipelines[0].stages = {blockStage(0, 19, 32, 0, 1, 4), blockStage(20, 31, 32, 4, 1, second)};
    plan.pipelines[1].stages = {blockStage(0, 31, 32, 8, 1, 4)};
    return plan;
}

// The same as HexiScale runs it: a block has one tensor-parallel size in all pipelines.
inline Plan gpipeShapes() {
    Plan plan = twoShapes(4);
    for (Pipeline& p : plan.pipelines) {
        p.schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {}};
        for (Stage& s : p.stages)
            s.sequenceParallel = false;
    }
    return plan;
}

} // namespace pw
