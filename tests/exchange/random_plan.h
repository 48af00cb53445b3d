// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/exchange/imports/import_table.h"
#include "tests/exchange/sample_plan.h"

#include <algorithm>
#include <numeric>

namespace pw {

struct RandomPlan {
    std::shared_ptr<const Problem> problem;
    Plan plan;
};

// llama3-8b on mixed-64 (2 nodes of 8 H100, 4 of 8 A100, 4 of 4 V100), of one tensor, data and pipeline size
// and one recompute setting, but any numbers of blocks, virtual stages, order of nodes, and ranks that follow
// either the stages or the replicas: what Megatron-based trainers run.
inline RandomPlan randomUniformPlan(Random& random) {
    const auto below = [&](int n) { return static_cast<int>(random.below(static_cast<std::uint64_t>(n))); };
    static const std::string samples = std::string(PW_SOURCE_DIR) + "/samples/";
    static const Model model = *readModelFile(samples + "models/llama3-8b.json");
    static const Cluster cluster =
        *readCluster(*readFile(samples + "clusters/mixed-64.json"), "mixed-64.json");
    const int blocks = static_cast<int>(model.blocks);
    const int tp = 1 << below(3), pp = 2 + below(5);
    const int dp = 1 + below(std::max(1, std::min(4, 64 / (tp * pp))));
    const int chunks = below(3) == 0 ? 2 + below(2) : 1;
    const int virtualStages = pp * chunks;
    Plan plan;
    Pipeline& p = plan.pipelines.emplace_back();
    p.microbatches = chunks > 1 ? pp * (1 + below(4)) : 1 + below(20);
    p.microbatchSize = dp * (1 + below(3));
    p.schedule.kind = chunks > 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB;
    p.schedule.chunks = chunks;
    Recipe recipe;
    recipe.gbs = p.microbatches * p.microbatchSize;
    recipe.seq = 2048;
    recipe.precision = Precision::Fp16; // which all three kinds run

    // Blocks: at least one a virtual stage, the rest anywhere; evenly now and then.
    std::vector<int> held(static_cast<std::size_t>(virtualStages), 1);
    if (blocks % virtualStages == 0 && below(2) == 0)
        held.assign(held.size(), blocks / virtualStages);
    for (int rest = blocks - std::accumulate(held.begin(), held.end(), 0); rest > 0; --rest)
        ++held[random.below(held.size())];

    // Devices: the nodes in any order, their GPUs in order; groups stay inside a node.
    const auto topology = Topology::make(cluster);
    std::vector<int> nodes(cluster.nodes.size());
    std::iota(nodes.begin(), nodes.end(), 0);
    for (std::size_t i = nodes.size(); i > 1; --i)
        std::swap(nodes[i - 1], nodes[random.below(i)]);
    std::vector<DeviceIndex> devices;
    for (const int node : nodes)
        for (int g = 0; g < cluster.nodes[static_cast<std::size_t>(node)].gpus; ++g)
            devices.push_back(topology->firstOfNode(node) + g);

    const bool replicasOutside = below(3) == 0;
    const auto mode = static_cast<Recompute>(below(3));
    const int zero = below(2), sequence = below(2);
    const int partial = mode == Recompute::Full && chunks == 1 && below(2) == 0 ? 1 + below(6) : 0;
    p.stages.resize(static_cast<std::size_t>(pp));
    for (int s = 0; s < pp; ++s) {
        Stage& stage = p.stages[static_cast<std::size_t>(s)];
        stage.tp = tp;
        stage.sequenceParallel = tp > 1 && sequence == 1;
        stage.zero = zero;
        stage.recompute = mode;
        const int own = chunks == 1 ? held[static_cast<std::size_t>(s)] : 0;
        stage.recomputeLayers = partial > 0 && partial < own ? partial : 0;
        for (int d = 0; d < dp; ++d) {
            Replica& replica = stage.replicas.emplace_back();
            replica.share = 1.0 / dp;
            const int group = replicasOutside ? d * pp + s : s * dp + d;
            for (int t = 0; t < tp; ++t)
                replica.devices.push_back(devices[static_cast<std::size_t>(group * tp + t)]);
        }
        stage.chunks.resize(static_cast<std::size_t>(chunks));
    }
    for (int v = 0, first = 0; v < virtualStages; ++v) {
        const int end = first + held[static_cast<std::size_t>(v)];
        p.stages[static_cast<std::size_t>(v % pp)].chunks[static_cast<std::size_t>(v / pp)] =
            layersOfBlocks(first, end, blocks);
        first = end;
    }
    return {*Problem::make(cluster, model, recipe, {}), std::move(plan)};
}

} // namespace pw
