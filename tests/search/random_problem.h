// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"
#include "core/plan/plan.h"

#include <cmath>
#include <optional>
#include <set>

namespace pw::test {

inline double logUniform(Random& random, double low, double high) {
    return low * std::pow(high / low, random.uniform());
}

template <class T>
const T& pick(Random& random, const std::vector<T>& from) {
    return from[random.below(from.size())];
}

// Two or three nodes of different kinds with one to four GPUs, now and then two alike, behind one switch or
// two; links from crawling to fast; a small model whose states and activations do not always fit.
inline Cluster randomCluster(Random& random) {
    static const std::vector<std::string> kKinds = {"A100-SXM4-40GB", "V100-SXM2-16GB", "H100-SXM-80GB"};
    Cluster c;
    c.name = "random";
    const std::size_t nodes = 2 + random.below(2);
    const bool twoSwitches = random.below(4) == 0;
    c.switches.push_back({"s1", "Ethernet", {}});
    if (twoSwitches) {
        c.switches.push_back({"s2", "Ethernet", {}});
        c.links.push_back({"s1-s2", "s1", "s2", BytesPerSecond(logUniform(random, 1e8, 5e10)), 1,
                           Seconds(logUniform(random, 1e-6, 1e-3)), 0.9});
    }
    const bool alike = random.below(3) == 0; // the second node is the first one again
    const double room = logUniform(random, 0.4, 6.0);
    for (std::size_t n = 0; n < nodes; ++n) {
        Node node;
        node.kind = kKinds[(n + random.below(2)) % kKinds.size()];
        node.gpus = 1 + static_cast<int>(random.below(4));
        node.speed = random.below(4) == 0 ? 0.7 : 1.0;
        const double memory = Catalogue::builtin().find(node.kind)->memory.value;
        node.memoryTaken = Bytes(memory - gibibytes(room * random.uniform(0.5, 1.0)).value);
        if (random.below(3) == 0)
            node.intraBandwidth = BytesPerSecond(logUniform(random, 1e9, 3e11));
        Link link{"",
                  "",
                  twoSwitches && random.below(2) == 0 ? "s2" : "s1",
                  BytesPerSecond(logUniform(random, 3e8, 2.5e10)),
                  1 + static_cast<int>(random.below(2)),
                  Seconds(logUniform(random, 1e-6, 1e-4)),
                  0.88};
        if (n == 1 && alike) {
            node = c.nodes.front();
            link = c.links.back();
        }
        node.id = "n" + std::to_string(n + 1);
        link.id = node.id + "-up";
        link.a = node.id;
        c.nodes.push_back(node);
        c.links.push_back(link);
    }
    return c;
}

inline Model randomModel(Random& random) {
    Model m;
    m.name = "random";
    m.family = "gpt2";
    m.blocks = 2 + static_cast<std::int64_t>(random.below(4));
    m.heads = pick<std::int64_t>(random, {4, 8, 16});
    m.headDim = 64;
    m.hidden = m.heads * m.headDim;
    m.gatedMlp = m.rmsNorm = random.below(2) == 0;
    m.kvHeads = random.below(2) == 0 ? m.heads : m.heads / 4;
    m.ffn = 4 * m.hidden;
    m.vocab = 1000 + static_cast<std::int64_t>(random.below(40)) * 1000;
    m.positions = 4096;
    m.learnedPositions = random.below(2) == 0 ? 4096 : 0;
    m.tied = random.below(2) == 0;
    m.qkvBias = m.attentionOutBias = m.mlpBias = !m.gatedMlp;
    if (random.below(3) == 0) // blocks that differ
        for (std::int64_t b = 0; b < m.blocks; ++b)
            m.window.push_back(random.below(2) == 0 ? 0 : 64);
    if (random.below(4) == 0) {
        m.mlpBias = false;
        m.experts.count = 4 + 4 * static_cast<std::int64_t>(random.below(2));
        m.experts.perToken = 1 + static_cast<std::int64_t>(random.below(2));
        m.experts.ffn = m.hidden;
        if (random.below(2) == 0) {
            m.experts.shared = 1;
            m.experts.sharedFfn = m.ffn;
        }
        if (random.below(2) == 0) {
            m.experts.denseBlocks = {0};
            if (m.blocks > 3)
                m.experts.denseBlocks.push_back(1);
        }
    }
    if (random.below(6) == 0) {
        m.kvHeads = m.heads;
        m.latent = {random.below(2) == 0 ? 128 : 0, 96, 48, 16, 32};
    }
    // Not a draw: those behind it stay what they are.
    m.predictionDepth = (m.vocab / 1000 + m.blocks) % 5 == 0 ? 1 + m.blocks % 2 : 0;
    return m;
}

inline std::vector<ProfileRow> randomProfile(Random& random, const Cluster& cluster, const Model& model) {
    std::vector<ProfileRow> rows;
    if (random.below(3) != 0)
        return rows;
    const std::string kind = pick(random, cluster.nodes).kind;
    for (int layer = 0; layer <= model.blocks; ++layer) {
        const double once = logUniform(random, 2e-3, 2e-2);
        for (const int mbs : {1, 2, 4})
            rows.push_back({model.name, kind, layer, 1, mbs, 0, "", Seconds(once * mbs),
                            Seconds(2.0 * once * mbs), Seconds(1e-3), Bytes(0), "drawn", "", "", "", "", ""});
    }
    return rows;
}

// Never fails for what the generator draws. Schedules, sizes and modes are drawn narrow enough that trying
// every plan stays cheap.
inline std::shared_ptr<const Problem> randomProblem(Random& random) {
    const Cluster cluster = randomCluster(random);
    const Model model = randomModel(random);
    Recipe recipe;
    recipe.gbs = pick<std::int64_t>(random, {4, 6, 8, 12, 16});
    recipe.seq = pick<std::int64_t>(random, {128, 512, 1024, 2048});
    recipe.optimizer = random.below(4) == 0 ? Optimizer::Sgd : Optimizer::Adam;
    recipe.zero = static_cast<int>(random.below(3)) - 1;
    recipe.recompute = {pick<Recompute>(random, {Recompute::None, Recompute::Selective, Recompute::Full})};
    if (random.below(3) == 0 && recipe.recompute.front() != Recompute::Full)
        recipe.recompute.push_back(Recompute::Full);
    recipe.sequenceParallel = random.below(3) == 0 ? Choice::Off : Choice::Auto;
    if (random.below(3) == 0)
        recipe.mbs = {1};
    else if (random.below(2) == 0)
        recipe.mbs = {1, 2};
    recipe.reserve = gibibytes(0.25);
    Space space;
    space.maxStages = 2 + static_cast<int>(random.below(4));
    space.maxTp = pick<int>(random, {1, 2, 4});
    auto made = Problem::make(cluster, model, recipe, randomProfile(random, cluster, model), space);
    return made ? *made : nullptr;
}

// A legal plan of the document's kind, wider than the Space: cuts inside blocks, unequal shares, several
// replicas on different nodes, any schedule. Nothing if the draw led nowhere.
inline std::optional<Plan> randomPlan(Random& random, const Problem& problem) {
    const Topology& topology = problem.topology();
    std::vector<std::pair<int, int>> free; // node, GPUs left
    for (std::size_t n = 0; n < topology.cluster().nodes.size(); ++n)
        free.emplace_back(static_cast<int>(n), topology.cluster().nodes[n].gpus);
    std::vector<int> taken(free.size(), 0);
    Plan plan;
    Pipeline pipeline;
    std::vector<std::int64_t> sizes;
    for (std::int64_t m = 1; m <= problem.recipe().gbs; ++m)
        if (problem.recipe().gbs % m == 0)
            sizes.push_back(m);
    pipeline.microbatchSize = pick(random, sizes);
    pipeline.microbatches = problem.recipe().gbs / pipeline.microbatchSize;
    const int layers = fineLayerCount(problem.model());
    const int stages = 1 + static_cast<int>(random.below(4));
    std::set<int> cuts;
    while (static_cast<int>(cuts.size()) < stages - 1)
        cuts.insert(1 + static_cast<int>(random.below(static_cast<std::uint64_t>(layers - 1))));
    cuts.insert(layers);
    int first = 0;
    for (const int end : cuts) {
        Stage stage;
        stage.chunks = {{first, end - 1}};
        first = end;
        stage.tp = pick<int>(random, {1, 1, 2});
        stage.sequenceParallel = stage.tp > 1 && random.below(2) == 0;
        stage.recompute = pick<Recompute>(random, {Recompute::None, Recompute::Selective, Recompute::Full});
        std::int64_t left = pipeline.microbatchSize;
        while (left > 0) {
            std::vector<int> able;
            for (const auto& [node, gpus] : free)
                if (gpus - taken[static_cast<std::size_t>(node)] >= stage.tp)
                    able.push_back(node);
            if (able.empty())
                return std::nullopt;
            const int node = pick(random, able);
            Replica replica;
            for (int k = 0; k < stage.tp; ++k)
                replica.devices.push_back(topology.firstOfNode(node) +
                                          taken[static_cast<std::size_t>(node)]++);
            const std::int64_t own =
                random.below(2) == 0
                    ? left
                    : 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(left)));
            left -= own;
            replica.share = static_cast<double>(own) / static_cast<double>(pipeline.microbatchSize);
            stage.replicas.push_back(std::move(replica));
        }
        stage.zero = stage.dp() > 1 ? static_cast<int>(random.below(2)) : 0;
        pipeline.stages.push_back(std::move(stage));
    }
    pipeline.schedule.kind = pick<ScheduleKind>(
        random, {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Eager, ScheduleKind::H1F1B});
    pipeline.schedule.rule = random.below(2) == 0 ? LaunchRule::Artifact : LaunchRule::Ceil;
    plan.pipelines.push_back(std::move(pipeline));
    return plan;
}

} // namespace pw::test
